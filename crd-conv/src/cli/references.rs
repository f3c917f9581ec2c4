//! How references to versions are printed.

use std::fmt::Write as _;

use crate::migrate::{Reference, References};

/// The most references of one kind that are printed.
const NAMED: usize = 20;

/// Describes references, one kind after the other.
pub(super) fn text(found: &References, out: &mut String, indent: &str) {
    let References { resource, versions, counts, references, not_looked_at, .. } = found;
    let versions = versions.join(", ");
    // Writing to a string doesn't fail.
    if counts.is_empty() {
        let _ = match not_looked_at.as_slice() {
            [] => writeln!(out, "{indent}nothing refers to {resource} in {versions}"),
            _ => writeln!(
                out,
                "{indent}nothing that could be read refers to {resource} in {versions}"
            ),
        };
    }
    for (kind, count) in counts {
        let _ = writeln!(out, "{indent}{} to {resource} in {versions}: {count}", kind.name());
        let own = references.iter().filter(|reference| reference.kind == *kind);
        for Reference { resource, object, path, .. } in own.take(NAMED) {
            let _ = writeln!(out, "{indent}  {resource} {object}: {path}");
        }
        if let Some(more) = count.checked_sub(NAMED as u64).filter(|more| *more > 0) {
            let _ = writeln!(out, "{indent}  and {more} more");
        }
        let _ = writeln!(out, "{indent}  what happens: {}", kind.effect());
        let _ = writeln!(out, "{indent}  what to do: {}", kind.remedy());
    }
    let (forbidden, others): (Vec<_>, Vec<_>) =
        not_looked_at.iter().partition(|part| part.is_forbidden);
    if !forbidden.is_empty() {
        let names: Vec<_> = forbidden.iter().map(|part| part.what.as_str()).collect();
        let _ = writeln!(
            out,
            "{indent}not looked at: {}; allow `list` for them in all namespaces",
            names.join(", ")
        );
    }
    for part in others {
        let _ = writeln!(out, "{indent}not looked at: {}: {}", part.what, part.reason);
    }
}
