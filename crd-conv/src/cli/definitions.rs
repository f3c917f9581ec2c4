//! Reads CustomResourceDefinitions from files.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::input;

/// The CustomResourceDefinitions in the files.
pub(super) struct Definitions {
    pub(super) by_file: Vec<(PathBuf, Vec<Value>)>,
    /// A line about the folders that weren't read, if there are any.
    pub(super) notes: String,
}

/// Reads the CustomResourceDefinitions in files and in the files of folders, also inside lists.
/// Returns them by file. Skips documents of other kinds.
pub(super) fn definitions(files: &[PathBuf], stdin: &mut dyn Read) -> Result<Definitions, String> {
    let mut all = Vec::new();
    let files = input::with_folders(files)?;
    for (argument, files_of_it) in &files.by_argument {
        let before = all.len();
        for file in files_of_it {
            all.push((file.clone(), of_file(file, stdin)?));
        }
        if all[before..].iter().all(|(_, definitions)| definitions.is_empty()) {
            return Err(files
                .missing(format!("`{}` holds no CustomResourceDefinition", argument.display())));
        }
    }
    Ok(Definitions { by_file: all, notes: files.note() })
}

fn of_file(file: &Path, stdin: &mut dyn Read) -> Result<Vec<Value>, String> {
    of_bytes(&file.display().to_string(), &input::read(Some(file), stdin)?)
}

/// Reads the CustomResourceDefinitions in a text. Messages have the name of its file.
pub(super) fn of_bytes(name: &str, bytes: &[u8]) -> Result<Vec<Value>, String> {
    let documents = input::documents(bytes).map_err(|error| format!("`{name}`: {error}"))?.0;
    let mut all = Vec::new();
    for document in documents {
        let document = serde_json::from_str(&document)
            .map_err(|error| format!("`{name}`: the input isn't JSON: {error}"))?;
        if let Some(what) = of_kustomize(&document) {
            return Err(format!("`{name}` is {what}: pass on the output of `kubectl kustomize`"));
        }
        collect(document, &mut all);
    }
    Ok(all)
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

/// Collects definitions, also inside lists.
fn collect(document: Value, all: &mut Vec<Value>) {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind == "CustomResourceDefinition" {
        all.push(document);
    } else if kind.ends_with("List")
        && let Some(Value::Array(items)) = document.get("items").cloned()
    {
        for item in items {
            collect(item, all);
        }
    }
}
