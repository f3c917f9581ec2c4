//! Changes of what stands around the schemas.

use crd_conv::diff::Level;
use serde_json::{Value, json};

use super::{compare, document};
use Level::{Breaking, Risky, Safe};

/// Changes the document that the function is given.
fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut document = document(&json!({"type": "string"}));
    change(&mut document);
    document
}

/// Two documents, and the changes that are found.
type Change<'a> = (&'a Value, &'a Value, Vec<(Level, &'static str)>);

#[track_caller]
fn mean(all: &[Change<'_>]) {
    for (old, new, expected) in all {
        let report = compare(old, new);
        let found: Vec<_> =
            report.changes.iter().map(|change| (change.level, change.kind)).collect();
        assert_eq!(found, *expected, "{report}");
    }
}

#[test]
fn names_and_how_versions_are_served() {
    let base = changed(|_| {});
    let set = |pointer: &str, value: Value| {
        changed(|document| {
            let (above, name) = pointer.rsplit_once('/').unwrap();
            document.pointer_mut(above).unwrap()[name] = value;
        })
    };
    let scale = |path: &str| json!({"scale": {"specReplicasPath": path, "statusReplicasPath": ".status.a"}});
    mean(&[
        (
            &base,
            &set("/metadata/name", json!("tins.example.com")),
            vec![(Breaking, "resource-removed")],
        ),
        (&base, &set("/spec/scope", json!("Cluster")), vec![(Breaking, "scope-changed")]),
        (&base, &set("/spec/scope", json!("")), vec![]),
        (&base, &set("/spec/names/kind", json!("Tin")), vec![(Breaking, "kind-changed")]),
        (&base, &set("/spec/names/singular", json!("tin")), vec![(Risky, "singular-changed")]),
        (&set("/spec/names/shortNames", json!(["b"])), &base, vec![(Risky, "short-name-removed")]),
        (&base, &set("/spec/names/categories", json!(["all"])), vec![(Safe, "categories-changed")]),
        (
            &base,
            &set("/spec/conversion", json!({"strategy": "Webhook"})),
            vec![(Risky, "conversion-added")],
        ),
        (&base, &set("/spec/names/shortNames", json!(["b"])), vec![(Safe, "short-names-changed")]),
        (&set("/spec/names/categories", json!(["all"])), &base, vec![(Risky, "category-removed")]),
        (
            &set("/spec/conversion", json!({"strategy": "Webhook"})),
            &base,
            vec![(Safe, "conversion-removed")],
        ),
        (&set("/spec/versions/0/served", json!(false)), &base, vec![(Safe, "version-served")]),
        (
            &base,
            &set("/spec/versions/0/subresources", scale(".spec.a")),
            vec![(Safe, "scale-subresource-added")],
        ),
        (
            &base,
            &set("/spec/versions/0/selectableFields", json!([{"jsonPath": ".spec.a"}])),
            vec![(Safe, "selectable-field-added")],
        ),
        (
            &set("/spec/preserveUnknownFields", json!(true)),
            &base,
            vec![(Breaking, "preserve-unknown-fields-removed")],
        ),
        (
            &base,
            &set("/spec/versions/0/served", json!(false)),
            vec![(Breaking, "version-not-served")],
        ),
        (
            &base,
            &set("/spec/versions/0/deprecated", json!(true)),
            vec![(Safe, "version-deprecated")],
        ),
        (
            &base,
            &set("/spec/versions/0/subresources", json!({"status": {}})),
            vec![(Breaking, "status-subresource-added")],
        ),
        (
            &set("/spec/versions/0/subresources", json!({"status": {}})),
            &base,
            vec![(Breaking, "status-subresource-removed")],
        ),
        (
            &set("/spec/versions/0/subresources", scale(".spec.a")),
            &base,
            vec![(Breaking, "scale-subresource-removed")],
        ),
        (
            &set("/spec/versions/0/subresources", scale(".spec.a")),
            &set("/spec/versions/0/subresources", scale(".spec.b")),
            vec![(Risky, "scale-subresource-changed")],
        ),
        (
            &set("/spec/versions/0/selectableFields", json!([{"jsonPath": ".spec.a"}])),
            &base,
            vec![(Breaking, "selectable-field-removed")],
        ),
        (
            &base,
            &set("/spec/versions/0/additionalPrinterColumns", json!([{"name": "A"}])),
            vec![(Safe, "columns-changed")],
        ),
    ]);
}

#[test]
fn versions_come_and_go() {
    let v1 = |document: &Value| document["spec"]["versions"][0].clone();
    let of = |document: &Value, name: &str, served: bool, storage: bool| {
        let mut version = v1(document);
        version["name"] = json!(name);
        version["served"] = json!(served);
        version["storage"] = json!(storage);
        version
    };
    let versions = |all: &[(&str, bool, bool)]| {
        changed(|document| {
            let all =
                all.iter().map(|(name, served, storage)| of(document, name, *served, *storage));
            document["spec"]["versions"] = all.collect();
        })
    };
    let base = changed(|_| {});
    let both = versions(&[("v1beta1", true, true), ("v1", true, false)]);
    mean(&[
        // From one version to two, over to the new one, and out with the old one.
        (
            &base,
            &versions(&[("v1", true, true), ("v2", true, false)]),
            vec![(Safe, "version-added")],
        ),
        (
            &both,
            &versions(&[("v1beta1", true, false), ("v1", true, true)]),
            vec![(Safe, "storage-version-changed")],
        ),
        (
            &versions(&[("v1beta1", true, true)]),
            &versions(&[("v1beta1", true, false), ("v1", true, true)]),
            vec![(Risky, "storage-version-changed"), (Safe, "version-added")],
        ),
        (&both, &versions(&[("v1", true, true)]), vec![(Breaking, "version-removed")]),
        (
            &versions(&[("v1beta1", true, false), ("v1", true, true)]),
            &base,
            vec![(Breaking, "version-removed")],
        ),
        (
            &versions(&[("v1beta1", false, false), ("v1", true, true)]),
            &base,
            vec![(Safe, "version-removed")],
        ),
    ]);
}

/// Without a webhook the server drops what the other version doesn't declare.
#[test]
fn two_served_versions_differ() {
    let two = |strategy: &str| {
        changed(|document| {
            let mut newer = document["spec"]["versions"][0].clone();
            newer["name"] = json!("v2");
            newer["storage"] = json!(false);
            newer["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] =
                json!({"b": {"type": "string"}});
            document["spec"]["versions"].as_array_mut().unwrap().push(newer);
            document["spec"]["conversion"] = json!({"strategy": strategy});
        })
    };
    let between = |older: &Value, strategy: &str| {
        let report = compare(older, &two(strategy));
        let found = report.changes.iter().filter(|change| change.version == "v1 to v2");
        found.map(|change| (change.level, change.kind)).collect::<Vec<_>>()
    };
    let one = changed(|_| {});
    let differ = |level| vec![(level, "field-removed"), (level, "field-added")];
    assert_eq!(between(&one, "None"), differ(Breaking));
    assert_eq!(between(&one, "Webhook"), differ(Risky));
    // What was so before is no change.
    assert_eq!(between(&two("Webhook"), "Webhook"), []);
}
