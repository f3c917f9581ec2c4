//! Compares the values that a schema accepts, and the default.

use super::collect::{Changes, at, flag, list, named, only_in, text};
use crate::{apiserver::formats, json::Json, verify::takes};

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

pub(super) fn values(old: &Json, new: &Json, held: Held, changes: &mut Changes) {
    listed(old, new, changes);
    default(old, new, changes);
    null(old, new, held, changes);
}

fn null(old: &Json, new: &Json, held: Held, changes: &mut Changes) {
    let was_nullable = flag(old, &["nullable"]);
    let is_listed = |schema| !list(schema, &["enum"]).is_empty();
    // An enum never accepts null, even if it lists null: `Enum` of
    // `k8s.io/kube-openapi/pkg/validation/validate`.
    match [old, new].map(|schema| flag(schema, &["nullable"]) && !is_listed(schema)) {
        [true, false] if !is_listed(new) => null_removed(new, held, changes),
        [false, true] => changes.risky(
            "nullable-added",
            "it may be null: readers may not expect that",
            "make all readers accept null before anyone writes it",
        ),
        [false, false] if !was_nullable && flag(new, &["nullable"]) && held != Held::Item => {
            changes.breaking(
                "nullable-added",
                "null is never a value of an enum: with `nullable`, the API server refuses a null that it dropped before",
                "leave out `nullable`, and the API server still drops it",
            );
        }
        _ => {}
    }
}

fn null_removed(new: &Json, held: Held, changes: &mut Changes) {
    let null = "it may no longer be null";
    let becomes = if at(new, &["default"]).is_some() {
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
pub(super) fn conditions(old: &Json, new: &Json, changes: &mut Changes) {
    text_of("pattern", old, new, changes);
    text_of("format", old, new, changes);
    for name in ["allOf", "anyOf", "oneOf", "not"] {
        match [old, new].map(|schema| at(schema, &[name])) {
            [None, Some(_)] => changes.breaking(
                "logic-added",
                format!("`{name}` is new: values that don't match it are refused"),
                "leave it out, and let the controller refuse new values that don't match",
            ),
            [Some(_), None] => changes.safe("logic-removed", format!("`{name}` is gone")),
            [Some(old), Some(new)] if old != new => changes.risky(
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
pub(super) fn all_fit(old: &Json, new: &Json) -> bool {
    let was_listed = list(old, &["enum"]);
    let is_listed = list(new, &["enum"]);
    let mut values = was_listed.iter().filter(|value| {
        **value != Json::Null && (is_listed.is_empty() || is_listed.contains(value))
    });
    !was_listed.is_empty() && values.all(|value| takes(new, value) == Some(true))
}

fn listed(old: &Json, new: &Json, changes: &mut Changes) {
    // An enum never accepts null.
    let [old_all, new_all] = [old, new].map(|schema| {
        let all = list(schema, &["enum"]).iter();
        all.filter(|value| **value != Json::Null).collect::<Vec<_>>()
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

fn default(old: &Json, new: &Json, changes: &mut Changes) {
    match [old, new].map(|schema| at(schema, &["default"])) {
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
        [Some(old), Some(new)] if old != new => changes.breaking(
            "default-changed",
            format!("its default was `{old}` and is `{new}`: objects that don't set it change their meaning"),
            "keep the default in this version",
        ),
        _ => {}
    }
}

/// Compares a pattern or a format.
fn text_of(name: &'static str, old: &Json, new: &Json, changes: &mut Changes) {
    let [added, other, gone] = match name {
        "pattern" => ["pattern-added", "pattern-changed", "pattern-removed"],
        _ => ["format-added", "format-changed", "format-removed"],
    };
    // The server ignores a format that it doesn't know.
    let says = |of: &&str, schema| {
        let ty = text(schema, &["type"]).unwrap_or_default();
        name != "format" || formats::is_known(ty, of)
    };
    let of = |schema| text(schema, &[name]).filter(|of| says(of, schema));
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
