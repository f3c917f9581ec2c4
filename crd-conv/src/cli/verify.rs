//! The command `verify`.

use std::io::Read;

use serde::Serialize;

use super::{
    args::{VerifyArgs, VerifyFormat},
    ci::{Finding, Subject, junit, sarif},
    output::Output,
    source::{Found as Source, Sources},
    terminal::Colours,
};
use crate::verify::{VerificationReport, verify};

/// What `--strict` doesn't allow.
pub(super) const STRICT: &str =
    "have warnings, or parts that weren't checked, which `--strict` doesn't allow";

pub(super) fn run(args: &VerifyArgs, stdin: &mut dyn Read) -> Result<Output, String> {
    let mut sources = Sources::new(&args.sources, stdin);
    let mut files = Vec::new();
    let mut reports = Vec::new();
    for Source { name, documents } in sources.read(&args.files)? {
        files.extend(documents.iter().map(|_| name.clone()));
        reports.extend(documents.iter().map(verify));
    }
    let notes = sources.notes;
    let each = || files.iter().zip(&reports);
    let subjects = || each().map(|(file, report)| subject(file, report, args.strict));
    let stdout = match args.format {
        VerifyFormat::Text => each().fold(String::new(), |text, (_, report)| {
            text + &if args.verbose { format!("{report:#}\n") } else { format!("{report}\n") }
        }),
        VerifyFormat::Json => {
            let verdicts: Vec<_> = each().map(|(file, report)| verdict(file, report)).collect();
            serde_json::to_string_pretty(&verdicts).map_err(|error| error.to_string())? + "\n"
        }
        VerifyFormat::Junit => junit("verify", &subjects().collect::<Vec<_>>()),
        VerifyFormat::Sarif => sarif(&subjects().collect::<Vec<_>>(), |_| None)?,
    };
    let refused = reports.iter().filter(|report| !report.accepts()).count();
    let doubted = reports.iter().filter(|report| !report.is_beyond_doubt()).count();
    let colours = match args.format {
        VerifyFormat::Text => Colours::Report,
        _ => Colours::None,
    };
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

fn verdict(file: &str, report: &VerificationReport) -> Verdict {
    let found = |path: &String, kind: Option<String>, problem: &String| Found {
        path: path.clone(),
        kind,
        problem: problem.clone(),
    };
    let violations = report.violations.iter();
    let warnings = report.warnings.iter();
    let unchecked = report.unchecked.iter();
    Verdict {
        file: file.to_owned(),
        name: report.name.clone(),
        accepted: report.accepts(),
        violations: violations
            .map(|each| found(&each.path, Some(each.kind.to_string()), &each.problem))
            .collect(),
        warnings: warnings.map(|each| found(&each.path, None, &each.problem)).collect(),
        unchecked: unchecked.map(|each| found(&each.path, None, &each.what)).collect(),
    }
}

fn subject(file: &str, report: &VerificationReport, is_strict: bool) -> Subject {
    let finding = |rule: String, level, path: &String, message: &String| Finding {
        rule,
        level,
        fails: level == "error" || is_strict,
        place: path.clone(),
        message: message.clone(),
        accepted: None,
    };
    let violations = report.violations.iter();
    let warnings = report.warnings.iter();
    let unchecked = report.unchecked.iter();
    let findings = violations
        .map(|each| finding(each.kind.to_string(), "error", &each.path, &each.problem))
        .chain(
            warnings
                .map(|each| finding("warning".to_owned(), "warning", &each.path, &each.problem)),
        )
        .chain(
            unchecked.map(|each| finding("not checked".to_owned(), "note", &each.path, &each.what)),
        );
    let is_file = file != "-";
    Subject {
        name: report.name.clone(),
        file: is_file.then(|| file.to_owned()),
        findings: findings.collect(),
    }
}
