//! Compares Kubernetes' own keywords.

use std::fmt::Display;

use super::catalog;
use super::change::Change;
use super::collect::{Changes, gone_and_new, named, only_in};
use crate::schema::{Schema, SchemaType, ValidationRule};
use crate::verify::cel::respaced;

pub(super) fn extensions(old: &Schema, new: &Schema, changes: &mut Changes) {
    lists(old, new, changes);
    maps(old, new, changes);
    rules(old, new, changes);
    match [old, new].map(|schema| schema.extensions.embedded_resource) {
        [false, true] => changes.here(catalog::resource_embedded()),
        [true, false] => changes.here(catalog::resource_no_longer_embedded()),
        _ => {}
    }
}

fn lists(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old_type, new_type] =
        [old, new].map(|schema| schema.extensions.list_type.as_deref().unwrap_or("atomic"));
    if old_type != new_type {
        let change = match (old_type, new_type) {
            ("set", "atomic") if is_never_applied(old) => catalog::list_now_applied,
            (_, "atomic") => catalog::list_made_atomic,
            (_, "set") if is_never_applied(new) => catalog::list_never_applied,
            _ => catalog::list_made_unique,
        };
        changes.here(change(&old_type, &new_type));
    } else if new_type == "map" {
        let keys = |schema: &Schema| schema.extensions.list_map_keys.clone();
        let (gone, added) = gone_and_new(&keys(old), &keys(new));
        if !gone.is_empty() || !added.is_empty() {
            let both = [("without", &gone), ("with", &added)];
            let both = both.into_iter().filter(|(_, keys)| !keys.is_empty());
            let both: Vec<_> = both.map(|(word, keys)| format!("{word} {keys}")).collect();
            changes.here(catalog::list_keys_changed(&both.join(" and ")));
        }
    }
}

/// Whether server-side apply refuses the items of this set.
fn is_never_applied(list: &Schema) -> bool {
    let ty = list.items.as_ref().and_then(|items| items.ty);
    matches!(ty, Some(SchemaType::Array | SchemaType::Object))
}

fn maps(old: &Schema, new: &Schema, changes: &mut Changes) {
    let [old, new] =
        [old, new].map(|schema| schema.extensions.map_type.as_deref().unwrap_or("granular"));
    if old != new {
        changes.here(catalog::map_type_changed(&old, &new));
    }
}

/// Compares rules by their expressions. A different message doesn't refuse anything, and neither
/// do other white space and other comments.
fn rules(old: &Schema, new: &Schema, changes: &mut Changes) {
    let those = |schema: &Schema, is_meant: fn(&ValidationRule) -> bool| {
        let rules = schema.extensions.validations.iter().filter(|rule| is_meant(rule));
        let rules = rules.map(|rule| respaced(&rule.rule)).filter(|rule| !rule.is_empty());
        rules.collect::<Vec<_>>()
    };
    // Only a rule with `oldSelf` may have it.
    let [old_optional, new_optional] =
        [old, new].map(|schema| those(schema, |rule| rule.optional_old_self == Some(true)));
    let [old, new] = [old, new].map(|schema| those(schema, |_| true));
    let short = |rules: Vec<&String>| rules.into_iter().map(|rule| short(rule)).collect::<Vec<_>>();
    let (gone, added) = (short(only_in(&old, &new)), short(only_in(&new, &old)));
    let in_both = |rule: &&String| old.contains(rule) && new.contains(rule);
    let for_new = only_in(&new_optional, &old_optional).into_iter().filter(in_both).collect();
    let not_for_new = only_in(&old_optional, &new_optional).into_iter().filter(in_both).collect();
    for (rules, change) in [
        (short(for_new), catalog::rules_for_new_values as fn(&dyn Display) -> Change),
        (short(not_for_new), catalog::rules_not_for_new_values),
    ] {
        if !rules.is_empty() {
            changes.here(change(&named(rules)));
        }
    }
    let [gone_shown, added_shown] = [&gone, &added].map(named);
    if gone.len() == added.len() && !gone.is_empty() {
        return changes.here(catalog::rules_changed(&gone_shown, &added_shown));
    }
    if !added.is_empty() {
        changes.here(catalog::rules_added(&added_shown));
    }
    if !gone.is_empty() {
        changes.here(catalog::rules_removed(&gone_shown));
    }
}

/// The beginning of a long expression, on one line.
fn short(rule: &str) -> String {
    const MOST: usize = 60;
    let words: Vec<_> = rule.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
