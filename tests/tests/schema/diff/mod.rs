//! What a change of a CustomResourceDefinition means.

mod around;
mod drawn;
mod fields;
mod neutral;

use crd_conv::{
    diff::{DiffReport, Level, diff},
    schema::Json,
};
use serde_json::{Value, json};

/// A document whose versions have the field `.spec.a` with this schema.
pub(super) fn document(a: &Value) -> Value {
    with_spec(&json!({"type": "object", "properties": {"a": a}}))
}

pub(super) fn with_spec(spec: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"plural": "boxes", "kind": "Box", "listKind": "BoxList", "singular": "box"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}}],
        },
    })
}

pub(super) fn compare(older: &Value, newer: &Value) -> DiffReport {
    diff(&Json::from(older), &Json::from(newer))
}

pub(super) fn changes(report: &DiffReport) -> Vec<(Level, &str, &str)> {
    report.changes.iter().map(|change| (change.level, &*change.path, change.kind)).collect()
}
