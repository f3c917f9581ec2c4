//! A resource as data: its versions, their types, and how each came from the version before.

use std::collections::{BTreeMap, BTreeSet};

/// The struct that a version starts at.
pub(crate) const SPEC: &str = "Spec";

pub(crate) struct Resource {
    /// The oldest first.
    pub(crate) versions: Vec<Version>,
    /// The place of the one that is stored.
    pub(crate) storage: usize,
}

/// The types of a version, by their names. No struct stands in two places.
#[derive(Clone, Default)]
pub(crate) struct Version {
    pub(crate) structs: BTreeMap<String, Struct>,
    pub(crate) enums: BTreeMap<String, Enum>,
}

#[derive(Clone, Default)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    /// None if the older version has no such struct.
    pub(crate) mapping: Option<Mapping>,
}

/// What is said of a struct's older version, beside what its fields say.
#[derive(Clone, Default)]
pub(crate) struct Mapping {
    pub(crate) removed: Vec<String>,
    pub(crate) moved: Vec<Moved>,
}

/// Two paths of fields, the older first.
#[derive(Clone)]
pub(crate) struct Moved {
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
}

#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) base: Base,
    pub(crate) wrap: Wrap,
    pub(crate) default: Option<Literal>,
    /// Whether `nullable = false` is said of it.
    pub(crate) refuses_null: bool,
    /// Whether serde leaves it out where it is nothing.
    pub(crate) skipped: bool,
    pub(crate) origin: Origin,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Base {
    Int,
    Text,
    /// A text that is a number.
    Digits,
    Bool,
    Struct(String),
    /// An enum of which no variant holds anything.
    Enum(String),
    /// An enum with variants that hold fields.
    Union(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrap {
    Option,
    Plain,
    List,
    /// A list with items that are told apart by their `key`.
    Keyed,
    Map,
}

#[derive(Clone)]
pub(crate) enum Origin {
    /// Nothing is said: it is as it was, or what moves to it is said elsewhere, or its whole struct is new.
    Unsaid,
    Added,
    Renamed(String),
    IntToText,
    TextToInt,
}

#[derive(Clone)]
pub(crate) struct Enum {
    pub(crate) tag: Option<&'static str>,
    pub(crate) variants: Vec<Variant>,
    /// The variants that there are no more, and what they are shown as; None if the older version has no such enum.
    pub(crate) removed: Option<Vec<(String, String)>>,
}

#[derive(Clone)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    /// The fields that it holds no more.
    pub(crate) removed: Vec<String>,
    pub(crate) origin: VariantOrigin,
}

#[derive(Clone)]
pub(crate) enum VariantOrigin {
    Unsaid,
    Renamed(String),
    /// The older version shows it as another.
    Added(String),
}

/// What a default is written as.
#[derive(Clone)]
pub(crate) enum Literal {
    Int(i64),
    Bool(bool),
    Text(&'static str),
    /// Inside a struct, where a text is an owned one.
    EmptyText,
    Variant {
        of: String,
        name: String,
    },
    Struct {
        of: String,
        fields: Vec<(String, Literal)>,
    },
    Nothing,
    Some(Box<Literal>),
    EmptyList,
    EmptyMap,
}

impl Version {
    /// The same types as a newer version, of which nothing is said yet.
    pub(crate) fn carried(&self) -> Self {
        let mut newer = self.clone();
        for value in newer.structs.values_mut() {
            value.mapping = Some(Mapping::default());
            value.fields.iter_mut().for_each(Field::carry);
        }
        for value in newer.enums.values_mut() {
            value.removed = Some(Vec::new());
            for variant in &mut value.variants {
                variant.origin = VariantOrigin::Unsaid;
                variant.removed.clear();
                variant.fields.iter_mut().for_each(Field::carry);
            }
        }
        newer
    }

    /// Leaves out the types that nothing leads to.
    pub(crate) fn prune(&mut self) {
        let (mut structs, mut enums) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![SPEC.to_owned()];
        while let Some(name) = open.pop() {
            for field in self.fields(&name) {
                match &field.base {
                    Base::Struct(inner) => open.push(inner.clone()),
                    Base::Enum(inner) | Base::Union(inner) => _ = enums.insert(inner.clone()),
                    Base::Int | Base::Text | Base::Digits | Base::Bool => {}
                }
            }
            structs.insert(name);
        }
        self.structs.retain(|name, _| structs.contains(name));
        self.enums.retain(|name, _| enums.contains(name));
    }

    /// The fields of a struct; none of one that isn't there.
    pub(crate) fn fields(&self, of: &str) -> &[Field] {
        self.structs.get(of).map_or(&[], |value| &value.fields)
    }

    /// A struct that is there, or will be.
    pub(crate) fn at(&mut self, name: &str) -> &mut Struct {
        self.structs.entry(name.to_owned()).or_default()
    }
}

impl Struct {
    /// Notes that the newer version has a field no more.
    pub(crate) fn removes(&mut self, field: String) {
        self.mapping.get_or_insert_default().removed.push(field);
    }
}

impl Enum {
    /// Whether it's only a list of names.
    pub(crate) fn is_plain(&self) -> bool {
        self.variants.iter().all(|variant| variant.fields.is_empty())
    }
}

impl Field {
    pub(crate) fn new(name: String, base: Base, wrap: Wrap) -> Self {
        Self {
            name,
            base,
            wrap,
            default: None,
            refuses_null: false,
            skipped: false,
            origin: Origin::Unsaid,
        }
    }

    fn carry(&mut self) {
        self.origin = Origin::Unsaid;
    }

    /// Whether objects without it are refused.
    pub(crate) fn is_required(&self) -> bool {
        self.wrap == Wrap::Plain && self.default.is_none()
    }
}
