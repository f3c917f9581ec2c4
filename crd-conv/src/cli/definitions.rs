//! Finds CustomResourceDefinitions in a text.

use serde_json::Value;

use super::input;
use super::listed::Document;
use crate::json::Json;

/// Reads the CustomResourceDefinitions in a text. There is an error for each document that can't be
/// read. Messages have the name of its file.
pub(super) fn of_bytes(name: &str, bytes: &[u8]) -> Vec<Result<Json, String>> {
    let mut all = Vec::new();
    for document in input::each_document(bytes) {
        let mut found = Vec::new();
        let read = document.and_then(|document| {
            if let Some(what) = of_kustomize(&parsed(&document)?) {
                return Err(format!("it is {what}: pass on the output of `kubectl kustomize`"));
            }
            collect(&document, &mut found)
        });
        all.extend(found.into_iter().map(Ok));
        all.extend(read.err().map(|error| Err(format!("`{name}`: {error}"))));
    }
    all
}

/// Describes a document that is only an input for kustomize, such as a patch.
fn of_kustomize(document: &Value) -> Option<&'static str> {
    let has = |value: &Value, name: &str| value.get(name).is_some();
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    match document {
        Value::Array(operations) if !operations.is_empty() => {
            let are = operations.iter().all(|each| has(each, "op") && has(each, "path"));
            are.then_some("a JSON patch")
        }
        Value::Object(_) if kind == "Kustomization" => Some("a Kustomization"),
        Value::Object(_) if kind == "CustomResourceDefinition" => {
            // A patch lacks the members that every CustomResourceDefinition has, and has others.
            let is_patch = match document.get("spec") {
                Some(spec) => {
                    spec.as_object().is_some_and(|members| !members.is_empty())
                        && !["group", "names", "versions"].iter().any(|name| has(spec, name))
                }
                None => document.get("metadata").is_some_and(|metadata| {
                    has(metadata, "annotations") || has(metadata, "labels")
                }),
            };
            is_patch.then_some("a patch of a CustomResourceDefinition")
        }
        _ => None,
    }
}

/// Collects definitions, also inside lists and arrays.
fn collect(document: &str, all: &mut Vec<Json>) -> Result<(), String> {
    if let Ok(Document::List(list)) = Document::read(document, &[]) {
        return list.items.iter().try_for_each(|item| collect(&item.json, all));
    }
    let document = parsed(document)?;
    if document.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition") {
        all.push(Json::from(&document));
    }
    Ok(())
}

fn parsed(document: &str) -> Result<Value, String> {
    serde_json::from_str(document).map_err(|error| format!("the input isn't JSON: {error}"))
}
