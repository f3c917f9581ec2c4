//! Rules as they are in JSON: without the structs that serde flattens.

use std::slice;

use super::tree::Entry;
use super::{Change, Field, Flat, Indexed, OneSided, Part, Rule, leaves};

/// Replaces the rules for flattened structs by those for the structs' fields. A flattened map has
/// its own rule. `rules_of` returns the rules of a node if it is a struct.
pub(super) fn in_json<'n>(
    declared: &[Entry],
    rules_of: impl Fn(usize) -> Option<&'n Vec<Entry>>,
) -> Vec<Entry> {
    let mut rules = Vec::new();
    for entry in declared {
        let one_sided = entry.rule.one_sided();
        if let Some([_, newer]) = entry.rule.kept().filter(|[_, newer]| is_struct(newer)) {
            match entry.inside.and_then(&rules_of) {
                Some(inner) => {
                    let goes_on = |inner: &&Entry| match inner.rule.one_sided() {
                        Some(OneSided { newer, field, .. }) => !stays(declared, field, newer),
                        None => true,
                    };
                    rules.extend(inner.iter().filter(goes_on).cloned());
                }
                None => rules.extend(inside(newer).map(|field| kept(field, field))),
            }
        } else if let Some(OneSided { newer, field, .. }) =
            one_sided.filter(|it| is_struct(it.field))
        {
            let fields = inside(field).filter(|field| !stays(declared, field, newer));
            rules.extend(fields.map(|field| only(field, newer)));
        } else if let Some((ends, change)) = beside(entry.rule) {
            rules.push(stayed(ends, change, entry.inside));
        } else if one_sided.is_none_or(|it| !stays(declared, it.field, it.newer)) {
            rules.push(entry.clone());
        }
    }
    rules
}

fn is_struct(field: &Field) -> bool {
    matches!(field.flat, Flat::Fields(_))
}

/// Returns the ends of a move into a flattened struct or out of it, and how its value changes. In
/// JSON, such a value stays where it was.
fn beside(rule: &'static Rule) -> Option<([&'static Part; 2], &'static Change)> {
    let Rule::Moved { older, newer, change } = rule else { return None };
    match (older, newer) {
        ([[holder, older]], [[newer]]) | ([[older]], [[holder, newer]])
            if is_struct(&holder.field) =>
        {
            Some(([older, newer], change))
        }
        _ => None,
    }
}

/// Whether a field of one version is the end of a move that changes nothing in JSON.
fn stays(rules: &[Entry], field: &Field, newer_side: bool) -> bool {
    let mut stays = rules.iter().filter_map(|entry| beside(entry.rule));
    stays.any(|([older, newer], _)| {
        field.wire == if newer_side { newer.field.wire } else { older.field.wire }
    })
}

/// Returns the fields of a flattened struct.
fn inside(field: &Field) -> impl Iterator<Item = Field> {
    let fields = match field.flat {
        Flat::Fields(fields) => leaves(fields),
        Flat::No | Flat::Map => Vec::new(),
    };
    fields.into_iter().map(|facts| facts.field)
}

/// Returns the rule for a value that moves, but not in JSON.
fn stayed([older, newer]: [&'static Part; 2], change: &Change, inside: Option<usize>) -> Entry {
    match *change {
        Change::Versions(nested) => {
            let (older, newer) = (older.field, newer.field);
            let mut entry = made(Rule::Kept { older, newer, nested });
            entry.inside = inside;
            entry
        }
        Change::By(by) => {
            let [older, newer] = [older, newer].map(|part| slice::from_ref(&part.field));
            made(Rule::Converted { older, newer, by })
        }
    }
}

/// Returns the rule for a field that only one version has.
fn only(field: Field, newer: bool) -> Entry {
    let fill = field.default;
    made(if newer {
        Rule::Added { newer: field, fill }
    } else {
        Rule::Removed { older: field, fill }
    })
}

fn kept(older: Field, newer: Field) -> Entry {
    made(Rule::Kept { older, newer, nested: Indexed::NOTHING })
}

/// Makes the entry of a rule that no plan has. A tree lives as long as the process, and so does the
/// rule.
#[expect(clippy::large_types_passed_by_value, reason = "it goes into the box")]
fn made(rule: Rule) -> Entry {
    Entry::new(Box::leak(Box::new(rule)), None)
}
