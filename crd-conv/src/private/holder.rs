//! Finds the structs that contain moved values, through the types that may wrap them.

use core::marker::PhantomData;
use std::collections::{BTreeMap, HashMap};

use super::shape::{FieldOf, Shape, Unknown};
use super::text::Text;
use crate::plan::Facts;

/// The type of a field that values can move into or out of.
#[diagnostic::on_unimplemented(
    message = "fields can't move into `{Self}` or out of it",
    label = "not a versioned struct",
    note = "each field on the path to a moved field must be a struct, or an `Option` or a `Box` of one",
    note = "put `#[derive(Versioned)]` on the struct, if it is yours; the oldest version needs no attributes",
    note = "to move a value into a type of another crate, or out of it, write a converter: `map(field <=> holder, with = Converter)`"
)]
pub trait Holder {
    /// The struct inside `Option` and `Box`.
    type Struct: Shape;
    /// Whether there may be many structs, so that a value has no single place. [`one_place`]
    /// reports that.
    const MANY: bool = false;
}

#[diagnostic::do_not_recommend]
impl<T: Holder> Holder for Option<T> {
    type Struct = T::Struct;
    const MANY: bool = T::MANY;
}

#[diagnostic::do_not_recommend]
impl<T: Holder> Holder for Box<T> {
    type Struct = T::Struct;
    const MANY: bool = T::MANY;
}

#[diagnostic::do_not_recommend]
impl<T> Holder for Vec<T> {
    type Struct = Unknown;
    const MANY: bool = true;
}

#[diagnostic::do_not_recommend]
impl<K, T> Holder for BTreeMap<K, T> {
    type Struct = Unknown;
    const MANY: bool = true;
}

#[diagnostic::do_not_recommend]
impl<K, T, S> Holder for HashMap<K, T, S> {
    type Struct = Unknown;
    const MANY: bool = true;
}

#[cfg(feature = "indexmap")]
#[diagnostic::do_not_recommend]
impl<K, T, S> Holder for indexmap::IndexMap<K, T, S> {
    type Struct = Unknown;
    const MANY: bool = true;
}

#[diagnostic::do_not_recommend]
impl Holder for Unknown {
    type Struct = Self;
}

/// The struct inside a field.
#[derive(Debug)]
pub struct Held<S> {
    of: PhantomData<S>,
    many: bool,
}

impl<S: Shape> Held<S> {
    const fn of<T: Holder<Struct = S>>() -> Self {
        Self { of: PhantomData, many: T::MANY }
    }

    /// Returns the struct's fields.
    pub const fn fields(&self) -> &'static [Facts] {
        S::FIELDS
    }

    /// Returns the names of the fields that serde skips.
    pub const fn skipped(&self) -> &'static [&'static str] {
        S::SKIPPED
    }

    /// Returns the struct's name in messages.
    pub const fn name(&self) -> &'static str {
        S::NAME
    }
}

/// Finds the struct in a field. All other code gets it from here, so a field without a struct is
/// only one error.
pub const fn held<S: FieldOf<At, T>, At, T: Holder>() -> Held<T::Struct> {
    Held::of::<T>()
}

/// Finds the struct in a field of a struct that was found in a field.
pub const fn held_in<In, S: FieldOf<In, T>, T: Holder>(_: &Held<S>) -> Held<T::Struct> {
    Held::of::<T>()
}

/// Finds the struct in a stanza.
pub const fn held_as<T: Holder>() -> Held<T::Struct> {
    Held::of::<T>()
}

/// The placeholder for no struct.
pub const fn nothing() -> Held<Unknown> {
    Held::of::<Unknown>()
}

/// Checks that a value in a field has one place.
///
/// # Panics
///
/// Panics at compile time if the field is a list or a map.
#[track_caller]
pub const fn one_place<S>(held: &Held<S>, shown: &str, name: &str) {
    if held.many {
        Text::new()
            .code(name)
            .put(" of ")
            .code(shown)
            .put(" is a list or a map, so a field of its items has no single place, and `moved(…)` can't go through it: ")
            .put("move the list or map as a whole, with a converter: `moved(… => …, with = …)`")
            .fail()
    }
}

/// Returns the type of a field of a struct that was found in a field.
pub const fn inside_ty<In, S: FieldOf<In, T>, T>(_: &Held<S>) -> PhantomData<T> {
    PhantomData
}
