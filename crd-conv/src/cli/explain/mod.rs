//! The command `explain`.

mod render;

use std::{collections::BTreeSet, path::Path};

use serde::Serialize;

use super::{
    args::{ExplainArgs, ExplainFormat},
    choice::chosen,
    files::{check, write},
    hints::hints,
    output::Output,
    status,
};
use crate::{
    ResourceType,
    definition::Definition,
    diff::{self, Mappings},
    explanation::{self, AsAbove, Mapping},
};

/// The mapping of a resource's fields between its versions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Explanation {
    group: &'static str,
    kind: &'static str,
    versions: Vec<&'static str>,
    hops: Vec<Hop>,
    /// Where values kept for the status are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    notes: Vec<String>,
}

/// Two neighboring versions. Without rows they are the same.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Hop {
    older: &'static str,
    newer: &'static str,
    rows: Vec<Row>,
}

/// The texts of a row.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    older: Vec<String>,
    newer: Vec<String>,
    mapping: Vec<String>,
    kept_in: Vec<String>,
    /// The group of mappings, which readers tell apart at a glance.
    #[serde(skip)]
    class: &'static str,
    /// Whether only fields inside this one change.
    #[serde(skip)]
    is_kept: bool,
}

impl Hop {
    fn new(explained: &explanation::Hop) -> Self {
        let explanation::Hop { older, newer, rows } = explained;
        let rows = rows.iter().map(|row| Row {
            older: row.older.iter().map(ToString::to_string).collect(),
            newer: row.newer.iter().map(ToString::to_string).collect(),
            mapping: row.words([older, newer]),
            kept_in: row.annotations.clone(),
            class: row.mapping.word(),
            is_kept: row.mapping == Mapping::Kept,
        });
        Self { older, newer, rows: rows.collect() }
    }
}

/// Runs the command. `columns` is the terminal's width, if the text is for a terminal.
pub(super) fn run(
    resources: &[ResourceType],
    args: &ExplainArgs,
    columns: Option<usize>,
) -> Result<Output, String> {
    let all: Result<Vec<_>, String> = chosen(resources, args.resource.as_deref())?
        .into_iter()
        .map(|resource| explain(resource, args))
        .collect();
    let file = args.check.as_deref().or(args.write.as_deref());
    let text = match args.format.or_else(|| by_ending(file?)).unwrap_or_default() {
        ExplainFormat::Text => render::text(&all?, columns.filter(|_| file.is_none())),
        ExplainFormat::Json => render::json(&all?)?,
        ExplainFormat::Markdown => render::markdown(&all?),
        ExplainFormat::Mermaid => render::mermaid(&all?),
        ExplainFormat::Html => render::html(&all?),
    };
    if let Some(file) = &args.check {
        check(file, &text, |_| None, |found| no_longer_read(found, &text))
    } else if let Some(file) = &args.write {
        write(file, &text)
    } else {
        Ok(Output::from(text))
    }
}

fn by_ending(file: &Path) -> Option<ExplainFormat> {
    match file.extension()?.to_str()? {
        "json" => Some(ExplainFormat::Json),
        "md" => Some(ExplainFormat::Markdown),
        "mmd" => Some(ExplainFormat::Mermaid),
        "html" => Some(ExplainFormat::Html),
        _ => None,
    }
}

/// The annotations that an earlier explanation lists and this one doesn't.
fn no_longer_read(before: &str, now: &str) -> String {
    let keys = |text| annotations(text).collect::<BTreeSet<&str>>();
    let gone: Vec<_> = keys(before).difference(&keys(now)).map(|key| format!("`{key}`")).collect();
    if gone.is_empty() {
        return String::new();
    }
    format!(
        "error: objects may keep values in {}, which this program no longer reads; see \"Across releases\" in the guide to the carrier\n",
        gone.join(", ")
    )
}

/// The annotations in an explanation of any format.
fn annotations(text: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let words = text.split(move |c| !is_of_name(c));
    words.filter(|word| word.starts_with("conversion.") && word.contains('/'))
}

/// The annotations that conversions between the versions of a resource may write.
pub(super) fn annotation_keys(resource: &ResourceType) -> BTreeSet<String> {
    let rows = resource.explanation().into_iter().flat_map(|hop| hop.rows);
    rows.flat_map(|row| row.annotations).collect()
}

/// The mappings of fields between two versions, hop after hop. Leaves out fields that are only
/// kept. Returns `None` if the resource lacks one of the versions.
pub(super) fn mappings(resource: &ResourceType, from: &str, to: &str) -> Option<Mappings> {
    let mut mappings = Mappings::default();
    for hop in between(resource, Some(from), Some(to)).ok()? {
        for row in &hop.rows {
            if let Some(AsAbove { places, above }) = &row.as_above {
                let again = places.iter().zip(above);
                mappings
                    .as_above
                    .extend(again.map(|(place, above)| (place.in_schema(), above.in_schema())));
            }
            if row.mapping == Mapping::Kept {
                continue;
            }
            let values = row.older.iter().chain(&row.newer);
            let paths = values.map(|value| value.path.in_schema()).collect();
            let mut how = row.words([hop.older, hop.newer]).join(", ");
            if let Some(annotation) = row.annotations.first() {
                how = format!("{how}, kept in `{annotation}`");
            }
            mappings.rules.push(diff::Mapping { paths, how });
        }
    }
    Some(mappings)
}

/// The hops between two versions. The defaults are the oldest and the newest version.
fn between(
    resource: &ResourceType,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<Vec<explanation::Hop>, String> {
    let Definition { group, kind, versions, .. } = resource.definition();
    let names: Vec<_> = versions.iter().map(|version| version.name).collect();
    let place = |name: Option<&str>, default: usize| match name {
        None => Ok(default),
        Some(name) => {
            let name = name.strip_prefix(&format!("{group}/")).unwrap_or(name);
            names.iter().position(|own| *own == name).ok_or_else(|| {
                format!("{kind} in {group} has no version `{name}`; it has {}", names.join(", "))
            })
        }
    };
    let (from, to) = (place(from, 0)?, place(to, names.len().saturating_sub(1))?);
    let versions = versions.get(from.min(to)..=from.max(to)).unwrap_or_default();
    Ok(explanation::explain(group, versions))
}

fn explain(resource: &ResourceType, args: &ExplainArgs) -> Result<Explanation, String> {
    let definition = resource.definition();
    let Definition { group, kind, versions, .. } = definition;
    let hops = between(resource, args.from.as_deref(), args.to.as_deref())?;
    let mut notes = hints(definition);
    notes.extend(status::notes(resource));
    Ok(Explanation {
        group,
        kind,
        versions: versions.iter().map(|version| version.name).collect(),
        hops: hops.iter().map(Hop::new).collect(),
        status: status::place(resource),
        notes,
    })
}
