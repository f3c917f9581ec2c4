//! `explain`.

mod render;
mod walk;

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
    Resource,
    definition::Definition,
    diff::{Mapping, Mappings},
};

/// What becomes of the fields of a resource between its versions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Explanation {
    group: &'static str,
    kind: &'static str,
    versions: Vec<&'static str>,
    hops: Vec<Hop>,
    /// Where stands what is kept of the status.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    notes: Vec<String>,
}

/// Two neighbouring versions. Without rows they are the same.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Hop {
    older: &'static str,
    newer: &'static str,
    rows: Vec<Row>,
}

/// A field, or a group of fields that a converter converts.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    /// Where it stands in the older version, with its type.
    older: Vec<String>,
    /// Where it stands in the newer one.
    newer: Vec<String>,
    mapping: Vec<String>,
    /// The annotations in which is kept what the other version can't say.
    kept_in: Vec<String>,
    /// If the type is inside of itself here, in both versions.
    #[serde(skip)]
    as_above: Vec<AsAbove>,
}

/// A place where the same is mapped as at a place around it.
#[derive(Debug)]
struct AsAbove {
    place: String,
    above: String,
}

impl Row {
    fn new(older: impl Into<String>, newer: impl Into<String>, mapping: impl Into<String>) -> Self {
        let cell = |text: String| if text.is_empty() { Vec::new() } else { vec![text] };
        let mapping = vec![mapping.into()];
        Self { older: cell(older.into()), newer: cell(newer.into()), mapping, ..Self::default() }
    }

    fn inside_itself(mut self, places: impl Into<Vec<AsAbove>>) -> Self {
        self.as_above = places.into();
        self
    }

    fn kept_in(mut self, key: String) -> Self {
        self.kept_in.push(key);
        self
    }

    fn is_kept(&self) -> bool {
        self.mapping.iter().all(|how| how.starts_with("kept"))
    }
}

/// `columns` are those of the terminal, if the text is for one.
pub(super) fn run(
    resources: &[Resource],
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

/// The annotations that a release before has explained and this one doesn't.
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
pub(super) fn annotation_keys(resource: &Resource) -> BTreeSet<String> {
    // Nothing is misspelt: these are all versions.
    let explained = explain(resource, &ExplainArgs::default());
    let rows = explained.into_iter().flat_map(|explained| explained.hops).flat_map(|hop| hop.rows);
    rows.flat_map(|row| row.kept_in).collect()
}

/// What becomes of fields between two versions, one after the other; `None` if the resource hasn't both. A field that is only kept isn't
/// among them.
pub(super) fn mappings(resource: &Resource, from: &str, to: &str) -> Option<Mappings> {
    let (from, to) = (Some(from.to_owned()), Some(to.to_owned()));
    let explained = explain(resource, &ExplainArgs { from, to, ..ExplainArgs::default() }).ok()?;
    let mut mappings = Mappings::default();
    for row in explained.hops.into_iter().flat_map(|hop| hop.rows) {
        for AsAbove { place, above } in &row.as_above {
            mappings.as_above.push((path(place), path(above)));
        }
        if row.is_kept() {
            continue;
        }
        let paths = row.older.iter().chain(&row.newer).map(|cell| path(cell)).collect();
        let mut how = row.mapping.join(", ");
        if let Some(annotation) = row.kept_in.first() {
            how = format!("{how}, kept in `{annotation}`");
        }
        mappings.rules.push(Mapping { paths, how });
    }
    Some(mappings)
}

/// The path in a cell, as a schema has it: without the type, the value of a variant, and the variant that a value is.
fn path(cell: &str) -> String {
    let path = cell.split_once(": ").map_or(cell, |(path, _)| path);
    let path = path.split_once(" = ").map_or(path, |(path, _)| path);
    let mut out = String::new();
    let mut is_variant = false;
    for c in path.chars() {
        match c {
            '(' => is_variant = true,
            ')' => is_variant = false,
            _ if !is_variant => out.push(c),
            _ => {}
        }
    }
    out
}

fn explain(resource: &Resource, args: &ExplainArgs) -> Result<Explanation, String> {
    let definition = resource.definition();
    let Definition { group, kind, versions, .. } = definition;
    let names: Vec<_> = versions.iter().map(|version| version.name).collect();
    let place = |name: &Option<String>, default: usize| match name {
        None => Ok(default),
        Some(name) => {
            let name = name.strip_prefix(&format!("{group}/")).unwrap_or(name);
            names.iter().position(|own| *own == name).ok_or_else(|| {
                format!("{kind} in {group} has no version `{name}`; it has {}", names.join(", "))
            })
        }
    };
    let (from, to) = (place(&args.from, 0)?, place(&args.to, names.len().saturating_sub(1))?);
    let hops = (from.min(to) + 1..=from.max(to)).map(|place| {
        let (older, newer) = (names[place - 1], names[place]);
        let plan = versions[place].rules();
        let rows = plan.map_or_else(Vec::new, |plan| walk::rows(group, [older, newer], plan));
        Hop { older, newer, rows }
    });
    let mut notes = hints(definition);
    notes.extend(status::notes(resource));
    let (hops, status) = (hops.collect(), status::place(resource));
    Ok(Explanation { group, kind, versions: names, hops, status, notes })
}
