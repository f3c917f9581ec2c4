//! `explain`.

use super::{Resource, args::ExplainArgs, chosen};
use crate::{
    Definition, Field, Nested, Rule, StructPlan, complement::annotation_key, plan::WriteFn,
};

pub(super) fn run(resources: &[Resource], args: &ExplainArgs) -> Result<String, String> {
    let mut lines = Vec::new();
    for resource in chosen(resources, args.resource.as_deref())? {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        explain(resource.definition(), args, &mut lines)?;
    }
    // The last line ends like the others.
    lines.push(String::new());
    Ok(lines.join("\n"))
}

fn explain(
    definition: &Definition,
    args: &ExplainArgs,
    lines: &mut Vec<String>,
) -> Result<(), String> {
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
    lines.push(format!("{kind} in {group}: {}", names.join(", ")));
    for newer in from.min(to) + 1..=from.max(to) {
        let hop = Hop { group, older: names[newer - 1], newer: names[newer] };
        lines.push(String::new());
        lines.push(format!("{} to {}", hop.older, hop.newer));
        if let Some(plan) = versions[newer].rules() {
            let mut table = Table(Vec::new());
            table.push([
                hop.older,
                hop.newer,
                "mapping",
                "what the other version can't say is kept in",
            ]);
            hop.walk(plan, &mut Vec::new(), &mut Vec::new(), &mut Vec::new(), &mut table);
            lines.extend(table.lines());
        } else {
            lines.push("  Both versions are the same.".to_owned());
        }
    }
    Ok(())
}

/// Two neighbouring versions.
struct Hop<'a> {
    group: &'a str,
    older: &'a str,
    newer: &'a str,
}

impl Hop<'_> {
    fn walk(
        &self,
        plan: &'static StructPlan,
        older_path: &mut Vec<&'static str>,
        newer_path: &mut Vec<&'static str>,
        open: &mut Vec<*const StructPlan>,
        table: &mut Table,
    ) {
        open.push(plan);
        for rule in plan.rules {
            match rule {
                Rule::Kept { older, newer, nested } => {
                    let nested = match nested().map(Nested::innermost) {
                        Some(Nested::Struct(plan)) => Some(plan),
                        _ => None,
                    };
                    let recursive =
                        nested.is_some_and(|plan| open.contains(&std::ptr::from_ref(plan)));
                    let mapping = match (older.wire == newer.wire, recursive) {
                        (true, false) => "kept",
                        (false, false) => "renamed",
                        (true, true) => "kept, mapped inside as above",
                        (false, true) => "renamed, mapped inside as above",
                    };
                    table.push([&cell(older_path, older), &cell(newer_path, newer), mapping, ""]);
                    if let Some(plan) = nested.filter(|_| !recursive) {
                        older_path.push(older.wire);
                        newer_path.push(newer.wire);
                        self.walk(plan, older_path, newer_path, open, table);
                        older_path.pop();
                        newer_path.pop();
                    }
                }
                Rule::Added { newer, fill } => table.push([
                    "",
                    &cell(newer_path, newer),
                    &one_sided("added", *fill),
                    &self.key(self.newer, newer_path, newer),
                ]),
                Rule::Removed { older, fill } => table.push([
                    &cell(older_path, older),
                    "",
                    &one_sided("removed", *fill),
                    &self.key(self.older, older_path, older),
                ]),
                Rule::Converted { older, newer, by, .. } => {
                    let kept = [
                        older.first().map(|first| self.key(self.older, older_path, first)),
                        newer.first().map(|first| self.key(self.newer, newer_path, first)),
                    ];
                    for line in 0..older.len().max(newer.len()).max(2) {
                        let mapping =
                            if line == 0 { format!("converted by {by}") } else { String::new() };
                        table.push([
                            &older
                                .get(line)
                                .map(|field| cell(older_path, field))
                                .unwrap_or_default(),
                            &newer
                                .get(line)
                                .map(|field| cell(newer_path, field))
                                .unwrap_or_default(),
                            &mapping,
                            kept.get(line).and_then(Option::as_deref).unwrap_or_default(),
                        ]);
                    }
                }
            }
        }
        open.pop();
    }

    fn key(&self, home: &str, path: &[&'static str], field: &Field) -> String {
        let path: Vec<_> = path.iter().copied().chain([field.wire]).collect();
        annotation_key(self.group, home, &path)
    }
}

fn cell(path: &[&str], field: &Field) -> String {
    let parents: String = path.iter().map(|parent| [".", parent].concat()).collect();
    format!("{parents}.{}: {}", field.wire, field.ty)
}

fn one_sided(word: &str, fill: Option<WriteFn>) -> String {
    let mut text = String::new();
    match fill.map(|fill| fill(&mut text)) {
        Some(Ok(true)) => format!("{word}, value {text}"),
        _ => word.to_owned(),
    }
}

/// The first row is the header.
struct Table(Vec<[String; 4]>);

impl Table {
    fn push(&mut self, row: [&str; 4]) {
        self.0.push(row.map(str::to_owned));
    }

    fn lines(&self) -> Vec<String> {
        let width = |text: &str| text.chars().count();
        let widths: [usize; 4] = std::array::from_fn(|column| {
            self.0.iter().map(|row| width(&row[column])).max().unwrap_or_default()
        });
        let line = |row: &[String; 4]| {
            let mut line = String::new();
            for (text, wanted) in row.iter().zip(widths) {
                line += "  ";
                line += text;
                line.extend(std::iter::repeat_n(' ', wanted - width(text)));
            }
            line.truncate(line.trim_end().len());
            line
        };
        let mut lines: Vec<_> = self.0.iter().map(line).collect();
        lines.insert(1, line(&widths.map(|width| "-".repeat(width))));
        lines
    }
}
