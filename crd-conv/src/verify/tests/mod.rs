//! One small document for each rule, and the whole of a report.

mod cel;
#[cfg(feature = "cel")]
mod costs;
mod document;
mod schema;
mod warnings;

use serde_json::{Value, json};

use super::{VerificationReport, verify};
use crate::json::Json;

/// A document that the server takes.
fn good() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "boxes", "kind": "Box"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
                    "type": "object", "properties": {"size": {"type": "integer"}, "name": {"type": "string"}},
                }}}},
            }],
        },
    })
}

fn report(document: &Value) -> VerificationReport {
    verify(&Json::from(document))
}

/// Sets a place of a document; objects on the way are made.
fn set(document: &mut Value, pointer: &str, value: Value) {
    let mut place = document;
    for name in pointer.split('/').skip(1) {
        let name = name.replace("~1", "/");
        place = match place {
            Value::Array(items) => {
                let index: usize = name.parse().expect("an index");
                if index == items.len() {
                    items.push(json!({}));
                }
                &mut items[index]
            }
            Value::Object(members) => members.entry(name).or_insert_with(|| json!({})),
            other => panic!("{other} holds no `{name}`"),
        };
    }
    *place = value;
}

fn with(changes: &[(&str, Value)]) -> VerificationReport {
    let mut document = good();
    for (pointer, value) in changes {
        set(&mut document, pointer, value.clone());
    }
    report(&document)
}

const SPEC: &str = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
const SPEC_PATH: &str = "spec.versions[0].schema.openAPIV3Schema.properties[spec]";

/// The report about a field `a` with this schema.
fn field(schema: &Value) -> VerificationReport {
    with(&[(&format!("{SPEC}/properties/a"), schema.clone())])
}

/// The violations about a field `a`, with their paths from there.
fn refusals(schema: &Value) -> Vec<String> {
    let start = format!("{SPEC_PATH}.properties[a]");
    let report = field(schema);
    report
        .violations
        .iter()
        .map(|violation| violation.to_string().replacen(&start, "a", 1))
        .collect()
}

fn warnings(report: &VerificationReport) -> Vec<String> {
    report.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn the_good_document_is_good() {
    assert_eq!(report(&good()).to_string(), "boxes.example.com: the API server accepts it");
}

#[test]
fn a_report_says_everything_at_once() {
    let report = with(&[
        ("/spec/group", json!("example")),
        ("/spec/names/shortNames", json!(["B"])),
        ("/spec/versions/0/storage", json!(false)),
        (
            "/spec/versions/0/subresources",
            json!({"status": {}, "scale": {"specReplicasPath": ".spec.count", "statusReplicasPath": "status.replicas"}}),
        ),
        ("/spec/versions/0/schema/openAPIV3Schema/minProperties", json!(1)),
        (&format!("{SPEC}/properties/size"), json!({"type": "int", "const": 1})),
        (
            &format!("{SPEC}/properties/ports"),
            json!({"type": "array", "x-kubernetes-list-type": "map", "items": {"type": "object"}}),
        ),
        (
            &format!("{SPEC}/x-kubernetes-validations"),
            json!([{"rule": "self.size > 0"}, {"rule": "self.size >"}]),
        ),
    ]);
    let text = format!("{report}\n");
    if std::env::var_os("BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/verify/tests/broken.txt");
        std::fs::write(file, &text).expect("the file can be written");
    }
    assert_eq!(text, include_str!("broken.txt"));
}
