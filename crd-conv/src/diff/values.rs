//! Compares the values that a schema accepts, and the default.

use super::catalog;
use super::change::Change;
use super::collect::{Changes, named, only_in};
use super::forms::UINT32;
use crate::{
    apiserver::{restrictions::Role, steps, value::validate},
    json::Json,
    schema::Schema,
};

/// The position of a value. It decides what the API server does with a null that the schema doesn't
/// accept: `PruneNonNullableNullsWithoutDefaults` and `Default` of
/// `pkg/apiserver/schema/defaulting`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// An optional member of an object.
    Optional,
    /// A required member of an object.
    Required,
    /// A value of a map.
    Value,
    /// An item of a list.
    Item,
}

pub(super) fn values(old: &Schema, new: &Schema, held: Held, changes: &mut Changes) {
    listed(old, new, changes);
    default(old, new, changes);
    null(old, new, held, changes);
}

fn null(old: &Schema, new: &Schema, held: Held, changes: &mut Changes) {
    let was_nullable = old.nullable;
    let is_listed = |schema: &Schema| !schema.values.is_empty();
    // An enum never accepts null, even if it lists null: `Enum` of
    // `k8s.io/kube-openapi/pkg/validation/validate`.
    match [old, new].map(|schema| schema.nullable && !is_listed(schema)) {
        [true, false] if !is_listed(new) => changes.here(null_removed(new, held)),
        [false, true] => changes.here(catalog::null_accepted()),
        [false, false] if !was_nullable && new.nullable && held != Held::Item => {
            changes.here(catalog::null_of_enum_refused());
        }
        _ => {}
    }
}

fn null_removed(new: &Schema, held: Held) -> Change {
    match held {
        _ if new.default.is_some() => catalog::null_defaulted(),
        Held::Optional => catalog::null_dropped(),
        Held::Required => catalog::null_of_required_dropped(),
        Held::Value => catalog::null_of_map_dropped(),
        Held::Item => catalog::null_of_list_refused(),
    }
}

/// Compares conditions for values, except bounds.
pub(super) fn conditions(old: &Schema, new: &Schema, changes: &mut Changes) {
    pattern(old, new, changes);
    format(old, new, changes);
    let not = |schema: &'_ Schema| schema.not.as_deref().cloned().into_iter().collect::<Vec<_>>();
    for (name, old, new) in [
        ("allOf", &old.all_of, &new.all_of),
        ("anyOf", &old.any_of, &new.any_of),
        ("oneOf", &old.one_of, &new.one_of),
        ("not", &not(old), &not(new)),
    ] {
        match [&old[..], &new[..]] {
            [[], [_, ..]] => changes.here(catalog::logic_added(&name)),
            [[_, ..], []] => changes.here(catalog::logic_removed(&name)),
            [old, new] if old != new => changes.here(catalog::logic_changed(&name)),
            _ => {}
        }
    }
}

/// Whether the new schema accepts all values that the old one listed, despite new bounds and
/// conditions. Values that are no longer listed don't count.
pub(super) fn all_fit(old: &Schema, new: &Schema) -> bool {
    let (was_listed, is_listed) = (&old.values, &new.values);
    let mut values = was_listed.iter().filter(|value| {
        **value != Json::Null && (is_listed.is_empty() || is_listed.contains(value))
    });
    !was_listed.is_empty()
        && values.all(|value| {
            let found = validate(value, new, Role::Object);
            found.causes.is_empty() && found.unchecked.is_empty()
        })
}

fn listed(old: &Schema, new: &Schema, changes: &mut Changes) {
    // An enum never accepts null.
    let [old_all, new_all] = [old, new].map(|schema| {
        schema.values.iter().filter(|value| **value != Json::Null).collect::<Vec<_>>()
    });
    match (&*old_all, &*new_all) {
        ([], []) => return,
        ([], all) => return changes.here(catalog::enum_added(&named(all))),
        (_, []) => return changes.here(catalog::enum_removed()),
        _ => {}
    }
    let gone = named(only_in(&old_all, &new_all));
    if !gone.is_empty() {
        changes.here(catalog::enum_values_removed(&gone));
    }
    let added = named(only_in(&new_all, &old_all));
    if !added.is_empty() {
        changes.here(catalog::enum_values_added(&added));
    }
}

/// Compares defaults with those inside them filled in, as objects get them. A default inside has its
/// own change.
fn default(old: &Schema, new: &Schema, changes: &mut Changes) {
    let filled = |schema: &Schema| {
        let mut value = schema.default.clone()?;
        steps::default(&mut value, schema);
        Some(value)
    };
    match [&old.default, &new.default] {
        [None, Some(new)] => changes.here(catalog::default_added(new)),
        [Some(old), None] => changes.here(catalog::default_removed(old)),
        [Some(was), Some(is)] if was != is && filled(old) != filled(new) => {
            changes.here(catalog::default_changed(was, is));
        }
        _ => {}
    }
}

fn pattern(old: &Schema, new: &Schema, changes: &mut Changes) {
    match [old, new].map(|schema| schema.pattern.as_deref()) {
        [None, Some(new)] => changes.here(catalog::pattern_added(&new)),
        [Some(_), None] => changes.here(catalog::pattern_removed()),
        [Some(old), Some(new)] if old != new => changes.here(catalog::pattern_changed(&old, &new)),
        _ => {}
    }
}

fn format(old: &Schema, new: &Schema, changes: &mut Changes) {
    let of = |schema: &'_ Schema| schema.format.clone().filter(|format| format != UINT32);
    let both = [old, new].map(of);
    match both.each_ref().map(Option::as_deref) {
        [None, Some(new)] => changes.here(catalog::format_added(&new)),
        [Some("int32" | "float"), None] => changes.here(catalog::format_widened()),
        [Some(_), None] => changes.here(catalog::format_removed()),
        [Some(old), Some(new)] if old != new => changes.here(catalog::format_changed(&old, &new)),
        _ => {}
    }
}
