//! The command `verify`.

use std::{fmt::Write as _, io::Read};

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
    let mut reports = Vec::new();
    let mut unread = Vec::new();
    for Source { name, documents } in sources.read(&args.files)? {
        for document in documents {
            match document {
                Ok(document) => reports.push((name.clone(), verify(&document))),
                Err(error) => unread.push((name.clone(), error)),
            }
        }
    }
    let mut stderr = sources.notes;
    for (_, error) in &unread {
        // Writing to a string doesn't fail.
        let _ = writeln!(stderr, "error: {error}");
    }
    let each = || reports.iter().map(|(file, report)| (file.as_str(), report));
    let subjects = || {
        let read = each().map(|(file, report)| subject(file, report, args.strict));
        read.chain(unread.iter().map(|(file, error)| unreadable(file, error))).collect::<Vec<_>>()
    };
    let stdout = match args.format {
        VerifyFormat::Text => each().fold(String::new(), |text, (_, report)| {
            text + &if args.verbose { format!("{report:#}\n") } else { format!("{report}\n") }
        }),
        VerifyFormat::Json => {
            let read = each().map(|(file, report)| verdict(file, report));
            let not_read = unread.iter().map(|(file, error)| Verdict {
                file: file.clone(),
                error: Some(error.clone()),
                ..Verdict::default()
            });
            let verdicts: Vec<_> = read.chain(not_read).collect();
            serde_json::to_string_pretty(&verdicts).map_err(|error| error.to_string())? + "\n"
        }
        VerifyFormat::Junit => junit("verify", &subjects()),
        VerifyFormat::Sarif => sarif(&subjects(), |_| None)?,
    };
    let refused = each().filter(|(_, report)| !report.accepts()).count();
    let doubted = each().filter(|(_, report)| !report.is_beyond_doubt()).count();
    let colours = match args.format {
        VerifyFormat::Text => Colours::Report,
        _ => Colours::None,
    };
    let all = reports.len();
    if refused > 0 {
        let _ = writeln!(
            stderr,
            "error: the API server refuses {refused} of {all} CustomResourceDefinitions"
        );
    } else if args.strict && doubted > 0 {
        let _ = writeln!(stderr, "error: {doubted} of {all} CustomResourceDefinitions {STRICT}");
    }
    let fails = refused > 0 || args.strict && doubted > 0 || !unread.is_empty();
    Ok(Output { code: u8::from(fails), stdout, stderr, colours })
}

/// The verdict about a CustomResourceDefinition, for programs.
#[derive(Default, Serialize)]
struct Verdict {
    file: String,
    /// Why the document can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
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
        error: None,
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
    Subject { name: report.name.clone(), file: shown(file), findings: findings.collect() }
}

/// A document that can't be read.
fn unreadable(file: &str, error: &str) -> Subject {
    let finding = Finding {
        rule: "unreadable".to_owned(),
        level: "error",
        fails: true,
        place: String::new(),
        message: error.to_owned(),
        accepted: None,
    };
    Subject { name: file.to_owned(), file: shown(file), findings: vec![finding] }
}

/// A file that a viewer may have, too.
fn shown(file: &str) -> Option<String> {
    (file != "-").then(|| file.to_owned())
}
