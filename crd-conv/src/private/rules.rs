//! Compile-time checks of the fields that a mapping's rules name: how the fields are written, what
//! the API server keeps in them, and whether they may be absent. See also `lookup`.

use super::find::{broken, find, place_near};
use super::flat::same_flat;
use super::lookup::{Reason, older_field};
use super::shape::Place;
use super::text::{Text, eq};
use crate::plan::{Choice, Facts, Field, Flat, Indexed, Nested, Rule};

/// Returns the place of an older field that keeps its name, after the checks of [`kept`].
///
/// # Panics
///
/// Panics at compile time if there is no such field, or if it doesn't mean the same in both
/// versions.
#[track_caller]
pub const fn kept_field(
    older: &[Facts],
    skipped: &[&str],
    newer: &[Facts],
    shown: &str,
    index: usize,
    new: &'static str,
    claimed: &[&str],
) -> usize {
    let newer = &newer[index];
    match place_near(older, newer.field.rust, index) {
        Some(place) if !broken(older) => {
            same(&older[place], newer, shown);
            place
        }
        _ => older_field(older, skipped, shown, newer.field.rust, Reason::SameName(new), claimed),
    }
}

/// Returns the rule of a field that both versions have, at these places.
pub const fn kept_rule<P: Place>(
    older: &[Facts],
    newer: &[Facts],
    index: usize,
    nested: Choice<Nested>,
) -> Rule {
    let nested = Indexed::new(nested, index);
    let older = if P::INDEX < older.len() { older[P::INDEX].field } else { super::BROKEN[0].field };
    Rule::Kept { older, newer: newer[index].field, nested }
}

/// Checks that a kept field means the same in JSON in both versions. If it is an `Option` in only
/// one version, it must have a default in the other one.
///
/// # Panics
///
/// Panics at compile time if it doesn't.
#[track_caller]
pub const fn kept(older: &[Facts], newer: &[Facts], shown: &str, name: &str, index: usize) {
    let newer = &newer[index];
    // A failed derive or a name that doesn't exist was reported already.
    if broken(older) {
        return;
    }
    let Some(older) = find(older, name) else { return };
    same(older, newer, shown);
}

#[track_caller]
const fn same(older: &Facts, newer: &Facts, shown: &str) {
    same_codec(older, newer, shown);
    same_flat(older, newer, shown, older.field.rust);
    same_pruning(&older.field, &newer.field, shown);
    shows_something(older, newer, shown);
}

#[track_caller]
const fn shows_something(older: &Facts, newer: &Facts, shown: &str) {
    let always = if newer.option { older } else { newer };
    if older.option != newer.option && always.field.default.is_none() {
        let here = older.option;
        Text::new()
            .code(newer.field.rust)
            .put(" was ")
            .code(older.field.ty)
            .put(" in ")
            .code(shown)
            .put(" and became ")
            .code(newer.field.ty)
            .put(", and nothing says what ")
            .put(if here { "this version" } else { "that version" })
            .put(" shows when the field is absent: write the field's default ")
            .put(if here { "here" } else { "there" })
            .put(", `#[versioned(default = …)]` or `#[serde(default)]`, make it an `Option` in both versions, ")
            .put("or name a converter: `#[versioned(with = …)]`")
            .fail()
    }
}

#[track_caller]
const fn same_codec(older: &Facts, newer: &Facts, shown: &str) {
    if !eq(older.codec, newer.codec) {
        let text = Text::new().code(newer.field.rust).put(" is written ");
        codec(&codec(&text, newer).put(", but "), older)
            .put(" in ")
            .code(shown)
            .put(": use the same functions in both, by the same path, or name a converter: ")
            .put("`#[versioned(with = …)]`")
            .fail()
    }
    if (older.aliased || newer.aliased) && !eq(older.field.wire, newer.field.wire) {
        Text::new()
            .put("`#[serde(alias = …)]` is only supported on a field that keeps its name, but ")
            .code(older.field.wire)
            .put(" of ")
            .code(shown)
            .put(" is ")
            .code(newer.field.wire)
            .put(" here: remove the alias")
            .fail()
    }
}

/// Checks that the API server keeps undeclared content in both versions of a field, or in neither.
/// Otherwise one version prunes what the other one keeps.
#[track_caller]
const fn same_pruning(older: &Field, newer: &Field, shown: &str) {
    if let Some((attribute, here)) = kept_by_one(older, newer) {
        let text = Text::new().code(newer.rust).put(" has ").code(attribute);
        let text = if here {
            text.put(" here, but not in ").code(shown)
        } else {
            text.put(" in ").code(shown).put(", but not here")
        };
        pruned(&text, attribute).put("`#[versioned(with = …)]`").fail()
    }
}

/// The attribute for which the API server keeps content in only one version, and whether the newer
/// version has it.
pub(super) const fn kept_by_one(older: &Field, newer: &Field) -> Option<(&'static str, bool)> {
    if older.preserve_unknown_fields != newer.preserve_unknown_fields {
        // A flattened map accepts every name.
        return match newer.flat {
            Flat::Map => None,
            _ => Some(("preserve_unknown_fields", newer.preserve_unknown_fields)),
        };
    }
    if older.embedded_resource != newer.embedded_resource && !newer.preserve_unknown_fields {
        return Some(("embedded_resource", newer.embedded_resource));
    }
    None
}

/// Adds the consequence to a message, and the remedy up to the converter's attribute.
pub(super) const fn pruned(text: &Text, attribute: &str) -> Text {
    (*text)
        .put(", so the API server prunes in one version what it keeps in the other: write `#[versioned(")
        .put(attribute)
        .put(")]` in both, or name a converter: ")
}

/// Checks that an older field that doesn't keep its name has no aliases.
///
/// # Panics
///
/// Panics at compile time if it has aliases.
#[track_caller]
pub const fn not_aliased(fields: &[Facts], shown: &str, name: &str) {
    let Some(facts) = find(fields, name) else { return };
    if facts.aliased {
        Text::new()
            .code(facts.field.rust)
            .put(" of ")
            .code(shown)
            .put(" has `#[serde(alias = …)]`, which is only supported on a field that keeps its name: remove the alias")
            .fail()
    }
}

/// Checks that the value that a converter returns for a field can be read back.
///
/// # Panics
///
/// Panics at compile time if serde may leave out a value that it requires.
#[track_caller]
pub const fn returns(fields: &[Facts], shown: &str, name: &str) {
    let Some(facts) = find(fields, name) else { return };
    if facts.skips && !facts.field.optional {
        Text::new()
            .code(facts.field.rust)
            .put(" of ")
            .code(shown)
            .put(" has `skip_serializing_if`, so serde may leave out a converter's value and then can't read the object ")
            .put("back: add `#[serde(default)]` to the field")
            .fail()
    }
}

/// Checks that a removed field without a value may be absent from the older version.
///
/// # Panics
///
/// Panics at compile time if the older version requires it.
#[track_caller]
pub const fn removed(older: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, .. }) = find(older, name) else { return };
    if !field.optional && field.default.is_none() && !field.flat.is_flat() {
        Text::new()
            .code(shown)
            .put(" requires ")
            .code(field.rust)
            .put(
                ": write the value that it shows for objects that never had one, such as `removed(",
            )
            .put(field.rust)
            .put(" = ")
            .put(example(field.ty))
            .put(")`")
            .fail()
    }
}

/// Checks that an added field without a value may be absent.
///
/// # Panics
///
/// Panics at compile time if it is required.
#[track_caller]
pub const fn added(newer: &[Facts], name: &str) {
    let Some(Facts { field, .. }) = find(newer, name) else { return };
    if !field.optional && field.default.is_none() && !field.flat.is_flat() {
        Text::new()
            .code(field.rust)
            .put(
                " is required, so upgraded objects need a value: write `#[versioned(added(value = ",
            )
            .put(example(field.ty))
            .put("))]`, or make the field an `Option`")
            .fail()
    }
}

/// Checks that a field that a fallback leaves out may be absent.
///
/// # Panics
///
/// Panics at compile time if it is required.
#[track_caller]
pub const fn left_out(fields: &[Facts], name: &str) {
    let Some(Facts { field, .. }) = find(fields, name) else { return };
    if !field.optional && field.default.is_none() {
        Text::new()
            .code(field.rust)
            .put(" is required and can't be left out: write a value for it, such as `")
            .put(example(field.ty))
            .put("`")
            .fail()
    }
}

/// Checks that a field with an author's value isn't an `Option`.
///
/// # Panics
///
/// Panics at compile time if it is.
#[track_caller]
pub const fn takes_value(fields: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, option, .. }) = find(fields, name) else { return };
    if field.flat.is_flat() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is flattened and takes no value of its own: remove the value")
            .fail()
    }
    if *option {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is an `Option` and takes no value: remove the value, and the field is absent in objects that never had one")
            .fail()
    }
}

/// Returns the default that an object shows if no value is known for the field and the author wrote
/// none.
pub const fn default_fill(fields: &[Facts], name: &str) -> Option<crate::plan::WriteFn> {
    match find(fields, name) {
        Some(facts) => facts.field.default,
        None => None,
    }
}

pub(super) const fn codec(text: &Text, facts: &Facts) -> Text {
    if facts.codec.is_empty() {
        (*text).put("by its type")
    } else {
        (*text).put("by ").code(facts.codec)
    }
}

/// An example of a value for a field with this type.
const fn example(ty: &str) -> &'static str {
    match ty.as_bytes() {
        b"String" => "\"…\"",
        b"bool" => "false",
        b"i8" | b"i16" | b"i32" | b"i64" | b"u8" | b"u16" | b"u32" | b"u64" | b"usize" => "0",
        b"f32" | b"f64" => "0.0",
        _ => "…",
    }
}
