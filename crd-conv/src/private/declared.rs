//! Authors' declarations in addition to their types, found through the types.

use core::marker::PhantomData;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::Shape;
use crate::plan::{Declared, JsonType};

/// The kinds of JSON value of an integer or a string.
pub fn int_or_string<const OPTION: bool>() -> JsonType {
    let kinds = JsonType::INTEGER.or(JsonType::STRING);
    if OPTION { kinds.or(JsonType::NULL) } else { kinds }
}

/// The kinds of JSON value of an embedded resource or a list of them, from the kinds of its type.
pub fn embedded_resource<const OPTION: bool>(kinds: fn() -> JsonType) -> JsonType {
    match kinds() {
        JsonType::ANY if OPTION => JsonType::OBJECT.or(JsonType::NULL),
        JsonType::ANY => JsonType::OBJECT,
        kinds => kinds,
    }
}

/// A versioned struct, or a container of one.
pub trait Declares {
    /// Returns the author's declarations.
    fn declared() -> Declared;
}

impl<T: Declares> Declares for Option<T> {
    fn declared() -> Declared {
        T::declared()
    }
}

impl<T: Declares> Declares for Box<T> {
    fn declared() -> Declared {
        T::declared()
    }
}

impl<T: Declares> Declares for Vec<T> {
    fn declared() -> Declared {
        Declared::Items(T::declared)
    }
}

impl<T: Declares> Declares for VecDeque<T> {
    fn declared() -> Declared {
        Declared::Items(T::declared)
    }
}

impl<T: Declares, const N: usize> Declares for [T; N] {
    fn declared() -> Declared {
        Declared::Items(T::declared)
    }
}

impl<T: Declares> Declares for BTreeSet<T> {
    fn declared() -> Declared {
        Declared::Items(T::declared)
    }
}

impl<T: Declares, S> Declares for HashSet<T, S> {
    fn declared() -> Declared {
        Declared::Items(T::declared)
    }
}

impl<K, T: Declares> Declares for BTreeMap<K, T> {
    fn declared() -> Declared {
        Declared::Values(T::declared)
    }
}

impl<K, T: Declares, S> Declares for HashMap<K, T, S> {
    fn declared() -> Declared {
        Declared::Values(T::declared)
    }
}

#[cfg(feature = "indexmap")]
impl<K, T: Declares, S> Declares for indexmap::IndexMap<K, T, S> {
    fn declared() -> Declared {
        Declared::Values(T::declared)
    }
}

/// A field's type, which may have declarations: `Inside::<T>::OF.declared()`.
#[derive(Debug)]
pub struct Inside<T>(PhantomData<T>);

impl<T> Inside<T> {
    /// The only value of this type.
    pub const OF: Self = Self(PhantomData);
}

impl<T: Declares> Inside<T> {
    /// Returns the declarations of a versioned type.
    pub fn declared(self) -> Option<fn() -> Declared> {
        Some(T::declared)
    }
}

/// Any other type that has a schema.
pub trait SchemaDeclared: Sized {
    /// Returns the declarations in the schema.
    fn declared(self) -> Option<fn() -> Declared>;
}

impl<T: schemars::JsonSchema> SchemaDeclared for Inside<T> {
    fn declared(self) -> Option<fn() -> Declared> {
        Some(foreign::<T>)
    }
}

fn foreign<T: schemars::JsonSchema>() -> Declared {
    Declared::Foreign(schemars::SchemaGenerator::subschema_for::<T>)
}

/// Any other type. Implemented for a reference, so that the others are found first.
pub trait NothingDeclared: Sized {
    /// Returns `None`.
    fn declared(self) -> Option<fn() -> Declared> {
        None
    }
}

impl<T> NothingDeclared for &Inside<T> {}

/// A list, or an `Option` or a `Box` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a list, so it can't have `list_map_keys`",
    label = "not a `Vec`"
)]
pub trait List {
    /// The type of the items.
    type Item;
}

#[diagnostic::do_not_recommend]
impl<T> List for Vec<T> {
    type Item = T;
}

#[diagnostic::do_not_recommend]
impl<L: List> List for Option<L> {
    type Item = L::Item;
}

#[diagnostic::do_not_recommend]
impl<L: List> List for Box<L> {
    type Item = L::Item;
}

/// The names of the fields in a list's items: `<Items<T>>::NAMES`.
#[derive(Debug)]
pub struct Items<T>(PhantomData<T>);

impl<T: List<Item: Shape>> Items<T> {
    /// The name of the items' type.
    pub const NAME: &'static str = <T::Item as Shape>::NAME;
    /// The JSON name of each field by its Rust name.
    pub const NAMES: &'static [(&'static str, &'static str)] = <T::Item as Shape>::NAMES;
    /// The Rust names of the fields that serde skips.
    pub const SKIPPED: &'static [&'static str] = <T::Item as Shape>::SKIPPED;
}

/// The names of unknown items. [`keyed_list`] reports that they are unknown.
pub trait NoItems {
    /// An empty name.
    const NAME: &'static str = "";
    /// A placeholder.
    const NAMES: &'static [(&'static str, &'static str)] = &[("", "")];
    /// No names.
    const SKIPPED: &'static [&'static str] = &[];
}

impl<T> NoItems for Items<T> {}

/// Items whose fields have known Rust names.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned struct, so the Rust names of its fields aren't known here",
    label = "the items are `{Self}`",
    note = "write the names that the fields have in JSON, in quotes: `list_map_keys(\"name\")`",
    note = "or put `#[derive(Versioned)]` on the items' struct, if it is yours; the oldest version needs no attributes"
)]
pub trait Named {}

#[diagnostic::do_not_recommend]
impl<T: Shape> Named for T {}

/// Checks that a type is a list.
pub const fn list<T: List>() {}

/// Checks that a type is a list of versioned structs.
pub const fn keyed_list<T: List<Item: Named>>() {}
