//! What the conformance tests against the server's code don't reach, and what it is like to read.

#[cfg(feature = "cel")]
mod stack;

use serde_json::{Value, json};

use super::Validator;
use crate::{crd::fixture::cron_tab, json::Json};

/// A resource with everything that only a whole CustomResourceDefinition says.
fn boxes() -> Validator {
    let spec = json!({
        "type": "object",
        "properties": {
            "size": {"type": "integer"},
            "limit": {"x-kubernetes-int-or-string": true},
            "mail": {"type": "string", "format": "email"},
            "tags": {"type": "object", "additionalProperties": {"type": "object", "default": {"a": 1, "b": 2},
                "properties": {"a": {"type": "integer"}}}},
        },
    });
    let status = json!({"type": "object", "properties": {
        "replicas": {"type": "integer"}, "selector": {"type": "string"}}});
    let subresources = json!({"status": {}, "scale": {
        "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.replicas",
        "labelSelectorPath": ".status.selector",
    }});
    let document = document(&json!({"spec": spec, "status": status}), &subresources);
    Validator::read(&document).expect("the server takes it")
}

/// Returns the document of a resource with these fields.
fn document(fields: &Value, subresources: &Value) -> Json {
    Json::from(&json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "boxes", "kind": "Box"},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": subresources,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": fields}},
            }],
        },
    }))
}

fn object(metadata: &Value, spec: &Value, status: &Value) -> String {
    json!({"apiVersion": "example.com/v1", "kind": "Box", "metadata": metadata, "spec": spec, "status": status}).to_string()
}

#[track_caller]
fn causes(metadata: &Value, spec: &Value, status: &Value) -> Vec<String> {
    let report = boxes().validate(&object(metadata, spec, status)).expect("it can be read");
    assert_eq!(report.accepts(), report.causes.is_empty());
    report.causes.iter().map(ToString::to_string).collect()
}

#[test]
fn the_scale_subresource_counts() {
    let named = json!({"name": "a"});
    let of_spec = |spec| causes(&named, &spec, &json!({}));
    assert!(of_spec(json!({"size": 2_147_483_647})).is_empty());
    assert_eq!(
        of_spec(json!({"size": -1})),
        [".spec.size: Invalid value: should be a non-negative integer"]
    );
    assert_eq!(
        of_spec(json!({"size": 2_147_483_648_u32})),
        [".spec.size: Invalid value: should be less than or equal to 2147483647"]
    );
    assert_eq!(of_spec(json!({"size": 1.0})).len(), 1);
    let of_status = |status| causes(&named, &json!({}), &status);
    assert!(of_status(json!({"replicas": 0, "selector": "a=b"})).is_empty());
    assert_eq!(of_status(json!({"replicas": -1})).len(), 1);
}

#[test]
fn metadata() {
    let of = |metadata| causes(&metadata, &json!({}), &json!({}));
    assert_eq!(of(json!({})), ["metadata.name: Required value: name or generateName is required"]);
    assert!(of(json!({"generateName": "a-"})).is_empty());
    for (metadata, field) in [
        (json!({"name": "A"}), "metadata.name"),
        (json!({"name": "a", "namespace": "a.b"}), "metadata.namespace"),
        (json!({"name": "a", "labels": {"a": "-"}}), "metadata.labels"),
        (json!({"name": "a", "annotations": {"a/b/c": ""}}), "metadata.annotations"),
        (
            json!({"name": "a", "annotations": {"a": "x".repeat(256 * 1024)}}),
            "metadata.annotations",
        ),
        (
            json!({"name": "a", "finalizers": ["orphan", "foregroundDeletion"]}),
            "metadata.finalizers",
        ),
        (
            json!({"name": "a", "ownerReferences": [{"apiVersion": "v1", "kind": "Event", "name": "a", "uid": "b"}]}),
            "metadata.ownerReferences[0]",
        ),
        (
            json!({"name": "a", "managedFields": [{"operation": "Delete"}]}),
            "metadata.managedFields[0].operation",
        ),
    ] {
        let found = of(metadata);
        assert!(found.len() == 1 && found[0].starts_with(&format!("{field}: ")), "{found:?}");
    }
}

#[test]
fn what_is_not_checked_is_listed() {
    let spec = json!({"size": 3, "mail": "A <a@b>"});
    let report = boxes()
        .validate(&object(&json!({"name": "a"}), &spec, &json!({})))
        .expect("it can be read");
    assert_eq!(
        report.to_string(),
        "not checked: spec.mail: whether \"A <a@b>\" is of the format `email`"
    );
}

/// A resource with rules.
fn with_rules() -> Validator {
    let rules =
        json!([{"rule": "self.size > 1"}, {"rule": "self.size < 9 && self.size >= oldSelf.size"}]);
    let spec = json!({"type": "object", "x-kubernetes-validations": rules, "properties": {
        "size": {"type": "integer", "x-kubernetes-validations": [{"rule": "self < 100", "message": "too large"}]},
        "when": {"type": "string", "format": "date-time"}}});
    let document = document(&json!({"spec": spec}), &json!({}));
    Validator::read(&document).expect("the server takes it")
}

#[test]
#[cfg(not(feature = "cel"))]
fn rules_are_listed() {
    let object = object(&json!({"name": "a"}), &json!({"size": 1}), &json!({}));
    assert_eq!(
        with_rules().validate(&object).expect("it can be read").to_string(),
        "pruned: status\n\
         not checked: spec: whether it keeps its 2 rules in `x-kubernetes-validations`\n\
         not checked: spec.size: whether it keeps its rule in `x-kubernetes-validations`"
    );
}

#[test]
#[cfg(feature = "cel")]
fn rules_are_evaluated() {
    let of = |spec| {
        let object = object(&json!({"name": "a"}), &spec, &json!({}));
        let report = with_rules().validate(&object).expect("it can be read");
        assert_eq!(report.unchecked, []);
        report.causes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(of(json!({"size": 3})).is_empty());
    assert_eq!(of(json!({"size": 1})), ["spec: Invalid value: failed rule: self.size > 1"]);
    assert_eq!(of(json!({"size": 100})), ["spec.size: Invalid value: 100: too large"]);
    assert_eq!(
        of(json!({})),
        ["spec: Invalid value: \"object\": no such key: size evaluating rule: self.size > 1"]
    );
    let blocked = of(json!({"size": "1"}));
    assert!(
        blocked.len() == 2 && blocked[1].starts_with("<nil>: Invalid value: null: some"),
        "{blocked:?}"
    );
}

#[test]
#[cfg(all(feature = "cel", feature = "cli"))]
fn an_update_keeps_what_broke_a_rule() {
    let of = |spec| {
        let update = with_rules().update(&object(&json!({"name": "a"}), &spec, &json!({})));
        let update = update.expect("it can be read");
        let unchanged = update.ratcheted.into_iter().map(|own| own.unchanged.unwrap_or_default());
        (update.causes.len(), unchanged.collect::<Vec<_>>())
    };
    assert_eq!(of(json!({"size": 3})), (0, vec![]));
    assert_eq!(of(json!({"size": 1})), (0, vec!["spec".to_owned()]));
    // A rule with `oldSelf` isn't excused.
    assert_eq!(of(json!({"size": 10})), (1, vec![]));
}

#[test]
fn an_int_or_string_is_nothing_else() {
    let of = |limit| causes(&json!({"name": "a"}), &json!({"limit": limit}), &json!({}));
    assert!(of(json!(1)).is_empty() && of(json!("1")).is_empty());
    let expected = "spec.limit: Invalid value: \"boolean\": spec.limit in body must be of type integer,string: \"boolean\"";
    assert_eq!(of(json!(true)), [expected]);
}

#[test]
fn defaults_below_maps_are_pruned_before_they_are_filled_in() {
    let spec = json!({"tags": {"x": null}});
    let report = boxes()
        .validate(&object(&json!({"name": "a"}), &spec, &json!({})))
        .expect("it can be read");
    assert!(report.object.contains(r#""tags":{"x":{"a":1}}"#), "{}", report.object);
}

#[test]
fn unknown_fields_are_named() {
    let object =
        object(&json!({"name": "a", "more": 1}), &json!({"tags": {"x": {"y": 1}}}), &json!([]));
    let report = boxes().validate(&object).expect("it can be read");
    assert_eq!(report.pruned, ["metadata.more", "spec.tags.x.y"]);
    // The paths of the scale subresource lead through the list, too.
    assert_eq!(report.causes.len(), 3, "{report}");
}

#[test]
fn what_the_server_cannot_read() {
    for (object, part) in [
        ("[]", "isn't an object"),
        ("{", ""),
        (r#"{"apiVersion":"example.com/v1","kind":"Crate"}"#, "kind: `Crate`, must be Box"),
        (
            r#"{"apiVersion":"example.com/v2","kind":"Box"}"#,
            "apiVersion: `example.com/v2`, must be one of example.com/v1",
        ),
        (r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":7}"#, "metadata"),
    ] {
        let refusal = boxes().validate(object).expect_err("it can't be read").to_string();
        assert!(refusal.contains(part), "{refusal}");
    }
}

#[test]
fn a_refused_document_validates_nothing() {
    let report = Validator::read(&Json::from(&json!({"kind": "Box"}))).expect_err("no document");
    assert!(!report.accepts());
}

#[test]
fn the_rust_type_is_named() {
    let validator = Validator::of(&cron_tab()).expect("a CustomResourceDefinition");
    let object =
        r#"{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"A"},"host":1}"#;
    let report = validator.validate(object).expect("it can be read");
    let types: Vec<_> = report.causes.iter().map(|cause| cause.rust_type.as_deref()).collect();
    assert!(types.len() == 2 && types[0].is_none() && types[1].is_some(), "{report}");
}

/// What makes every update fail, and what makes it fail only if the named value changes.
#[cfg(feature = "cli")]
#[track_caller]
fn update(metadata: &Value, spec: &Value, status: &Value) -> (Vec<String>, Vec<String>) {
    let update = boxes().update(&object(metadata, spec, status)).expect("it can be read");
    let ratcheted = update.ratcheted.into_iter();
    (
        update.causes.into_iter().map(|cause| cause.field).collect(),
        ratcheted.map(|own| own.unchanged.unwrap_or_default()).collect(),
    )
}

#[test]
#[cfg(feature = "cli")]
fn an_update_keeps_what_is_unchanged() {
    let of = |spec| update(&json!({"name": "a"}), &spec, &json!({}));
    assert_eq!(of(json!({"size": 1})), (vec![], vec![]));
    // Type errors, too.
    assert_eq!(of(json!({"limit": true})), (vec![], vec!["spec.limit".to_owned()]));
    assert_eq!(of(json!({"tags": {"x": {"a": "1"}}})), (vec![], vec!["spec.tags.x.a".to_owned()]));
}

#[test]
#[cfg(feature = "cli")]
fn an_update_checks_replicas_and_metadata_again() {
    let of = |metadata, spec| update(&metadata, &spec, &json!({}));
    assert_eq!(of(json!({"name": "a"}), json!({"size": -1})), (vec![".spec.size".into()], vec![]));
    // A name was checked when the object was created, and so were finalizers.
    assert_eq!(of(json!({"name": "A", "finalizers": ["-"]}), json!({})), (vec![], vec![]));
    let labels = json!({"name": "a", "labels": {"a": "-"}});
    assert_eq!(of(labels, json!({})), (vec!["metadata.labels".into()], vec![]));
}
