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
