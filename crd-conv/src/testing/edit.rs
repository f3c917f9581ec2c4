//! Random edits of an object, like those of a client.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    branches::is_open,
    choices::Choices,
    draw::{is_new, key_of},
    server,
    subject::Subject,
    tree::Tree,
};
use crate::apiserver::value::fits;
use crate::schema::{Extensions, Schema};

/// Where an edit may be made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach<'n> {
    Everywhere,
    /// Preferably in fields with these names.
    Towards(&'n BTreeSet<String>),
    /// Only in a field with nothing inside, and not in an item of a list, because an entry may
    /// identify its item by everything in it.
    Leaves,
}

/// Changes, adds or deletes one field.
pub(super) fn edit(
    subject: &Subject<'_>,
    tree: &mut Tree,
    schema: &Schema,
    choices: &mut Choices<'_>,
    reach: Reach<'_>,
) {
    if is_open(schema) {
        if reach == Reach::Everywhere {
            edit_open(subject, tree, schema, choices);
        }
        return;
    }
    match tree {
        Tree::Object(members) => {
            if let Some(values) = &schema.additional_properties {
                edit_map(subject, members, values, choices, reach);
            } else if let Some((name, property)) = chosen(schema, choices, reach) {
                edit_field(subject, members, schema, (name, property), choices, reach);
            }
        }
        Tree::List(items) if reach != Reach::Leaves => {
            let Some(inside) = &schema.items else { return };
            let place = choices.below(items.len().max(1));
            match (choices.below(4), items.get_mut(place)) {
                (0, Some(item)) => {
                    let before = item.clone();
                    edit(subject, item, inside, choices, reach);
                    // The API server accepts no two items with the same keys.
                    let mut seen = Vec::new();
                    let mut keys =
                        items.iter().filter_map(|item| key_of(&item.write(), schema, inside));
                    if !keys.all(|key| is_new(key, &mut seen)) {
                        items[place] = before;
                    }
                }
                (1, Some(_)) => drop(items.remove(place)),
                (2, Some(_)) => items.swap(0, place),
                _ if schema.extensions == Extensions::default() => {
                    items.push(subject.value(inside, choices));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Edits a value with one of several forms, or replaces it by another value. It is always replaced
/// if the edited value fits none of the forms.
fn edit_open(subject: &Subject<'_>, tree: &mut Tree, schema: &Schema, choices: &mut Choices<'_>) {
    let mut edited = tree.clone();
    let one = Schema {
        all_of: Vec::new(),
        one_of: Vec::new(),
        any_of: Vec::new(),
        not: None,
        ..schema.clone()
    };
    edit(subject, &mut edited, &one, choices, Reach::Everywhere);
    *tree = match server::read(&edited.write()) {
        Ok(value) if choices.below(2) == 0 && fits(&value, schema) => edited,
        _ => subject.value(schema, choices),
    };
}

fn edit_map(
    subject: &Subject<'_>,
    members: &mut BTreeMap<String, Tree>,
    values: &Schema,
    choices: &mut Choices<'_>,
    reach: Reach<'_>,
) {
    let key = members.keys().nth(choices.below(members.len().max(1))).cloned();
    match (key, choices.below(3)) {
        (Some(key), 0) => {
            if let Some(value) = members.get_mut(&key) {
                edit(subject, value, values, choices, reach);
            }
        }
        (Some(key), 1) if reach != Reach::Leaves => drop(members.remove(&key)),
        _ if reach != Reach::Leaves => {
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
    reach: Reach<'_>,
) {
    let leaf = !is_open(property)
        && property.properties.is_empty()
        && property.items.is_none()
        && property.additional_properties.is_none();
    match members.get_mut(name) {
        Some(value) if !leaf && !choices.once_in(4) => {
            edit(subject, value, property, choices, reach);
        }
        _ if !leaf && reach == Reach::Leaves => {}
        Some(_) if choices.once_in(3) && !schema.required.contains(name) => {
            members.remove(name);
        }
        before => {
            let before = before.map(|before| before.write());
            let mut drawn = subject.value(property, choices);
            // An edit that changes nothing isn't an edit.
            if before.is_some_and(|before| before == drawn.write()) {
                drawn = subject.value(property, choices);
            }
            members.insert(name.clone(), drawn);
        }
    }
}

/// Returns for each entry the fields that must not change if the entry is to be restored.
pub(super) fn guards(subject: &Subject<'_>, object: &str) -> Vec<BTreeMap<String, Tree>> {
    fn collect(annotation: &Tree, guards: &mut Vec<BTreeMap<String, Tree>>) {
        if let Some(Tree::Object(guard)) = annotation.at(&["guard"]) {
            guards.push(guard.clone());
        }
        if let Some(Tree::List(entries)) = annotation.at(&["entries"]) {
            for entry in entries {
                collect(entry, guards);
            }
        }
    }
    let mut guards = Vec::new();
    for annotation in subject.carrier(object).values() {
        collect(annotation, &mut guards);
    }
    guards
}

/// Chooses a property to edit.
fn chosen<'s>(
    schema: &'s Schema,
    choices: &mut Choices<'_>,
    reach: Reach<'_>,
) -> Option<(&'s String, &'s Schema)> {
    if let Reach::Towards(names) = reach {
        let leads = |(name, property): &(&String, &Schema)| {
            names.contains(*name) || leads_to(property, names)
        };
        let count = schema.properties.iter().filter(leads).count();
        if count > 0 {
            return schema.properties.iter().filter(leads).nth(choices.below(count));
        }
    }
    schema.properties.iter().nth(choices.below(schema.properties.len().max(1)))
}

fn leads_to(schema: &Schema, names: &BTreeSet<String>) -> bool {
    let inside = schema.items.iter().chain(&schema.additional_properties);
    schema.properties.iter().any(|(name, inside)| names.contains(name) || leads_to(inside, names))
        || inside.into_iter().any(|inside| leads_to(inside, names))
}
