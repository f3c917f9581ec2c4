//! Rules as they are in JSON: without the structs that serde flattens.

use std::slice;

use super::tree::Entry;
use super::{By, Change, Field, Flat, Indexed, OneSided, Part, Rule, leaves};

/// Replaces the rules for flattened structs by those for the structs' fields. A flattened map has
/// its own rule. `rules_of` returns the rules of a node if it is a struct.
pub(super) fn in_json<'n>(
    declared: &[Entry],
    rules_of: impl Fn(usize) -> Option<&'n Vec<Entry>>,
) -> Vec<Entry> {
    let mut rules = Vec::new();
    for entry in declared {
        match entry.rule {
            Rule::Kept { newer, .. } if is_struct(newer) => {
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
            }
            Rule::Added { newer, .. } if is_struct(newer) => {
                let added = |field: Field| made(Rule::Added { newer: field, fill: field.default });
                let goes_on = |field: &Field| !stays(declared, field, true);
                rules.extend(inside(newer).filter(goes_on).map(added));
            }
            Rule::Removed { older, .. } if is_struct(older) => {
                let removed =
                    |field: Field| made(Rule::Removed { older: field, fill: field.default });
                let goes_on = |field: &Field| !stays(declared, field, false);
                rules.extend(inside(older).filter(goes_on).map(removed));
            }
            Rule::Added { newer, .. } if stays(declared, newer, true) => {}
            Rule::Removed { older, .. } if stays(declared, older, false) => {}
            // In JSON, a value that moves into a flattened struct or out of it stays where it was.
            Rule::Moved { older: [holder, older], newer: [newer], change }
            | Rule::Moved { older: [older], newer: [holder, newer], change }
                if is_struct(&holder.field) =>
            {
                rules.push(stayed(older, newer, change, entry.inside));
            }
            Rule::Kept { .. }
            | Rule::Added { .. }
            | Rule::Removed { .. }
            | Rule::Moved { .. }
            | Rule::MovedTogether { .. }
            | Rule::Converted { .. } => rules.push(entry.clone()),
        }
    }
    rules
}

fn is_struct(field: &Field) -> bool {
    matches!(field.flat, Flat::Fields(_))
}

/// Whether a field of one version is the end of a move that changes nothing in JSON.
fn stays(rules: &[Entry], field: &Field, newer_side: bool) -> bool {
    rules.iter().any(|entry| match entry.rule {
        Rule::Moved { older: [holder, old], newer: [new], .. }
        | Rule::Moved { older: [old], newer: [holder, new], .. }
            if is_struct(&holder.field) =>
        {
            field.wire == if newer_side { new.field.wire } else { old.field.wire }
        }
        Rule::Kept { .. }
        | Rule::Added { .. }
        | Rule::Removed { .. }
        | Rule::Moved { .. }
        | Rule::MovedTogether { .. }
        | Rule::Converted { .. } => false,
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
fn stayed(
    older: &'static Part,
    newer: &'static Part,
    change: &Change,
    inside: Option<usize>,
) -> Entry {
    match *change {
        Change::Versions(nested) => {
            let (older, newer) = (older.field, newer.field);
            let mut entry = made(Rule::Kept { older, newer, nested });
            entry.inside = inside;
            entry
        }
        Change::By(By { by, upgrade, downgrade }) => {
            let [older, newer] = [older, newer].map(|part| slice::from_ref(&part.field));
            made(Rule::Converted { older, newer, by, upgrade, downgrade })
        }
    }
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
