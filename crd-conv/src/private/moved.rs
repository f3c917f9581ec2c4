//! Compile-time checks of the structs that contain moved values. See also `lookup`.

use super::accounts::Account;
use super::find::{broken, contains, find};
use super::probe::{InNewer, InOlder, Probe};
use super::rules::{codec, kept_by_one, pruned};
use super::shape::{BROKEN, Unknown};
use super::text::{Text, eq};
use crate::plan::{Facts, Field, Nested};
use crate::versioned::UpgradeFrom;

/// A moved field has the type `Self` in the older version and `Newer` in the newer one. Types that
/// are the same, except for an `Option`, need no impl.
#[diagnostic::on_unimplemented(
    message = "a moved field must keep its type, but this one is `{Self}` in the older version and `{Newer}` in the newer one",
    label = "not the same type",
    note = "if the value changes its form, write its converter: `moved(… => …, with = Converter)`",
    note = "if both types are your own, write `#[versioned(from = …)]` on the newer one, and the move needs no converter"
)]
pub trait MovesInto<Newer, Why> {}

/// Accepts any field of a type whose own derive failed, because that error is enough.
#[diagnostic::do_not_recommend]
impl<T> MovesInto<T, Unknown> for Unknown {}

#[diagnostic::do_not_recommend]
impl<T> MovesInto<Unknown, ()> for T {}

impl<T> Probe<T, T> {
    /// Returns `None`, because the type is the same and the value stays as it is.
    pub fn moves(self) -> Option<fn() -> Nested> {
        None
    }
}

/// The same type in both places, or a later version of it, where one of them is an `Option`. `Form`
/// distinguishes the implementations. At most one fits a pair of types.
pub trait SameInside<O, N, Form>: Sized {
    /// Returns the rules between the two types, or `None` if they are the same.
    fn moves(self) -> Option<fn() -> Nested>;
}

impl<T> SameInside<Option<T>, T, ()> for Probe<Option<T>, T> {
    fn moves(self) -> Option<fn() -> Nested> {
        None
    }
}

impl<T> SameInside<T, Option<T>, ()> for Probe<T, Option<T>> {
    fn moves(self) -> Option<fn() -> Nested> {
        None
    }
}

impl<O, N: UpgradeFrom<O>> SameInside<Option<O>, N, InOlder> for Probe<Option<O>, N> {
    fn moves(self) -> Option<fn() -> Nested> {
        Some(N::plan)
    }
}

impl<O, N: UpgradeFrom<O>> SameInside<O, Option<N>, InNewer> for Probe<O, Option<N>> {
    fn moves(self) -> Option<fn() -> Nested> {
        Some(N::plan)
    }
}

/// A later version of the type. Implemented for a reference, so that the others are found first.
pub trait LaterThan<O, N>: Sized {
    /// Returns the rules between the two types.
    fn moves(self) -> Option<fn() -> Nested>;
}

impl<O, N: UpgradeFrom<O>> LaterThan<O, N> for &Probe<O, N> {
    fn moves(self) -> Option<fn() -> Nested> {
        Some(N::plan)
    }
}

/// Any other pair of types. Implemented for a mutable reference, so that all others are found first.
pub trait Unlike<O, N>: Sized {
    /// Requires a trait that no such pair has.
    fn moves<Why>(self) -> Option<fn() -> Nested>
    where
        O: MovesInto<N, Why>,
    {
        None
    }
}

impl<O, N> Unlike<O, N> for &mut Probe<O, N> {}

/// Checks that a field may be absent if only this version has it and its struct is made from moved
/// fields.
///
/// # Panics
///
/// Panics at compile time if it is required.
#[track_caller]
pub const fn holder(made: bool, fields: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, .. }) = find(fields, name) else { return };
    if made && !field.optional && field.default.is_none() && !field.flat.is_flat() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is required, but it exists only if one of the moved fields does: make it an `Option`, or write ")
            .put("`#[versioned(default = …)]` or `#[serde(default)]` on it")
            .fail()
    }
}

/// Checks that a moved field may be absent if it is in no struct. `other` is the field that
/// contains it in the other version.
///
/// # Panics
///
/// Panics at compile time if it is required.
#[track_caller]
pub const fn beside(fields: &[Facts], shown: &str, name: &str, other: &str) {
    let Some(Facts { field, .. }) = find(fields, name) else { return };
    if !field.optional && field.default.is_none() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is required, but it has no value where ")
            .code(other)
            .put(" is absent: make it an `Option`, write `#[versioned(default = …)]` or `#[serde(default)]` on it, or convert it ")
            .put("with `map(…, with = …)`")
            .fail()
    }
}

/// Checks that a field that moves together with others may be absent if it is in no struct.
///
/// # Panics
///
/// Panics at compile time if it is required.
#[track_caller]
pub const fn together(fields: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, .. }) = find(fields, name) else { return };
    if !field.optional && field.default.is_none() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is required, but it has no value where the other version's fields are absent or incomplete: make it an `Option`, ")
            .put("or write `#[versioned(default = …)]` or `#[serde(default)]` on it")
            .fail()
    }
}

/// Checks that a field is written in the same way in both places.
///
/// # Panics
///
/// Panics at compile time if it is written differently.
#[track_caller]
pub const fn moved(
    older: &[Facts],
    older_shown: &str,
    older_name: &str,
    newer: &[Facts],
    newer_shown: &str,
    newer_name: &str,
) {
    let (Some(older), Some(newer)) = (find(older, older_name), find(newer, newer_name)) else {
        return;
    };
    if !eq(older.codec, newer.codec) {
        let text = Text::new().code(older.field.rust).put(" of ").code(older_shown);
        let text = codec(&text.put(" is written "), older).put(", but ");
        codec(&text.code(newer.field.rust).put(" of ").code(newer_shown).put(" "), newer)
            .put(": use the same functions in both, by the same path, or name a converter: ")
            .put("`moved(…, with = …)`")
            .fail()
    }
    if let Some((attribute, newer_has)) = kept_by_one(&older.field, &newer.field) {
        let (mut has, mut shown, mut other, mut other_shown) =
            (&newer.field, newer_shown, &older.field, older_shown);
        if !newer_has {
            (has, shown, other, other_shown) = (other, other_shown, has, shown);
        }
        let text = Text::new().code(has.rust).put(" of ").code(shown).put(" has ").code(attribute);
        let text = text.put(", but not ").code(other.rust).put(" of ").code(other_shown);
        pruned(&text, attribute).put("`moved(…, with = …)`").fail()
    }
}

/// Checks a field of a struct that may be made from moved fields: unless it `is_alone`, another field
/// may be the only one with a value.
///
/// # Panics
///
/// Panics at compile time if the field is required then.
#[track_caller]
pub const fn one_of(
    account: Option<&Account>,
    held: &[Facts],
    shown: &str,
    name: &str,
    newer: bool,
    is_alone: bool,
) {
    let Some(Facts { field, .. }) = find(held, name) else { return };
    let filled = match account {
        Some(account) => contains(account.own(newer), name),
        None => false,
    };
    if !is_alone && !field.optional && field.default.is_none() && !filled {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is required, but the struct is made even if only one of the other moved fields is there: ")
            .put("make it an `Option`, or write `#[versioned(default = …)]` or `#[serde(default)]` on it")
            .fail()
    }
}

/// Checks a value that moves into a flattened struct or out of it, and so keeps its place in JSON:
/// it must be optional in both versions or in neither.
///
/// # Panics
///
/// Panics at compile time if it is optional in only one.
#[track_caller]
pub const fn stays(
    older: &[Facts],
    older_shown: &str,
    older_name: &str,
    newer: &[Facts],
    newer_shown: &str,
    newer_name: &str,
) {
    let (Some(older), Some(newer)) = (find(older, older_name), find(newer, newer_name)) else {
        return;
    };
    let (mut required, mut shown, mut other, mut other_shown) =
        (&older.field, older_shown, &newer.field, newer_shown);
    if required.optional == other.optional {
        return;
    }
    if required.optional {
        (required, shown, other, other_shown) = (other, other_shown, required, shown);
    }
    Text::new()
        .code(required.rust)
        .put(" of ")
        .code(shown)
        .put(" is required, but ")
        .code(other.rust)
        .put(" of ")
        .code(other_shown)
        .put(" isn't: make both an `Option`, or write `#[serde(default)]` on the required one")
        .fail()
}

/// Whether a field is flattened, so that its content is next to the other fields in JSON.
pub const fn is_flat(fields: &[Facts], name: &str) -> bool {
    match find(fields, name) {
        Some(Facts { field, .. }) => field.flat.is_flat(),
        None => false,
    }
}

/// Checks that a struct can be made from some of its fields, and from fields that have a value
/// without them.
///
/// # Panics
///
/// Panics at compile time if it requires other fields.
#[track_caller]
pub const fn made_of(
    account: Option<&Account>,
    held: &[Facts],
    shown: &str,
    names: &[&str],
    newer: bool,
) {
    if broken(held) || !all_found(held, names) {
        return;
    }
    let mut required = Text::new();
    let mut count = 0;
    let mut i = 0;
    while i < held.len() {
        let field = &held[i].field;
        i += 1;
        let filled = match account {
            Some(account) => account.broken || contains(account.own(newer), field.rust),
            None => false,
        };
        if !field.optional
            && field.default.is_none()
            && !field.flat.is_flat()
            && !filled
            && !contains(names, field.rust)
        {
            if count > 0 {
                required = required.put(", ");
            }
            required = required.code(field.rust);
            count += 1;
        }
    }
    if count > 0 {
        let text = Text::new().code(shown).put(" requires ").put(required.as_str());
        let text = match account {
            Some(_) => {
                text.put(", but where the struct was absent, it is made of the moved fields alone")
            }
            None => text.put(", but it is made of the moved fields alone"),
        };
        text.put(": make ")
            .put(required.as_str())
            .put(if count > 1 { " `Option`s, " } else { " an `Option`, " })
            .put(if count > 1 {
                "write `#[versioned(default = …)]` or `#[serde(default)]` on them"
            } else {
                "write `#[versioned(default = …)]` or `#[serde(default)]` on it"
            })
            .put(", or convert with `map(…, with = …)`")
            .fail()
    }
}

/// Returns the number of fields that a struct has in addition to these.
pub const fn others_count(held: &[Facts], names: &[&str]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < held.len() {
        if !contains(names, held[i].field.rust) {
            count += 1;
        }
        i += 1;
    }
    count
}

/// Returns the fields that a struct has in addition to these.
pub const fn others<const N: usize>(held: &[Facts], names: &[&str]) -> [Field; N] {
    let mut others = [BROKEN[0].field; N];
    let (mut count, mut i) = (0, 0);
    while i < held.len() && count < N {
        if !contains(names, held[i].field.rust) {
            others[count] = held[i].field;
            count += 1;
        }
        i += 1;
    }
    others
}

/// Whether all names exist. A misspelled name was reported already.
const fn all_found(held: &[Facts], names: &[&str]) -> bool {
    let mut i = 0;
    while i < names.len() {
        if find(held, names[i]).is_none() {
            return false;
        }
        i += 1;
    }
    true
}
