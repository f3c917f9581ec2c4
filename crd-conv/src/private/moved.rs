//! Questions about a struct that fields go into or come out of, as those of `lookup`.

use core::marker::PhantomData;

use super::lookup::{broken, codec, contains, find};
use super::text::{Text, eq};
use super::{BROKEN, Facts, FieldOf, Probe, Shape, Unknown};
use crate::Field;

/// A field's type, if fields can move into it.
#[diagnostic::on_unimplemented(
    message = "fields can't move into `{Self}` or out of it",
    label = "not a versioned struct",
    note = "the field's type is a struct or an `Option` of one",
    note = "put `#[derive(Versioned)]` on the struct; the oldest version needs no attributes"
)]
pub trait Holder {
    /// Without `Option`.
    type Struct: Shape;
}

impl<T: Shape> Holder for T {
    type Struct = T;
}

#[diagnostic::do_not_recommend]
impl<T: Shape> Holder for Option<T> {
    type Struct = T;
}

/// What a type whose derive failed holds.
impl Shape for Unknown {
    const NAME: &'static str = "";
    const NAMES: &'static [(&'static str, &'static str)] = &[("", "")];
    const FIELDS: &'static [Facts] = BROKEN;
}

impl FieldOf<super::At<0>, Unknown> for Unknown {
    fn read(_: Option<&str>) -> Result<Unknown, crate::ConvertError> {
        Ok(Unknown)
    }

    fn write(_: &Unknown, _: &mut String) -> Result<bool, crate::ConvertError> {
        Ok(false)
    }
}

/// The struct in a field.
#[derive(Debug)]
pub struct Held<S>(PhantomData<S>);

impl<S: Shape> Held<S> {
    /// Its fields.
    pub const fn fields(&self) -> &'static [Facts] {
        S::FIELDS
    }

    /// Its name as messages show it.
    pub const fn name(&self) -> &'static str {
        S::NAME
    }
}

/// Finds the struct in a field. Everything about it goes through here, so that a field without one is one error.
pub const fn held<S: FieldOf<At, T>, At, T: Holder>() -> Held<T::Struct> {
    Held(PhantomData)
}

/// The type of a field of a struct in a field.
pub const fn inside_ty<In, S: FieldOf<In, T>, T>(_: &Held<S>) -> PhantomData<T> {
    PhantomData
}

/// Outside a struct a moved field is of this type and inside of the other one. Types that are the same, but for an
/// `Option`, need no impl.
#[diagnostic::on_unimplemented(
    message = "a moved field keeps its type, but this one is `{Self}` outside the struct and `{Inside}` in it",
    label = "not the same type",
    note = "if the value changes its form, convert the fields together with the struct: `map((field, …) <=> holder, with = …)`"
)]
pub trait MovesInto<Inside, Why> {}

/// Whatever is outside a type whose own derive failed, or in it: that error is enough.
#[diagnostic::do_not_recommend]
impl<T> MovesInto<T, Unknown> for Unknown {}

#[diagnostic::do_not_recommend]
impl<T> MovesInto<Unknown, ()> for T {}

impl<T> Probe<T, T> {
    /// The same type.
    pub fn moves(self) {}
}

/// The same type, which may be absent in one of the places.
pub trait Wrapped: Sized {
    /// They are.
    fn moves(self) {}
}

impl<T> Wrapped for Probe<Option<T>, T> {}

impl<T> Wrapped for Probe<T, Option<T>> {}

/// Every other pair of types: a reference, so that the others are found first.
pub trait Unlike<O, N>: Sized {
    /// They must be what they aren't.
    fn moves<Why>(self)
    where
        O: MovesInto<N, Why>,
    {
    }
}

impl<O, N> Unlike<O, N> for &Probe<O, N> {}

/// Checks that a field whose struct is made of others may be absent.
///
/// # Panics
///
/// At compile time, if it is required.
#[track_caller]
pub const fn holder(fields: &[Facts], shown: &str, name: &str) {
    let Some(Facts { field, .. }) = find(fields, name) else { return };
    if !field.optional && !field.flat.is_flat() {
        Text::new()
            .code(field.rust)
            .put(" of ")
            .code(shown)
            .put(" is required, but it exists only if one of the moved fields does: make it an `Option`, or write ")
            .put("`#[serde(default)]` on it")
            .fail()
    }
}

/// Checks that a field can stand outside the struct and in it.
///
/// # Panics
///
/// At compile time, if it can't.
#[track_caller]
#[expect(clippy::too_many_arguments, reason = "what a message says of two places")]
pub const fn moved(
    around: &[Facts],
    beside: &[Facts],
    beside_shown: &str,
    outside: &str,
    held: &[Facts],
    held_shown: &str,
    inside: &str,
    holder: &str,
    count: usize,
) {
    let (Some(outside), Some(inside)) = (find(beside, outside), find(held, inside)) else { return };
    if !eq(outside.codec, inside.codec) {
        let text = Text::new().code(outside.field.rust).put(" of ").code(beside_shown);
        let text = codec(&text.put(" is written "), outside).put(", but ");
        codec(&text.code(inside.field.rust).put(" of ").code(held_shown).put(" "), inside)
            .put(": use the same functions in both, by the same path, or name a converter: ")
            .put("`map(…, with = …)`")
            .fail()
    }
    if let Some(Facts { field, .. }) = find(around, holder)
        && field.flat.is_flat()
    {
        return stays(outside, beside_shown, inside, held_shown);
    }
    if !outside.field.optional {
        Text::new()
            .code(outside.field.rust)
            .put(" of ")
            .code(beside_shown)
            .put(" is required, but there is none where ")
            .code(holder)
            .put(" is absent: make it an `Option`, write `#[serde(default)]` on it, or convert it with ")
            .put("`map(…, with = …)`")
            .fail()
    }
    if !inside.field.optional && count > 1 {
        Text::new()
            .code(inside.field.rust)
            .put(" of ")
            .code(held_shown)
            .put(" is required, but the struct is made even if only one of the other moved fields is there: ")
            .put("make it an `Option`, or write `#[serde(default)]` on it")
            .fail()
    }
}

/// Checks that a field can stand in a flattened struct in one version only: in JSON it is where it was.
#[track_caller]
const fn stays(outside: &Facts, beside_shown: &str, inside: &Facts, held_shown: &str) {
    let (mut required, mut shown, mut other, mut other_shown) =
        (&outside.field, beside_shown, &inside.field, held_shown);
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
        .put(" isn't: make both an `Option`, or write `#[serde(default)]` on it")
        .fail()
}

/// Checks that a struct can be made of some of its fields.
///
/// # Panics
///
/// At compile time, if it can't.
#[track_caller]
pub const fn made_of(held: &[Facts], shown: &str, names: &[&str]) {
    if broken(held) || !all_found(held, names) {
        return;
    }
    let mut required = Text::new();
    let mut count = 0;
    let mut i = 0;
    while i < held.len() {
        let field = &held[i].field;
        i += 1;
        if !field.optional
            && field.default.is_none()
            && !field.flat.is_flat()
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
        let them = if count > 1 { "them" } else { "it" };
        Text::new()
            .code(shown)
            .put(" requires ")
            .put(required.as_str())
            .put(", but here it is made of the moved fields alone: make ")
            .put(them)
            .put(if count > 1 { " `Option`s" } else { " an `Option`" })
            .put(", write `#[serde(default)]` on ")
            .put(them)
            .put(", or convert with `map(…, with = …)`")
            .fail()
    }
}

/// How many fields a struct has besides some of them.
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

/// The fields that a struct has besides some of them.
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

/// A misspelt name has its own error.
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
