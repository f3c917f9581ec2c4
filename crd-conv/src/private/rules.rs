//! What the rules of a mapping ask of the fields that they name, as those of `lookup`: how they are written, what the API server keeps
//! in them, and whether they may be absent.

use super::flat::same_flat;
use super::lookup::{broken, find};
use super::text::{Text, eq};
use crate::plan::{Facts, Field, Flat};

/// Checks that a field that is kept means the same on the wire in both versions, and says whether the version in which it
/// isn't an `Option` has a default.
///
/// # Panics
///
/// At compile time, if it doesn't.
#[track_caller]
pub const fn kept(older: &[Facts], newer: &[Facts], shown: &str, name: &str, index: usize) -> bool {
    let newer = &newer[index];
    // A type whose derive failed, or a name that doesn't exist, has its own error.
    if broken(older) {
        return true;
    }
    let Some(older) = find(older, name) else { return true };
    same_codec(older, newer, shown);
    same_flat(older, newer, shown, name);
    same_pruning(&older.field, &newer.field, shown);
    let always = if newer.option { older } else { newer };
    always.field.default.is_some()
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
            .put(" here")
            .fail()
    }
}

/// Checks that the API server keeps what no schema declares in both versions of a field, or in neither: what the one
/// version keeps is pruned in the other.
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

/// The attribute by which the API server keeps in one version what it prunes in the other, and whether the newer one has it.
pub(super) const fn kept_by_one(older: &Field, newer: &Field) -> Option<(&'static str, bool)> {
    if older.preserve_unknown_fields != newer.preserve_unknown_fields {
        // A flattened map has every name.
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

/// What comes of it, and the remedy up to how a converter is named.
pub(super) const fn pruned(text: &Text, attribute: &str) -> Text {
    (*text)
        .put(", so the API server prunes in one what it keeps in the other: write `#[versioned(")
        .put(attribute)
        .put(")]` in both, or name a converter: ")
}

/// Checks that an older field that doesn't keep its name has no aliases.
///
/// # Panics
///
/// At compile time, if it has.
#[track_caller]
pub const fn not_aliased(fields: &[Facts], shown: &str, name: &str) {
    let Some(facts) = find(fields, name) else { return };
    if facts.aliased {
        Text::new()
            .code(facts.field.rust)
            .put(" of ")
            .code(shown)
            .put(" has `#[serde(alias = …)]`, which is only supported on a field that keeps its name")
            .fail()
    }
}

/// Checks that what a converter gives for a field can be read back.
///
/// # Panics
///
/// At compile time, if serde may leave out what it can't do without.
#[track_caller]
pub const fn returns(fields: &[Facts], shown: &str, name: &str) {
    let Some(facts) = find(fields, name) else { return };
    if facts.skips && !facts.field.optional {
        Text::new()
            .code(facts.field.rust)
            .put(" of ")
            .code(shown)
            .put(" has `skip_serializing_if`, so a converter's value may be left out and then not be read ")
            .put("back: write `#[serde(default)]` beside it")
            .fail()
    }
}

/// Checks that a removed field without a value may be absent from the older version.
///
/// # Panics
///
/// At compile time, if the older version requires it.
#[track_caller]
pub const fn removed(older: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, .. }) = find(older, name) else { return };
    if !field.optional && field.default.is_none() && !field.flat.is_flat() {
        Text::new()
            .code(shown)
            .put(" requires ")
            .code(field.rust)
            .put(": write the value that it shows of objects that never had one, such as `removed(")
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
/// At compile time, if it is required.
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
/// At compile time, if it is required.
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

/// Checks that a field for which there is a value isn't an `Option`.
///
/// # Panics
///
/// At compile time, if it is.
#[track_caller]
pub const fn takes_value(fields: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, option, .. }) = find(fields, name) else { return };
    if field.flat.is_flat() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is flattened and takes no value of its own: take it out here")
            .fail()
    }
    if *option {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is an `Option` and takes no value: an object that never had one leaves it out")
            .fail()
    }
}

/// What an object of the version that has the field shows if nothing is known of it and the author wrote no value.
pub const fn default_fill(fields: &[Facts], name: &str) -> Option<crate::plan::WriteFn> {
    match find(fields, name) {
        Some(facts) => facts.field.default,
        None => None,
    }
}

pub(super) const fn codec(text: &Text, facts: &Facts) -> Text {
    if facts.codec.is_empty() {
        (*text).put("as its type is")
    } else {
        (*text).put("by ").code(facts.codec)
    }
}

/// A value that an author could write for a field of this type.
const fn example(ty: &str) -> &'static str {
    match ty.as_bytes() {
        b"String" => "\"…\"",
        b"bool" => "false",
        b"i8" | b"i16" | b"i32" | b"i64" | b"u8" | b"u16" | b"u32" | b"u64" | b"usize" => "0",
        b"f32" | b"f64" => "0.0",
        _ => "…",
    }
}
