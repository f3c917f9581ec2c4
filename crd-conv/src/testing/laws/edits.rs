//! What an edit changes, and what it leaves alone.

use std::collections::BTreeMap;

use super::returns::same;
use super::{Stop, ensure};
use crate::plan::{Nested, Rule, StructPlan};
use crate::schema::Schema;
use crate::testing::choices::Choices;
use crate::testing::draw::Stray;
use crate::testing::subject::{Case, Subject};
use crate::testing::tree::Tree;

pub(super) fn edits_win(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to } = subject.hop(Stray::Valid, choices);
    let there = subject.convert(&object, to)?;
    let mut edited = Tree::read(&there);
    for _ in 0..=choices.below(4) {
        edit(subject, &mut edited, &subject.schemas[to], choices, Reach::Everywhere);
    }
    let edited = edited.write();
    let back = subject.try_convert(&edited, from)?.json;
    let again = subject.try_convert(&back, to)?.json;
    same(subject, &edited, &again, || format!("by way of\n{back}"))?;

    let newer = from.max(to);
    let Some(plan) = subject.resource.definition().versions[newer].rules() else { return Ok(()) };
    let trees = [&object, &there, &edited, &back].map(|text| subject.essence(text));
    let mut journey = Journey { upgraded: to == newer, lost: Vec::new() };
    let [object_tree, there_tree, edited_tree, back_tree] = &trees;
    journey.structure(plan, object_tree, there_tree, edited_tree, back_tree, "");
    ensure(journey.lost.is_empty(), || {
        let lost = journey.lost.join(", ");
        format!(
            "{lost} isn't as it was, though nobody touched what it became:\n{object}\nbecame\n{there}\nwas edited to\n{edited}\nand came back as\n{back}"
        )
    })
}

pub(super) fn own_entry(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to } = subject.hop(Stray::Valid, choices);
    // As the API server writes it: entries stand in the order of the text.
    let mut edited = Tree::read(&object);
    let object = edited.write();
    edit(subject, &mut edited, &subject.schemas[from], choices, Reach::Leaves);
    let edited = edited.write();
    let before = subject.carrier(&subject.convert(&object, to)?);
    let after = subject.carrier(&subject.convert(&edited, to)?);
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed: Vec<_> =
        keys.into_iter().filter(|key| before.get(*key) != after.get(*key)).collect();
    ensure(changed.len() <= 1, || {
        format!("{changed:?} all change, but only one field does between\n{object}\nand\n{edited}")
    })
}

/// Where an edit may be made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Everywhere,
    /// In one field with nothing inside, and not in an item of a list, of which entries may be told by all that is in it.
    Leaves,
}

/// Changes, adds or deletes one field.
fn edit(
    subject: &Subject<'_>,
    tree: &mut Tree,
    schema: &Schema,
    choices: &mut Choices<'_>,
    reach: Reach,
) {
    match tree {
        Tree::Object(members) => {
            if let Some(values) = &schema.additional_properties {
                edit_map(subject, members, values, choices, reach);
            } else if let Some((name, property)) =
                schema.properties.iter().nth(choices.below(schema.properties.len().max(1)))
            {
                edit_field(subject, members, schema, (name, property), choices, reach);
            }
        }
        Tree::List(items) if reach == Reach::Everywhere => {
            let Some(inside) = &schema.items else { return };
            let place = choices.below(items.len().max(1));
            match (choices.below(4), items.get_mut(place)) {
                (0, Some(item)) => edit(subject, item, inside, choices, reach),
                (1, Some(_)) => drop(items.remove(place)),
                (2, Some(_)) => items.swap(0, place),
                _ if schema.extensions.is_empty() => {
                    items.push(subject.value(inside, choices));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn edit_map(
    subject: &Subject<'_>,
    members: &mut BTreeMap<String, Tree>,
    values: &Schema,
    choices: &mut Choices<'_>,
    reach: Reach,
) {
    let key = members.keys().nth(choices.below(members.len().max(1))).cloned();
    match (key, choices.below(3)) {
        (Some(key), 0) => {
            if let Some(value) = members.get_mut(&key) {
                edit(subject, value, values, choices, reach);
            }
        }
        (Some(key), 1) if reach == Reach::Everywhere => drop(members.remove(&key)),
        _ if reach == Reach::Everywhere => {
            members.insert("new".to_owned(), subject.value(values, choices));
        }
        _ => {}
    }
}

fn edit_field(
    subject: &Subject<'_>,
    members: &mut BTreeMap<String, Tree>,
    schema: &Schema,
    (name, property): (&String, &Schema),
    choices: &mut Choices<'_>,
    reach: Reach,
) {
    let leaf = property.properties.is_empty()
        && property.items.is_none()
        && property.additional_properties.is_none();
    match members.get_mut(name) {
        Some(value) if !leaf && !choices.once_in(4) => {
            edit(subject, value, property, choices, reach);
        }
        Some(_) if choices.once_in(3) && !schema.required.contains(name) => {
            if leaf || reach == Reach::Everywhere {
                members.remove(name);
            }
        }
        _ if leaf || reach == Reach::Everywhere => {
            members.insert(name.clone(), subject.value(property, choices));
        }
        _ => {}
    }
}

/// Follows the rules through an object, what it became, that with edits, and what came back.
struct Journey {
    upgraded: bool,
    /// The fields that aren't as they were, though what they became is.
    lost: Vec<String>,
}

impl Journey {
    fn structure(
        &mut self,
        plan: &StructPlan,
        object: &Tree,
        there: &Tree,
        edited: &Tree,
        back: &Tree,
        path: &str,
    ) {
        let all = [object, there, edited, back].map(|tree| match tree {
            Tree::Object(members) => Some(members),
            _ => None,
        });
        let [Some(object), Some(there), Some(edited), Some(back)] = all else { return };
        for rule in plan.rules {
            let (older, newer, nested) = sides(rule);
            let (home, peer) = if self.upgraded { (older, newer) } else { (newer, older) };
            if peer.iter().all(|name| there.get(*name) == edited.get(*name)) {
                let lost = home.iter().filter(|name| object.get(**name) != back.get(**name));
                self.lost.extend(lost.map(|name| format!("{path}.{name}")));
                continue;
            }
            let (Some(nested), [home], [peer]) = (nested, &home[..], &peer[..]) else { continue };
            let trees = [object.get(*home), there.get(*peer), edited.get(*peer), back.get(*home)];
            if let [Some(object), Some(there), Some(edited), Some(back)] = trees {
                self.value(nested, object, there, edited, back, &format!("{path}.{home}"));
            }
        }
    }

    fn value(
        &mut self,
        nested: Nested,
        object: &Tree,
        there: &Tree,
        edited: &Tree,
        back: &Tree,
        path: &str,
    ) {
        match nested {
            Nested::Struct(plan) => self.structure(plan, object, there, edited, back, path),
            Nested::Map(values) => {
                let Tree::Object(members) = object else { return };
                for (key, object) in members {
                    let inside = [there, edited, back].map(|tree| tree.at(&[key]));
                    if let [Some(there), Some(edited), Some(back)] = inside {
                        let path = format!("{path}.{key}");
                        self.value(values(), object, there, edited, back, &path);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The names of a rule's fields in the older and the newer version, and what is inside if it is one.
fn sides(rule: &Rule) -> (Vec<&'static str>, Vec<&'static str>, Option<Nested>) {
    match rule {
        Rule::Kept { older, newer, nested } => (vec![older.wire], vec![newer.wire], nested()),
        Rule::Added { newer, .. } => (Vec::new(), vec![newer.wire], None),
        Rule::Removed { older, .. } => (vec![older.wire], Vec::new(), None),
        Rule::Moved { holder, nested, moves, .. } => {
            let outside = moves.iter().map(|(outside, _)| outside.wire).collect();
            if *nested {
                (outside, vec![holder.wire], None)
            } else {
                (vec![holder.wire], outside, None)
            }
        }
        Rule::Converted { older, newer, .. } => {
            let names = |fields: &[crate::Field]| fields.iter().map(|field| field.wire).collect();
            (names(older), names(newer), None)
        }
    }
}
