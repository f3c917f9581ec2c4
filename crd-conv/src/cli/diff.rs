//! The command `diff`.

use std::{fmt::Write as _, io::Read, path::Path};

use super::{
    accept::accept,
    args::{DiffArgs, DiffCommon, DiffFormat, PlainDiffArgs},
    choice::chosen,
    ci::{Finding, Subject, junit, sarif},
    explain::mappings,
    output::Output,
    source::Sources,
    terminal::Colours,
};
use crate::{
    ResourceType,
    crd::{CrdOptions, Webhook},
    diff::{Change, DiffReport, Level, Mappings, catalog, diff_knowing, page},
    json::Json,
};

/// Compares a source with the documents that this program generates, or with another source. Uses the
/// program's mappings.
pub(super) fn run(
    resources: &[ResourceType],
    declared: Option<Webhook>,
    args: &DiffArgs,
    stdin: &mut dyn Read,
) -> Result<Output, String> {
    if let Some(kind) = &args.common.explain {
        return Ok(explained(kind));
    }
    let resources = chosen(resources, args.resource.as_deref())?;
    let is_chosen = |document: &Json| {
        resources.iter().any(|resource| resource.definition().crd_name() == resource_name(document))
    };
    let mut sources = Sources::new(&args.sources, stdin);
    let mut older = sources.read_all(&[args.common.older().to_owned()])?;
    let mut newer = match &args.newer {
        Some(source) => sources.read_all(&[source.to_owned()])?,
        None => generated(&resources, declared, args.types_only)?,
    };
    if args.resource.is_some() {
        older.retain(is_chosen);
        newer.retain(is_chosen);
    }
    let reports = compare(&older, &newer, &|document, from, to| {
        let mut resources = resources.iter();
        let resource = resources
            .find(|resource| resource.definition().crd_name() == resource_name(document))?;
        mappings(resource, from, to)
    });
    let is_everything = args.resource.is_none();
    output(reports, &args.common, args.newer.as_deref(), is_everything, sources.notes)
}

/// Compares two sources from any programs.
pub(super) fn run_plain(args: &PlainDiffArgs, stdin: &mut dyn Read) -> Result<Output, String> {
    if let Some(kind) = &args.common.explain {
        return Ok(explained(kind));
    }
    let mut sources = Sources::new(&args.sources, stdin);
    let older = sources.read_all(&[args.common.older().to_owned()])?;
    let newer = sources.read_all(&[args.newer().to_owned()])?;
    let reports = compare(&older, &newer, &|_, _, _| None);
    output(reports, &args.common, Some(args.newer()), true, sources.notes)
}

/// The first source that is a file that a viewer may have, too.
fn shown_in(sources: [Option<&Path>; 2]) -> Option<String> {
    sources.into_iter().flatten().find_map(|source| {
        let text = source.to_str()?;
        match text.strip_prefix("git:") {
            Some(object) => object.split_once(':').map(|(_, file)| file.to_owned()),
            None => source.is_file().then(|| text.to_owned()),
        }
    })
}

/// The catalog's entry. The command line accepts only words that it has.
fn explained(kind: &str) -> Output {
    let stdout = page::kind(kind).map(page::explained).unwrap_or_default();
    Output { stdout, colours: Colours::Report, ..Output::default() }
}

fn generated(
    resources: &[&ResourceType],
    declared: Option<Webhook>,
    types_only: bool,
) -> Result<Vec<Json>, String> {
    // Only the existence of the webhook is compared.
    let webhook = declared.or_else(|| (!types_only).then(Webhook::anywhere));
    let options = CrdOptions { webhook, types_only, ..CrdOptions::new() };
    let all = resources.iter().map(|resource| {
        resource.crd(&options).map(|crd| crd.to_tree()).map_err(|error| error.to_string())
    });
    all.collect()
}

/// The rules between two versions of a document's resource.
type Known<'a> = dyn Fn(&Json, &str, &str) -> Option<Mappings> + 'a;

/// The `metadata.name` of a document, which names the resource.
fn resource_name(document: &Json) -> &str {
    let name = document.member("metadata").and_then(|metadata| metadata.member("name"));
    name.and_then(Json::as_str).unwrap_or_default()
}

/// Pairs the documents by name. First come those in both files, then those in only one.
fn compare(older: &[Json], newer: &[Json], mappings: &Known<'_>) -> Vec<DiffReport> {
    let mut reports = Vec::new();
    let of_name =
        |all: &'_ [Json], wanted| all.iter().position(|document| resource_name(document) == wanted);
    for old in older {
        let new = of_name(newer, resource_name(old)).map(|place| &newer[place]);
        reports.push(match new {
            Some(new) => diff_knowing(old, new, &|from, to| mappings(new, from, to)),
            None => alone(old, catalog::resource_removed()),
        });
    }
    for new in newer.iter().filter(|new| of_name(older, resource_name(new)).is_none()) {
        reports.push(alone(new, catalog::resource_added()));
    }
    reports
}

fn alone(document: &Json, change: Change) -> DiffReport {
    DiffReport { name: resource_name(document).to_owned(), changes: vec![change] }
}

/// Accepts changes, and writes what is found. If `is_everything` is false, only some of the resources
/// were compared.
fn output(
    mut reports: Vec<DiffReport>,
    args: &DiffCommon,
    newer: Option<&Path>,
    is_everything: bool,
    mut notes: String,
) -> Result<Output, String> {
    if let Some(file) = &args.accept {
        notes += &accept(&mut reports, file, is_everything)?;
    }
    let file = shown_in([newer, Some(args.older())]);
    let deny = args.deny;
    let subjects = || {
        let subjects = reports.iter().map(|report| subject(report, file.as_deref(), deny));
        subjects.collect::<Vec<_>>()
    };
    let stdout = match args.format {
        DiffFormat::Text => reports.iter().fold(String::new(), |text, report| {
            let report = report.to_string();
            text + &report + "\n"
        }),
        DiffFormat::Json => {
            serde_json::to_string_pretty(&reports).map_err(|error| error.to_string())? + "\n"
        }
        DiffFormat::Markdown => reports.iter().map(markdown).collect::<Vec<_>>().join("\n"),
        DiffFormat::Junit => junit("diff", &subjects()),
        DiffFormat::Sarif => sarif(&subjects(), |kind| page::kind(kind).map(page::explained))?,
    };
    let denied: usize = Level::ALL
        .into_iter()
        .filter(|level| *level >= deny)
        .flat_map(|level| reports.iter().map(move |report| report.count(level)))
        .sum();
    let denial = match denied {
        0 => String::new(),
        1 => format!("error: 1 change is {}\n", at_least(deny)),
        all => format!("error: {all} changes are {}\n", at_least(deny)),
    };
    let colours = match args.format {
        DiffFormat::Text => Colours::Report,
        _ => Colours::None,
    };
    Ok(Output { code: u8::from(denied > 0), stdout, stderr: notes + &denial, colours })
}

fn subject(report: &DiffReport, file: Option<&str>, deny: Level) -> Subject {
    let findings = report.changes.iter().map(|change| {
        let Change { level, kind, version, path, what, remedy, accepted, .. } = change;
        let remedy = if remedy.is_empty() { String::new() } else { format!("; {remedy}") };
        let accepted = accepted.as_ref().map(ToString::to_string);
        Finding {
            rule: (*kind).to_owned(),
            level: match level {
                Level::Breaking => "error",
                Level::Risky => "warning",
                Level::Safe => "note",
            },
            fails: *level >= deny && accepted.is_none(),
            place: format!("{version} {path}").trim().to_owned(),
            message: format!("{level}: {what}{remedy}"),
            accepted,
        }
    });
    Subject {
        name: report.name.clone(),
        file: file.map(str::to_owned),
        findings: findings.collect(),
    }
}

fn at_least(level: Level) -> String {
    match level {
        Level::Breaking => level.to_string(),
        _ => format!("{level} or worse"),
    }
}

/// A table for the summary of a job, or for a comment on a pull request.
fn markdown(report: &DiffReport) -> String {
    let mut out = format!("### `{}`\n\n", report.name);
    if report.changes.is_empty() {
        return out + "No changes.\n";
    }
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    out += "| | version | field | change |\n|---|---|---|---|\n";
    for Change { level, version, path, what, remedy, accepted, .. } in &report.changes {
        let (level, remedy) = match (level, accepted) {
            (level, Some(accepted)) => (format!("{level}, accepted"), &accepted.to_string()),
            (Level::Breaking, None) => (format!("**{level}**"), remedy),
            (level, None) => (level.to_string(), remedy),
        };
        let path = if path.is_empty() { String::new() } else { format!("`{}`", cell(path)) };
        let remedy = if remedy.is_empty() { String::new() } else { format!("; {}", cell(remedy)) };
        // Writing to a string doesn't fail.
        let _ = writeln!(out, "| {level} | {version} | {path} | {}{remedy} |", cell(what));
    }
    out
}
