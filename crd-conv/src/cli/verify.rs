//! `verify`.

use std::{fmt::Write, io::Read};

use serde_json::Value;

use super::{
    args::VerifyArgs,
    input::{self, read},
    output::Output,
};
use crate::{
    json::Json,
    verify::{Report, verify},
};

pub(super) fn run(args: &VerifyArgs, stdin: &mut dyn Read) -> Result<Output, String> {
    let mut stdout = String::new();
    let mut reports = Vec::new();
    for file in &args.files {
        let bytes = read(Some(file), stdin)?;
        let name = file.display();
        let documents = input::documents(&bytes).map_err(|error| format!("`{name}`: {error}"))?.0;
        let before = reports.len();
        for document in documents {
            let document = serde_json::from_str(&document)
                .map_err(|error| format!("`{name}`: the input isn't JSON: {error}"))?;
            if let Some(what) = of_kustomize(&document) {
                return Err(format!(
                    "`{name}` is {what}: pass on what `kubectl kustomize` makes of it"
                ));
            }
            collect(&document, &mut reports);
        }
        if reports.len() == before {
            return Err(format!("`{name}` holds no CustomResourceDefinition"));
        }
        for report in &reports[before..] {
            // Writing to a string doesn't fail.
            let _ = if args.verbose {
                writeln!(stdout, "{report:#}")
            } else {
                writeln!(stdout, "{report}")
            };
        }
    }
    let refused = reports.iter().filter(|report| !report.accepts()).count();
    if refused == 0 {
        return Ok(Output::from(stdout));
    }
    let all = reports.len();
    let stderr =
        format!("error: the API server refuses {refused} of {all} CustomResourceDefinitions\n");
    Ok(Output { code: 1, stdout, stderr })
}

/// What a document is that only says how kustomize makes others.
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
            // A patch leaves out what every CustomResourceDefinition has, and has something else.
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

/// Goes through lists too.
fn collect(document: &Value, reports: &mut Vec<Report>) {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind == "CustomResourceDefinition" {
        reports.push(verify(&Json::from(document)));
    } else if kind.ends_with("List") {
        let items = document.get("items").and_then(Value::as_array);
        for item in items.into_iter().flatten() {
            collect(item, reports);
        }
    }
}
