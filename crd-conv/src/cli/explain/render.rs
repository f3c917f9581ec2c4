//! Renders explanations as text for a terminal, JSON, Markdown, a diagram, or a page for a browser.

use std::{fmt::Write, iter};

use super::{Explanation, Hop, Row};
use crate::table::Table;

const KEPT_IN: &str = "what the other version can't say is kept in";
const SAME: &str = "Both versions are the same.";

/// A table for each hop, or a list if the table is wider than the terminal.
pub(super) fn text(all: &[Explanation], columns: Option<usize>) -> String {
    let mut lines = Vec::new();
    for Explanation { group, kind, versions, hops, status, notes } in all {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("{kind} in {group}: {}", versions.join(", ")));
        for hop in hops {
            lines.extend([String::new(), format!("{} to {}", hop.older, hop.newer)]);
            if hop.rows.is_empty() {
                lines.push(format!("  {SAME}"));
            } else {
                let table = table(hop).lines();
                let fits = |line: &String| columns.is_none_or(|most| line.chars().count() <= most);
                lines.extend(if table.iter().all(fits) { table } else { list(hop) });
            }
        }
        if let Some(status) = status {
            lines.extend([String::new(), status.clone()]);
        }
        if !notes.is_empty() {
            lines.push(String::new());
            lines.extend(notes.iter().map(|note| format!("note: {note}")));
        }
    }
    // The last line ends like the others.
    lines.push(String::new());
    lines.join("\n")
}

fn table(hop: &Hop) -> Table {
    let mut table = Table::default();
    table.push([hop.older, hop.newer, "mapping", KEPT_IN]);
    for row in &hop.rows {
        let cells = cells(row);
        let lines = cells.iter().map(|cell| cell.len()).max().unwrap_or_default();
        for line in 0..lines {
            table.push(cells.map(|cell| cell.get(line).cloned().unwrap_or_default()));
        }
    }
    table
}

fn list(hop: &Hop) -> Vec<String> {
    const KEPT: &str = "kept in";
    const BOTH: &str = "both";
    let width = [hop.older, hop.newer, KEPT, BOTH].map(str::len).into_iter().max().unwrap_or(0);
    let mut lines = Vec::new();
    for Row { older, newer, mapping, kept_in, .. } in &hop.rows {
        lines.push(format!("  {}", mapping.join(", ")));
        let cells = if older == newer {
            vec![(BOTH, older)]
        } else {
            vec![(hop.older, older), (hop.newer, newer)]
        };
        for (title, texts) in cells.into_iter().chain([(KEPT, kept_in)]) {
            let titles = iter::once(title).chain(iter::repeat(""));
            lines.extend(
                texts.iter().zip(titles).map(|(text, title)| format!("    {title:width$}  {text}")),
            );
        }
    }
    lines
}

fn cells(Row { older, newer, mapping, kept_in, .. }: &Row) -> [&[String]; 4] {
    [older, newer, mapping, kept_in]
}

pub(super) fn json(all: &[Explanation]) -> Result<String, String> {
    let text = serde_json::to_string_pretty(all).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

/// Tables for GitHub and other Markdown readers that support tables.
pub(super) fn markdown(all: &[Explanation]) -> String {
    let mut out = String::new();
    for Explanation { group, kind, hops, status, notes, .. } in all {
        if !out.is_empty() {
            out.push('\n');
        }
        line(&mut out, &format!("## {kind} in {group}"));
        for hop in hops {
            let Hop { older, newer, rows } = hop;
            line(&mut out, &format!("\n### {older} to {newer}\n"));
            if rows.is_empty() {
                line(&mut out, SAME);
                continue;
            }
            line(&mut out, &format!("| {older} | {newer} | mapping | {KEPT_IN} |"));
            line(&mut out, "|---|---|---|---|");
            for row in rows {
                let [older, newer, mapping, kept_in] = cells(row);
                let code = |texts: &[String]| {
                    joined(texts, |text| format!("`{}`", text.replace('|', "\\|")))
                };
                let plain = joined(mapping, |text| escaped(text).replace('|', "\\|"));
                let [older, newer, kept_in] = [older, newer, kept_in].map(code);
                line(&mut out, &format!("| {older} | {newer} | {plain} | {kept_in} |"));
            }
        }
        for paragraph in status.iter().chain(notes) {
            line(&mut out, &format!("\n{}", escaped(paragraph)));
        }
    }
    out
}

/// A diagram in Mermaid's language. For each hop it has the two versions, and an edge for each
/// field that changes.
pub(super) fn mermaid(all: &[Explanation]) -> String {
    let mut out = String::from("flowchart LR\n");
    let hops = all.iter().flat_map(|each| each.hops.iter().map(|hop| (each.kind, hop)));
    for (place, (kind, hop)) in hops.enumerate() {
        let Hop { older, newer, rows } = hop;
        line(&mut out, &format!("  subgraph h{place}[\"{kind}: {older} to {newer}\"]"));
        line(&mut out, "    direction LR");
        let (mut nodes, mut edges) = ([String::new(), String::new()], String::new());
        for (row, Row { older, newer, mapping, .. }) in
            rows.iter().filter(|row| !row.is_kept).enumerate()
        {
            let mapping = label(&mapping.join(", "));
            // A side without fields gets one empty node.
            for field in 0..older.len().max(newer.len()) {
                let ids = [(older, "o", 0), (newer, "n", 1)].map(|(texts, side, nodes_of)| {
                    let field = field.min(texts.len().saturating_sub(1));
                    let id = format!("h{place}{side}{row}_{field}");
                    let shape = match texts.get(field) {
                        Some(text) => format!("[\"{}\"]", label(text)),
                        None => "(( ))".to_owned(),
                    };
                    let node = format!("      {id}{shape}\n");
                    if !nodes[nodes_of].ends_with(&node) {
                        nodes[nodes_of] += &node;
                    }
                    id
                });
                line(&mut edges, &format!("    {} -- \"{mapping}\" --> {}", ids[0], ids[1]));
            }
        }
        if edges.is_empty() {
            line(&mut out, &format!("    h{place}s[\"{}\"]", label("No field changes.")));
        } else {
            for (side, version, nodes) in [("o", older, &nodes[0]), ("n", newer, &nodes[1])] {
                line(&mut out, &format!("    subgraph h{place}{side}[\"{version}\"]"));
                out += nodes;
                line(&mut out, "    end");
            }
            out += &edges;
        }
        line(&mut out, "  end");
    }
    out
}

/// A text inside quotation marks.
fn label(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' => out += "#35;",
            '"' => out += "#quot;",
            '<' => out += "#lt;",
            '>' => out += "#gt;",
            '&' => out += "#amp;",
            c => out.push(c),
        }
    }
    out
}

/// A complete page without references to other files.
pub(super) fn html(all: &[Explanation]) -> String {
    let mut out = String::from(HEAD);
    let kinds: Vec<_> = all.iter().map(|explained| explained.kind).collect();
    line(&mut out, &format!("<title>Versions of {}</title>", escaped(&kinds.join(", "))));
    line(&mut out, STYLE);
    for Explanation { group, kind, versions, hops, status, notes } in all {
        let versions = escaped(&versions.join(" → "));
        line(&mut out, &format!("<h1>{} in {}</h1>", escaped(kind), escaped(group)));
        line(&mut out, &format!("<p>{versions}</p>"));
        for hop in hops {
            let [older, newer] = [hop.older, hop.newer].map(escaped);
            line(&mut out, &format!("<h2>{older} to {newer}</h2>"));
            if hop.rows.is_empty() {
                line(&mut out, &format!("<p>{SAME}</p>"));
                continue;
            }
            line(&mut out, "<table>");
            let titles = format!("<th>{older}<th>{newer}<th>mapping<th>{}", escaped(KEPT_IN));
            line(&mut out, &format!("<thead><tr>{titles}</thead>"));
            line(&mut out, "<tbody>");
            for row in &hop.rows {
                let [older, newer, mapping, kept_in] = cells(row);
                let code = |texts: &[String]| {
                    joined(texts, |text| format!("<code>{}</code>", escaped(text)))
                };
                let plain = joined(mapping, escaped);
                let [older, newer, kept_in] = [older, newer, kept_in].map(code);
                let class = row.class;
                let cells = format!("<td>{older}<td>{newer}<td>{plain}<td>{kept_in}");
                line(&mut out, &format!("<tr class={class}>{cells}"));
            }
            line(&mut out, "</tbody>");
            line(&mut out, "</table>");
        }
        for paragraph in status.iter().chain(notes) {
            line(&mut out, &format!("<p>{}</p>", escaped(paragraph)));
        }
    }
    out
}

const HEAD: &str = "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n\
                    <meta name=viewport content=\"width=device-width\">\n";

/// The page is readable in light and in dark mode, and without colors: each row contains the
/// mapping as text.
const STYLE: &str = "<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { background: #8882; }
code { font: 13px/1.5 ui-monospace, monospace; white-space: nowrap; }
.added td:nth-child(2) { background: #2a23; }
.removed td:first-child { background: #d333; }
.renamed td:nth-child(-n+2), .moved td:nth-child(-n+2), .converted td:nth-child(-n+2) { background: #28d3; }
</style>";

fn line(out: &mut String, line: &str) {
    // Writing to a text can't fail.
    let _ = writeln!(out, "{line}");
}

fn joined(texts: &[String], each: impl Fn(&str) -> String) -> String {
    texts.iter().map(|text| each(text)).collect::<Vec<_>>().join("<br>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
