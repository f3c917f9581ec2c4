//! What authors declare beside their types, found through the types.

use core::marker::PhantomData;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::{Facts, JsonType, Shape, leaves};
use crate::plan::WriteFn;
use crate::{Tagging, ValidationRule};

/// What the author of a struct declares of a field beside its type.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// `x-kubernetes-list-type`, if it isn't `map`.
    pub list_type: Option<&'static str>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<&'static str>,
    /// What the API server fills in.
    pub default: Option<WriteFn>,
    /// What serde fills in beside it, also where it would leave it out.
    pub serde_default: Option<WriteFn>,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown_fields: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-validations`.
    pub validations: &'static [ValidationRule],
    /// How often a type that holds itself is written out.
    pub recursion_depth: Option<u8>,
}

impl Said {
    /// Of most fields.
    pub const NOTHING: Self = Self {
        list_type: None,
        map_type: None,
        default: None,
        serde_default: None,
        int_or_string: false,
        preserve_unknown_fields: false,
        embedded_resource: false,
        validations: &[],
        recursion_depth: None,
    };
}

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

/// What the author of a type declares of it as a whole.
#[derive(Clone, Copy, Debug)]
pub struct TypeFacts {
    /// Its name as messages show it.
    pub name: &'static str,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<&'static str>,
    /// `x-kubernetes-validations`.
    pub validations: &'static [ValidationRule],
}

/// What is declared of a value.
#[derive(Clone, Copy, Debug)]
pub enum Declared {
    /// Of a struct and of each of its fields.
    Fields(TypeFacts, &'static [Facts]),
    /// Of the items of a list.
    Items(fn() -> Declared),
    /// Of the values of a map.
    Values(fn() -> Declared),
    /// Of an enum and of what its variants hold.
    Variants(TypeFacts, Tagging, &'static [Holds]),
    /// Of the one field of this name.
    Around(&'static str, fn() -> Option<Declared>),
    /// Nothing: the type's own schema says what there is to know.
    #[cfg(feature = "schema")]
    Foreign(ForeignType),
}

/// What gives the schema of a type without the derive.
#[cfg(feature = "schema")]
pub type ForeignType = fn(&mut schemars::SchemaGenerator) -> schemars::Schema;

/// A variant and what is declared of what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Holds {
    /// Its name in JSON.
    pub wire: &'static str,
    /// What is declared.
    pub inside: fn() -> Option<Declared>,
}

impl Declared {
    /// What is declared of a struct's field, by its name in JSON.
    pub(crate) fn field(self, wire: &str) -> Option<&'static Facts> {
        match self {
            Self::Fields(_, fields) => leaves(fields)
                .into_iter()
                .find(|facts| !facts.field.is_rest() && facts.field.wire == wire),
            _ => None,
        }
    }

    /// What is declared of what is in a field, by its name in JSON.
    #[cfg(feature = "schema")]
    pub(crate) fn inside(self, wire: &str) -> Option<Declared> {
        match self {
            Self::Around(name, inside) if name == wire => inside(),
            // A map whose keys are the names of an enum.
            Self::Values(inside) => Some(inside()),
            _ => (self.field(wire)?.field.inside)(),
        }
    }

    /// The type's own `x-kubernetes-map-type`.
    #[cfg(feature = "schema")]
    pub(crate) fn map_type(self) -> Option<&'static str> {
        match self {
            Self::Fields(of, _) | Self::Variants(of, ..) => of.map_type,
            _ => None,
        }
    }

    /// The same where another map type is said, or none.
    #[cfg(feature = "schema")]
    pub(crate) fn with_map_type(mut self, map_type: Option<&'static str>) -> Self {
        if let Self::Fields(of, _) | Self::Variants(of, ..) = &mut self {
            of.map_type = map_type;
        }
        self
    }

    /// The names in JSON of the fields whose author says what the API server fills in.
    #[cfg(feature = "schema")]
    pub(crate) fn explicit_defaults(self) -> Vec<&'static str> {
        let Self::Fields(_, fields) = self else { return Vec::new() };
        let fields = leaves(fields).into_iter().filter(|facts| facts.said.default.is_some());
        fields.map(|facts| facts.field.wire).collect()
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
    pub fn declared(self) -> Option<Declared> {
        Some(T::declared())
    }
}

/// Another type, which has a schema.
pub trait SchemaDeclared: Sized {
    /// The schema says it.
    fn declared(self) -> Option<Declared>;
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> SchemaDeclared for Inside<T> {
    fn declared(self) -> Option<Declared> {
        Some(Declared::Foreign(schemars::SchemaGenerator::subschema_for::<T>))
    }
}

/// Every other type. A reference, so that the others are found first.
pub trait NothingDeclared: Sized {
    /// It isn't.
    fn declared(self) -> Option<Declared> {
        None
    }
}

impl<T> NothingDeclared for &Inside<T> {}

/// A list, through what leaves no trace in JSON.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a list, so `list_map_keys` has no items to tell apart",
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
}

/// Where nothing is known of them, which [`keyed_list`] has said.
pub trait NoItems {
    /// None.
    const NAME: &'static str = "";
    /// None.
    const NAMES: &'static [(&'static str, &'static str)] = &[("", "")];
}

impl<T> NoItems for Items<T> {}

/// Items whose fields have Rust names.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned struct, so the Rust names of its fields aren't known here",
    label = "the items are `{Self}`",
    note = "write the names that the fields have in JSON, in quotes: `list_map_keys(\"name\")`",
    note = "or put `#[derive(Versioned)]` on the items' struct; the oldest version needs no attributes"
)]
pub trait Named {}

#[diagnostic::do_not_recommend]
impl<T: Shape> Named for T {}

/// Checks that a type is a list.
pub const fn list<T: List>() {}

/// Checks that a type is a list of versioned structs.
pub const fn keyed_list<T: List<Item: Named>>() {}
