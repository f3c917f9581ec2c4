//! Compares the values that a schema accepts, and the default.

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
        [true, false] if !is_listed(new) => null_removed(new, held, changes),
        [false, true] => changes.risky(
            "nullable-added",
            "it may be null: readers may not expect that",
            "make all readers accept null before anyone writes it",
        ),
        [false, false] if !was_nullable && new.nullable && held != Held::Item => {
            changes.breaking(
                "nullable-added",
                "null is never a value of an enum: with `nullable`, the API server refuses a null that it dropped before",
                "leave out `nullable`, and the API server still drops it",
            );
        }
        _ => {}
    }
}

fn null_removed(new: &Schema, held: Held, changes: &mut Changes) {
    let null = "it may no longer be null";
    let becomes = if new.default.is_some() {
        "objects with null get the default"
    } else {
        match held {
            Held::Optional => {
                let what = format!("{null}: the API server drops a null, and the field is absent");
                return changes.safe("nullable-removed", what);
            }
            Held::Required => "the API server drops a null, and refuses objects without the field",
            Held::Value => "the API server drops entries that are null",
            Held::Item => "lists with nulls are refused",
        }
    };
    let remedy = "keep `nullable`, or make sure that no object has null there";
    changes.breaking("nullable-removed", format!("{null}: {becomes}"), remedy);
}

/// Compares conditions for values, except bounds.
pub(super) fn conditions(old: &Schema, new: &Schema, changes: &mut Changes) {
    text_of("pattern", old, new, changes);
    text_of("format", old, new, changes);
    let not = |schema: &'_ Schema| schema.not.as_deref().cloned().into_iter().collect::<Vec<_>>();
    for (name, old, new) in [
        ("allOf", &old.all_of, &new.all_of),
        ("anyOf", &old.any_of, &new.any_of),
        ("oneOf", &old.one_of, &new.one_of),
        ("not", &not(old), &not(new)),
    ] {
        match [&old[..], &new[..]] {
            [[], [_, ..]] => changes.breaking(
                "logic-added",
                format!("`{name}` is new: values that don't match it are refused"),
                "leave it out, and let the controller refuse new values that don't match",
            ),
            [[_, ..], []] => changes.safe("logic-removed", format!("`{name}` is gone")),
            [old, new] if old != new => changes.risky(
                "logic-changed",
                format!("`{name}` has changed, and this comparison can't tell whether it accepts all values that the former one accepts"),
                "make sure that it does",
            ),
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
        ([], all) => {
            return changes.breaking(
                "enum-added",
                format!("it accepts only {}: other values are refused", named(all)),
                "leave out the enum in this version",
            );
        }
        (_, []) => {
            return changes.risky(
                "enum-removed",
                "it accepts more values than the listed ones: readers may not know them",
                "make all readers accept any value first",
            );
        }
        _ => {}
    }
    let gone = named(only_in(&old_all, &new_all));
    if !gone.is_empty() {
        changes.breaking(
            "enum-value-removed",
            format!("the enum no longer has {gone}: objects with such a value are refused"),
            "keep it in this version",
        );
    }
    let added = named(only_in(&new_all, &old_all));
    if !added.is_empty() {
        changes.risky(
            "enum-value-added",
            format!("the enum now has {added}: readers may not know such a value"),
            "make all readers accept unknown values before anyone writes it",
        );
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
        [None, Some(new)] => changes.risky(
            "default-added",
            format!("its default is `{new}`: objects that don't set it show the default, and the next write stores it"),
            "make sure that it means the same as no value",
        ),
        [Some(old), None] => changes.breaking(
            "default-removed",
            format!("its default was `{old}` and is gone: objects that don't set it have no value now"),
            "keep the default",
        ),
        [Some(was), Some(is)] if was != is && filled(old) != filled(new) => changes.breaking(
            "default-changed",
            format!("its default was `{was}` and is `{is}`: objects that don't set it change their meaning"),
            "keep the default in this version",
        ),
        _ => {}
    }
}

/// Compares a pattern or a format.
fn text_of<'s>(name: &'static str, old: &'s Schema, new: &'s Schema, changes: &mut Changes) {
    let [added, other, gone] = match name {
        "pattern" => ["pattern-added", "pattern-changed", "pattern-removed"],
        _ => ["format-added", "format-changed", "format-removed"],
    };
    let of = |schema: &'s Schema| {
        let text = if name == "pattern" { &schema.pattern } else { &schema.format };
        text.as_deref().filter(|text| name == "pattern" || *text != UINT32)
    };
    match [old, new].map(of) {
        [None, Some(new)] => changes.breaking(
            added,
            format!("its {name} is `{new}`: other values are refused"),
            "leave it out, and let the controller refuse new values that don't match",
        ),
        [Some(_), None] => changes.safe(gone, format!("its {name} is gone")),
        [Some("int32"), Some("int64")] | [Some("float"), Some("double")] => {
            changes.safe(other, format!("its {name} accepts larger numbers"));
        }
        [Some(old), Some(new)] if old != new => changes.risky(
            other,
            format!("its {name} was `{old}` and is `{new}`, and this comparison can't tell whether it accepts all values that the former one accepts"),
            "make sure that it does",
        ),
        _ => {}
    }
}
