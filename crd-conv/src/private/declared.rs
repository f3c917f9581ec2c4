//! What authors declare in addition to their types, found through the types.

use core::marker::PhantomData;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::Shape;
use crate::plan::{Declared, JsonType};

/// The kinds of an integer or a string.
pub fn int_or_string<const OPTION: bool>() -> JsonType {
    let kinds = JsonType::INTEGER.or(JsonType::STRING);
    if OPTION { kinds.or(JsonType::NULL) } else { kinds }
}

/// The kinds of a resource inside of an object, or of a list of such, by those of its type.
pub fn embedded_resource<const OPTION: bool>(kinds: fn() -> JsonType) -> JsonType {
    match kinds() {
        JsonType::ANY if OPTION => JsonType::OBJECT.or(JsonType::NULL),
        JsonType::ANY => JsonType::OBJECT,
        kinds => kinds,
    }
}

/// A versioned struct, also in containers.
pub trait Declares {
    /// What its author declares.
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

/// A field's type, of which something may be declared: `Inside::<T>::OF.declared()`.
#[derive(Debug)]
pub struct Inside<T>(PhantomData<T>);

impl<T> Inside<T> {
    /// The type.
    pub const OF: Self = Self(PhantomData);
}

impl<T: Declares> Inside<T> {
    /// It is.
    pub fn declared(self) -> Option<fn() -> Declared> {
        Some(T::declared)
    }
}

/// Another type, which has a schema.
pub trait SchemaDeclared: Sized {
    /// The schema says it.
    fn declared(self) -> Option<fn() -> Declared>;
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> SchemaDeclared for Inside<T> {
    fn declared(self) -> Option<fn() -> Declared> {
        Some(foreign::<T>)
    }
}

#[cfg(feature = "schema")]
fn foreign<T: schemars::JsonSchema>() -> Declared {
    Declared::Foreign(schemars::SchemaGenerator::subschema_for::<T>)
}

/// Every other type. A reference, so that the others are found first.
pub trait NothingDeclared: Sized {
    /// It isn't.
    fn declared(self) -> Option<fn() -> Declared> {
        None
    }
}

impl<T> NothingDeclared for &Inside<T> {}

/// A list, through what leaves no trace in JSON.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a list, so it can't have `list_map_keys`",
    label = "not a `Vec`"
)]
pub trait List {
    /// What it holds.
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

/// What the fields of a list's items are called: `<Items<T>>::NAMES`.
#[derive(Debug)]
pub struct Items<T>(PhantomData<T>);

impl<T: List<Item: Shape>> Items<T> {
    /// The items' type.
    pub const NAME: &'static str = <T::Item as Shape>::NAME;
    /// The name in JSON of each field by its Rust name.
    pub const NAMES: &'static [(&'static str, &'static str)] = <T::Item as Shape>::NAMES;
    /// The Rust names of those that serde skips.
    pub const SKIPPED: &'static [&'static str] = <T::Item as Shape>::SKIPPED;
}

/// Where nothing is known of them, which [`keyed_list`] has said.
pub trait NoItems {
    /// None.
    const NAME: &'static str = "";
    /// None.
    const NAMES: &'static [(&'static str, &'static str)] = &[("", "")];
    /// None.
    const SKIPPED: &'static [&'static str] = &[];
}

impl<T> NoItems for Items<T> {}

/// Items whose fields have Rust names.
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
