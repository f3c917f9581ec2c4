//! The command `verify`.

use std::{fmt::Write, io::Read};

use serde::Serialize;

use super::{
    args::{ReportFormat, VerifyArgs},
    definitions::{Definitions, definitions},
    output::Output,
};
use crate::{
    json::Json,
    verify::{VerificationReport, verify},
};

/// What `--strict` doesn't allow.
pub(super) const STRICT: &str =
    "have warnings, or parts that weren't checked, which `--strict` doesn't allow";

pub(super) fn run(args: &VerifyArgs, stdin: &mut dyn Read) -> Result<Output, String> {
    let mut stdout = String::new();
    let mut reports = Vec::new();
    let mut verdicts = Vec::new();
    let Definitions { by_file, notes } = definitions(&args.files, stdin)?;
    for (file, documents) in by_file {
        let name = file.display();
        let before = reports.len();
        reports.extend(documents.iter().map(|document| verify(&Json::from(document))));
        for report in &reports[before..] {
            if let ReportFormat::Json = args.format {
                verdicts.push(verdict(name.to_string(), report));
                continue;
            }
            // Writing to a string doesn't fail.
            let _ = if args.verbose {
                writeln!(stdout, "{report:#}")
            } else {
                writeln!(stdout, "{report}")
            };
        }
    }
    if let ReportFormat::Json = args.format {
        stdout = serde_json::to_string_pretty(&verdicts).map_err(|error| error.to_string())? + "\n";
    }
    let refused = reports.iter().filter(|report| !report.accepts()).count();
    let doubted = reports.iter().filter(|report| !report.is_beyond_doubt()).count();
    let colours = args.format.colours();
    let all = reports.len();
    let error = if refused > 0 {
        format!("the API server refuses {refused} of {all} CustomResourceDefinitions")
    } else if args.strict && doubted > 0 {
        format!("{doubted} of {all} CustomResourceDefinitions {STRICT}")
    } else {
        return Ok(Output { stdout, stderr: notes, colours, ..Output::default() });
    };
    Ok(Output { code: 1, stdout, stderr: format!("{notes}error: {error}\n"), colours })
}

/// The verdict about a CustomResourceDefinition, for programs.
#[derive(Serialize)]
struct Verdict {
    file: String,
    /// The definition's `metadata.name`.
    name: String,
    accepted: bool,
    violations: Vec<Found>,
    warnings: Vec<Found>,
    unchecked: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    path: String,
    /// The API server's kind of error.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    problem: String,
}

fn verdict(file: String, report: &VerificationReport) -> Verdict {
    let found = |path: &String, kind: Option<String>, problem: &String| Found {
        path: path.clone(),
        kind,
        problem: problem.clone(),
    };
    let violations = report.violations.iter();
    let warnings = report.warnings.iter();
    let unchecked = report.unchecked.iter();
    Verdict {
        file,
        name: report.name.clone(),
        accepted: report.accepts(),
        violations: violations
            .map(|each| found(&each.path, Some(each.kind.to_string()), &each.problem))
            .collect(),
        warnings: warnings.map(|each| found(&each.path, None, &each.problem)).collect(),
        unchecked: unchecked.map(|each| found(&each.path, None, &each.what)).collect(),
    }
}
