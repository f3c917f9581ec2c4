//! Structs and maps with `#[serde(flatten)]`: in JSON, their content is next to the other fields.

use std::collections::{BTreeMap, HashMap};

use super::Shape;
use super::find::{broken, find};
use super::leaves::{count, nth};
use super::text::{Text, eq};
use crate::plan::{Facts, Flat};

/// A type that can be flattened.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be flattened in a versioned struct",
    label = "not a versioned struct or a map",
    note = "a flattened field is a struct, a map, or an `Option` of one",
    note = "put `#[derive(Versioned)]` on the struct, if it is yours; the oldest version needs no attributes",
    note = "for a struct of another crate, write its fields in a struct of your own",
    note = "give an enum a field of its own: remove `#[serde(flatten)]`"
)]
pub trait Flatten {
    /// The content that replaces the field in JSON.
    const FLAT: Flat;
}

#[diagnostic::do_not_recommend]
impl<T: Shape> Flatten for T {
    const FLAT: Flat = Flat::Fields(T::FIELDS);
}

#[diagnostic::do_not_recommend]
impl<T: Flatten> Flatten for Option<T> {
    const FLAT: Flat = T::FLAT;
}

#[diagnostic::do_not_recommend]
impl<V> Flatten for BTreeMap<String, V> {
    const FLAT: Flat = Flat::Map;
}

#[diagnostic::do_not_recommend]
impl<V, S> Flatten for HashMap<String, V, S> {
    const FLAT: Flat = Flat::Map;
}

#[cfg(feature = "indexmap")]
#[diagnostic::do_not_recommend]
impl<V, S> Flatten for indexmap::IndexMap<String, V, S> {
    const FLAT: Flat = Flat::Map;
}

/// Checks that no name is in JSON twice, and that at most one map takes the fields with other names.
///
/// # Panics
///
/// Panics at compile time if a name occurs twice, or if there are two such maps.
#[track_caller]
pub const fn flattened(fields: &[Facts], shown: &str) {
    let count = count(fields);
    let mut i = 0;
    while i < count {
        let Some(facts) = nth(fields, i) else { return };
        let mut other = 0;
        while other < i {
            let Some(before) = nth(fields, other) else { return };
            if matches!(facts.field.flat, Flat::Map) && matches!(before.field.flat, Flat::Map) {
                Text::new()
                    .code(before.field.rust)
                    .put(" and ")
                    .code(facts.field.rust)
                    .put(" are both flattened maps in ")
                    .code(shown)
                    .put(", so each would contain all fields with other names: flatten only one of them")
                    .fail()
            }
            if !facts.field.flat.is_flat() && eq(facts.field.wire, before.field.wire) {
                Text::new()
                    .code(before.field.rust)
                    .put(" and ")
                    .code(facts.field.rust)
                    .put(" are both ")
                    .code(facts.field.wire)
                    .put(" in the JSON of ")
                    .code(shown)
                    .put(": rename one of them, or remove `#[serde(flatten)]`")
                    .fail()
            }
            other += 1;
        }
        i += 1;
    }
}

/// Checks that a field that both versions have is flattened in both or in neither.
#[track_caller]
pub(super) const fn same_flat(older: &Facts, newer: &Facts, shown: &str, name: &str) {
    if older.field.flat.is_flat() != newer.field.flat.is_flat() {
        let text = Text::new().code(newer.field.rust);
        if !newer.field.flat.is_flat() {
            text.put(" is a field of its own here, but in ")
                .code(shown)
                .put(" it is flattened: write `#[serde(flatten)]` here, too")
                .fail()
        }
        let text = text
            .put(" is flattened here, but in ")
            .code(shown)
            .put(" it is a field of its own: remove `#[serde(flatten)]`");
        if let Flat::Fields([Facts { field: inside, .. }, ..]) = newer.field.flat {
            text.put(", or replace it here with the fields inside it, and for each of them write `moved(")
                .put(name)
                .put(".")
                .put(inside.rust)
                .put(" => ")
                .put(inside.rust)
                .put(")`")
                .fail()
        }
        text.fail()
    }
}

/// Checks that a flattened struct of only one version can be absent.
///
/// # Panics
///
/// Panics at compile time if one of its fields is required or is a map.
#[track_caller]
pub const fn one_sided(fields: &[Facts], shown: &str, name: &str) {
    let Some(facts) = find(fields, name) else { return };
    let Flat::Fields(inside) = facts.field.flat else {
        if facts.field.flat.is_flat() {
            Text::new()
                .code(facts.field.rust)
                .put(" of ")
                .code(shown)
                .put(" is a flattened map, and a version without it can't have fields with arbitrary names: give the map a ")
                .put("field of its own, or keep it flattened in both versions")
                .fail()
        }
        return;
    };
    if broken(inside) {
        return;
    }
    let mut i = 0;
    while let Some(leaf) = nth(inside, i) {
        i += 1;
        let field = &leaf.field;
        let required = !field.optional && field.default.is_none() && !facts.option;
        if field.flat.is_flat() || required {
            let text =
                Text::new().code(field.rust).put(" of the flattened ").code(facts.field.rust);
            let text = text.put(" of ").code(shown);
            if field.flat.is_flat() {
                text.put(" is a map, which both versions must have, or neither").fail()
            }
            text.put(" is required, but the other version doesn't have it: make it an `Option`, or write ")
                .put("`#[versioned(default = …)]` or `#[serde(default)]` on it")
                .fail()
        }
    }
}

/// Checks that a field has a name of its own in JSON.
///
/// # Panics
///
/// Panics at compile time if it is flattened.
#[track_caller]
pub const fn not_flattened(fields: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, .. }) = find(fields, name) else { return };
    if field.flat.is_flat() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is flattened and has no value of its own in JSON: name the fields inside it, or keep it as a whole")
            .fail()
    }
}

/// Checks that a struct with a moved value somewhere inside has a place of its own in JSON.
///
/// # Panics
///
/// Panics at compile time if it is flattened.
#[track_caller]
pub const fn on_the_way(fields: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, .. }) = find(fields, name) else { return };
    if field.flat.is_flat() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is flattened, and values can move only one by one between the fields inside it and those next to it, where they keep ")
            .put("their place in JSON: write moves within it as `moved(…)` on its own struct, and for other moves replace ")
            .put("it with its fields")
            .fail()
    }
}
