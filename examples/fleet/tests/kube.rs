//! kube's derive on the newest version's structs, beside this library's.

use std::collections::BTreeSet;

use crd_conv::ResourceType;
use crd_conv::crd::{CrdOptions, Webhook};
use fleet::{Fleet, v1};
use kube::CustomResourceExt;
use serde_json::Value;

// Group, kind, plural, scope, version, status and scale.
crd_conv::assert_kube!(Fleet, v1::Fleet);

/// The paths at which two schemas differ.
fn differences(one: &Value, other: &Value, path: &str, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            for key in one.keys().chain(other.keys()).collect::<BTreeSet<_>>() {
                let sides = [one, other].map(|side| side.get(key).unwrap_or(&Value::Null));
                differences(sides[0], sides[1], &format!("{path}.{key}"), found);
            }
        }
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => {}
        _ if path.ends_with(".required") && as_set(one) == as_set(other) => {}
        _ if one != other => found.push(path.replace(".properties", "")),
        _ => {}
    }
}

fn as_set(names: &Value) -> Option<BTreeSet<&str>> {
    names.as_array()?.iter().map(Value::as_str).collect()
}

/// The cluster gets the schema of this library, which has all versions. kube's is for the newest alone.
#[test]
fn both_write_the_same_schema_but_for_what_kube_is_not_told() {
    let webhook = Webhook::service("fleet-system", "fleet-conversion");
    let ours = ResourceType::of::<Fleet>().crd(&CrdOptions::new().webhook(webhook)).expect("a CRD");
    let ours = serde_json::to_value(&ours.spec.versions[0].schema).expect("JSON");
    let theirs = serde_json::to_value(&v1::Fleet::crd().spec.versions[0].schema).expect("JSON");
    let mut found = Vec::new();
    differences(&ours["openAPIV3Schema"], &theirs["openAPIV3Schema"], "", &mut found);
    let expected = [
        // kube describes the object itself.
        ".description",
        // What a rule compares is never null.
        ".spec.checks.periodSeconds.nullable",
        ".spec.checks.timeoutSeconds.nullable",
        // `validation`.
        ".spec.checks.x-kubernetes-validations",
        ".spec.ports.items.protocol.x-kubernetes-validations",
        ".x-kubernetes-validations",
        // `list_map_keys`.
        ".spec.ports.x-kubernetes-list-map-keys",
        ".spec.ports.x-kubernetes-list-type",
        ".status.conditions.x-kubernetes-list-map-keys",
        ".status.conditions.x-kubernetes-list-type",
        // Only conversions write it.
        ".status.conversionEntries",
        // kube lets null stand for no status.
        ".status.nullable",
        // kube takes null for no phase, which the API server then refuses: to it null is never one of an enum's values.
        ".status.phase.enum",
        ".status.phase.nullable",
        // The same for the selector, where the scale subresource points.
        ".status.selector.nullable",
        ".title",
    ];
    found.sort_unstable();
    assert_eq!(found, BTreeSet::from(expected).into_iter().collect::<Vec<_>>());
}
