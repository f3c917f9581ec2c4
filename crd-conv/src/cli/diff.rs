//! The command `diff`.

use std::{fmt::Write as _, io::Read, path::Path};

use super::{
    accept::accept,
    args::{DiffArgs, DiffCommon, DiffFormat, PlainDiffArgs},
    choice::chosen,
    definitions::definitions,
    explain::mappings,
    output::Output,
    terminal::Colours,
};
use crate::{
    ResourceType,
    crd::{CrdOptions, Webhook},
    diff::{Change, DiffReport, Level, Mappings, catalog, diff_knowing, page},
    json::Json,
};

/// Compares files with the documents that this program generates, or with each other. Uses the
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
    let mut notes = String::new();
    let mut older = read(args.common.older.as_deref(), stdin, &mut notes)?;
    let mut newer = match &args.newer {
        Some(file) => read(Some(file), stdin, &mut notes)?,
        None => generated(&resources, declared, args.types_only)?,
    };
    if args.resource.is_some() {
        older.retain(is_chosen);
        newer.retain(is_chosen);
    }
    let mut reports = compare(&older, &newer, &|document, from, to| {
        let mut resources = resources.iter();
        let resource = resources
            .find(|resource| resource.definition().crd_name() == resource_name(document))?;
        mappings(resource, from, to)
    });
    if let Some(file) = &args.common.accept {
        notes += &accept(&mut reports, file, args.resource.is_none())?;
    }
    output(&reports, &args.common, notes)
}

/// Compares two files from any programs.
pub(super) fn run_plain(args: &PlainDiffArgs, stdin: &mut dyn Read) -> Result<Output, String> {
    if let Some(kind) = &args.common.explain {
        return Ok(explained(kind));
    }
    let mut notes = String::new();
    let older = read(args.common.older.as_deref(), stdin, &mut notes)?;
    let newer = read(args.newer.as_deref(), stdin, &mut notes)?;
    let mut reports = compare(&older, &newer, &|_, _, _| None);
    if let Some(file) = &args.common.accept {
        notes += &accept(&mut reports, file, true)?;
    }
    output(&reports, &args.common, notes)
}

/// The catalog's entry. The command line accepts only words that it has.
fn explained(kind: &str) -> Output {
    let stdout = page::kinds().filter(|known| known.id == kind).map(page::explained).collect();
    Output { stdout, colours: Colours::Report, ..Output::default() }
}

/// The command line requires the file, unless nothing is compared.
fn read(
    file: Option<&Path>,
    stdin: &mut dyn Read,
    notes: &mut String,
) -> Result<Vec<Json>, String> {
    let file = file.unwrap_or(Path::new("-"));
    let found = definitions(&[file.to_owned()], stdin)?;
    *notes += &found.notes;
    Ok(found.by_file.iter().flat_map(|(_, documents)| documents).map(Json::from).collect())
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

fn output(reports: &[DiffReport], args: &DiffCommon, notes: String) -> Result<Output, String> {
    let deny = args.deny;
    let stdout = match args.format {
        DiffFormat::Text => reports.iter().fold(String::new(), |text, report| {
            let report = report.to_string();
            text + &report + "\n"
        }),
        DiffFormat::Json => {
            serde_json::to_string_pretty(reports).map_err(|error| error.to_string())? + "\n"
        }
        DiffFormat::Markdown => reports.iter().map(markdown).collect::<Vec<_>>().join("\n"),
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
        DiffFormat::Json | DiffFormat::Markdown => Colours::None,
    };
    Ok(Output { code: u8::from(denied > 0), stdout, stderr: notes + &denial, colours })
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
