//! What an enum's variant may hold, as far as that must be known of the type.

use core::marker::PhantomData;
use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::sniff::sniff;
use crate::plan::{Facts, JsonType};

/// A type of which it is known at compile time what kind of JSON value it is.
pub trait Written {
    /// The kinds.
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

/// The kinds of a type: `<Kind<T>>::VALUE`, and what gives them when they are needed: `<Kind<T>>::kinds`.
#[derive(Debug)]
pub struct Kind<T>(PhantomData<T>);

impl<T: Written> Kind<T> {
    /// What is known.
    pub const VALUE: JsonType = T::KIND;

    /// The same.
    pub fn kinds() -> JsonType {
        T::KIND
    }
}

/// Every other type.
pub trait AnyKind<T> {
    /// Nothing is known.
    const VALUE: JsonType = JsonType::ANY;

    /// What its `Deserialize` asks for. With that trait by name, serde says which derive is missing; it doesn't of `DeserializeOwned`.
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
    /// Its fields.
    const FIELDS: &'static [Facts];
}

#[diagnostic::do_not_recommend]
impl<T: InPlace> InPlace for Box<T> {
    const FIELDS: &'static [Facts] = T::FIELDS;
}

/// The fields of a type that an author may leave to their defaults: `<Made<T>>::FIELDS`.
#[derive(Debug)]
pub struct Made<T>(PhantomData<T>);

impl<T: InPlace> Made<T> {
    /// Those of a struct.
    pub const FIELDS: Option<&'static [Facts]> = Some(T::FIELDS);
}

/// Every other type.
pub trait NotMade {
    /// Nothing is known.
    const FIELDS: Option<&'static [Facts]> = None;
}

impl<T> NotMade for Made<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn same<T: Written + serde::de::DeserializeOwned>() {
        assert_eq!(T::KIND, sniff::<T>(), "{}", std::any::type_name::<T>());
    }

    /// What is known is what would be learnt.
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
