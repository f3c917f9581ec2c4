//! Finds out at compile time what an enum's variants may contain, as far as it depends on their
//! types.

use core::marker::PhantomData;
use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::sniff::sniff;
use crate::plan::{Facts, JsonType};

/// A type whose kind of JSON value is known at compile time.
pub trait Written {
    /// The kinds of JSON value.
    const KIND: JsonType;
}

macro_rules! written {
    ($($kind:ident: $($ty:ty)*;)*) => {$($(
        impl Written for $ty {
            const KIND: JsonType = JsonType::$kind;
        }
    )*)*};
}

written! {
    BOOLEAN: bool;
    INTEGER: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
    NUMBER: f32 f64;
    STRING: String char;
}

impl<T> Written for Vec<T> {
    const KIND: JsonType = JsonType::ARRAY;
}

impl<K, T> Written for BTreeMap<K, T> {
    const KIND: JsonType = JsonType::OBJECT;
}

impl<K, T, S> Written for HashMap<K, T, S> {
    const KIND: JsonType = JsonType::OBJECT;
}

#[cfg(feature = "indexmap")]
impl<K, T, S> Written for indexmap::IndexMap<K, T, S> {
    const KIND: JsonType = JsonType::OBJECT;
}

impl<T: Written> Written for Option<T> {
    const KIND: JsonType = T::KIND.or(JsonType::NULL);
}

impl<T: Written> Written for Box<T> {
    const KIND: JsonType = T::KIND;
}

/// The kinds of JSON value of a type: `<Kind<T>>::VALUE`, or the function `<Kind<T>>::kinds`, which
/// finds them when they are needed.
#[derive(Debug)]
pub struct Kind<T>(PhantomData<T>);

impl<T: Written> Kind<T> {
    /// The known kinds.
    pub const VALUE: JsonType = T::KIND;

    /// Returns the known kinds.
    pub fn kinds() -> JsonType {
        T::KIND
    }
}

/// Any other type.
pub trait AnyKind<T> {
    /// Nothing is known about the type.
    const VALUE: JsonType = JsonType::ANY;

    /// Returns the kinds that the type's `Deserialize` asks for. If the bound names that trait,
    /// serde's message says which derive is missing. With `DeserializeOwned` it doesn't.
    fn kinds() -> JsonType
    where
        T: for<'de> Deserialize<'de>,
    {
        sniff::<T>()
    }
}

impl<T> AnyKind<T> for Kind<T> {}

/// A struct whose fields may be next to a variant's tag.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned struct, so its fields can't be mapped next to a variant's tag",
    label = "its fields are next to the tag",
    note = "with `#[serde(tag = …)]`, a variant that changes must hold a struct of yours with `#[derive(Versioned)]`, or have fields of \
            its own",
    note = "or write `#[serde(tag = …, content = …)]`, which puts the data of a variant into a field of its own"
)]
pub trait InPlace {
    /// The struct's fields.
    const FIELDS: &'static [Facts];
}

#[diagnostic::do_not_recommend]
impl<T: InPlace> InPlace for Box<T> {
    const FIELDS: &'static [Facts] = T::FIELDS;
}

/// The fields of a struct in a variant. If the variant is made from nothing, each of them needs a
/// default: `<Made<T>>::FIELDS`.
#[derive(Debug)]
pub struct Made<T>(PhantomData<T>);

impl<T: InPlace> Made<T> {
    /// The fields of a struct.
    pub const FIELDS: Option<&'static [Facts]> = Some(T::FIELDS);
}

/// Any other type.
pub trait NotMade {
    /// Nothing is known about the type.
    const FIELDS: Option<&'static [Facts]> = None;
}

impl<T> NotMade for Made<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn same<T: Written + serde::de::DeserializeOwned>() {
        assert_eq!(T::KIND, sniff::<T>(), "{}", std::any::type_name::<T>());
    }

    /// The known kinds are those that `Deserialize` would ask for.
    #[test]
    fn kinds_are_those_that_serde_asks_for() {
        same::<bool>();
        same::<u8>();
        same::<i64>();
        same::<f32>();
        same::<char>();
        same::<String>();
        same::<Vec<Option<i32>>>();
        same::<BTreeMap<String, bool>>();
        same::<HashMap<String, Vec<u8>>>();
        same::<Option<String>>();
        same::<Option<Box<Vec<f64>>>>();
        same::<Box<Option<i16>>>();
        assert_eq!(<Kind<Option<u8>>>::kinds(), JsonType::INTEGER.or(JsonType::NULL));
        assert_eq!(<Kind<serde_json::Value>>::kinds(), JsonType::ANY);
    }
}
