//! The catalog of changes as text.

use std::fmt::Write as _;

use super::catalog::{CATALOG, Case, Kind};

/// All kinds of change.
pub(crate) fn kinds() -> impl Iterator<Item = &'static Kind> {
    CATALOG.iter().flat_map(|section| section.kinds)
}

/// The kind of change with this word.
pub(crate) fn kind(id: &str) -> Option<&'static Kind> {
    kinds().find(|kind| kind.id == id)
}

/// What a kind of change means, for a terminal.
pub(crate) fn explained(kind: &Kind) -> String {
    let mut out = format!("{}\n", kind.id);
    for case in kind.cases {
        let Case { level, remedy, .. } = case;
        // Writing to a string doesn't fail.
        let _ = write!(out, "  {level}: {}", what(case));
        let _ =
            if remedy.is_empty() { writeln!(out) } else { writeln!(out, "; {}", elided(remedy)) };
    }
    out
}

fn what(case: &Case) -> String {
    elided(case.what)
}

/// The text with `…` for each part that differs from change to change.
fn elided(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out += before;
        out.push('…');
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::between::ANSWERS;
    use super::*;
    use crate::diff::Level;

    /// The generated part of the guide's page.
    fn page() -> String {
        let mut out = String::new();
        for section in CATALOG {
            let _ = writeln!(out, "# {}\n", section.title);
            for Kind { id, cases } in section.kinds {
                let _ = writeln!(out, "## `{id}`\n");
                for case in *cases {
                    let _ = writeln!(out, "- **{}**: {}.", case.level, what(case));
                    if !case.remedy.is_empty() {
                        let _ = writeln!(out, "  *Remedy:* {}.", elided(case.remedy));
                    }
                }
                out.push('\n');
            }
        }
        out += "# Between two versions\n\n| if | level | remedy |\n|---|---|---|\n";
        for answer in ANSWERS {
            let remedy = match answer.remedy {
                Some("") => "none",
                remedy => remedy.unwrap_or("the same as within a version"),
            };
            let _ = writeln!(out, "| {} | {} | {remedy} |", answer.when, answer.level);
        }
        out
    }

    /// After a change that is meant: `BLESS=1 cargo test -p crd-conv --features schema diff::page`.
    #[test]
    fn the_guide_has_the_catalog() {
        let text = include_str!("../../guide/changes.md");
        let (intro, _) = text.split_once("# ").expect("a section after the introduction");
        let expected = format!("{intro}{}", page());
        if std::env::var_os("BLESS").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/guide/changes.md");
            std::fs::write(file, &expected).expect("the file can be written");
        }
        assert!(text == expected, "guide/changes.md isn't the catalog; BLESS=1 writes it");
    }

    /// Accept lists, reports and links name the words.
    #[test]
    fn each_kind_is_there_once() {
        let ids: Vec<_> = kinds().map(|kind| kind.id).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        for kind in kinds() {
            assert!(!kind.cases.is_empty(), "{}", kind.id);
            for Case { level, remedy, what } in kind.cases {
                assert_eq!(*level == Level::Safe, remedy.is_empty(), "{what}");
            }
        }
    }
}
