//! A resource as data: its versions, their types, and how each came from the version before.

use std::collections::{BTreeMap, BTreeSet};

/// The struct that a version starts at.
pub(crate) const SPEC: &str = "Spec";

/// The field that converters of values look for, and the one that items are told apart by.
pub(crate) const AMOUNT: &str = "amount";
pub(crate) const KEY: &str = "key";

pub(crate) struct ResourceType {
    /// The oldest first.
    pub(crate) versions: Vec<Version>,
    /// The place of the one that is stored.
    pub(crate) storage: usize,
}

/// The types of a version, by their names. No struct stands in two places. Those that all versions share are in each of them.
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
    pub(crate) sort: Sort,
    /// What a converter makes; None if none makes or takes one.
    pub(crate) made: Option<Literal>,
}

/// Whose a type is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A version's own, from which the next version's comes.
    #[default]
    Own,
    /// The same in all versions.
    Shared,
    /// The same in all versions, without the derive.
    Foreign,
}

/// What is said of a struct's older version, beside what its fields say.
#[derive(Clone, Default)]
pub(crate) struct Mapping {
    pub(crate) removed: Vec<String>,
    pub(crate) moved: Vec<Moved>,
    /// Groups of fields with their converters.
    pub(crate) maps: Vec<String>,
}

/// Two paths of fields, the older first.
#[derive(Clone)]
pub(crate) struct Moved {
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
    /// The converter of the value.
    pub(crate) with: Option<&'static str>,
}

#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) base: Base,
    pub(crate) wrap: Wrap,
    pub(crate) default: Option<Literal>,
    /// Whether `nullable = false` is said of it.
    pub(crate) refuses_null: bool,
    /// Whether serde leaves it out where it is nothing, or what it would fill in.
    pub(crate) skipped: bool,
    /// Whether serde fills it in where it is absent. It does so with lists and maps anyway.
    pub(crate) filled: bool,
    pub(crate) origin: Origin,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Base {
    Int,
    Text,
    /// A text that is a number.
    Digits,
    /// A text that holds an amount as JSON, or tries to.
    Json,
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
    Converted(With),
}

/// A converter, as it is written.
#[derive(Clone)]
pub(crate) struct With {
    pub(crate) converter: String,
    pub(crate) fallback: Option<&'static str>,
    /// The field's name in the older version, if it's another one.
    pub(crate) renamed: Option<String>,
}

#[derive(Clone)]
pub(crate) struct Enum {
    pub(crate) tag: Option<&'static str>,
    pub(crate) content: Option<&'static str>,
    pub(crate) variants: Vec<Variant>,
    /// The variants that there are no more, and what they are shown as; None if the older version has no such enum.
    pub(crate) removed: Option<Vec<(String, String)>>,
    pub(crate) sort: Sort,
    /// What a converter makes; None if none makes or takes one.
    pub(crate) made: Option<Literal>,
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

/// What a default, or what a converter makes, is written as.
#[derive(Clone)]
pub(crate) enum Literal {
    Int(i64),
    Bool(bool),
    Text(&'static str),
    /// Inside a struct, where a text is an owned one.
    EmptyText,
    /// One that isn't empty; not in a constant.
    OwnedText(&'static str),
    /// What a converter was given.
    Amount,
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
    List(Vec<Literal>),
    /// A map with one key.
    Map(Box<Literal>),
    /// The one for amounts of more than one, the other for the others.
    Either(Box<Literal>, Box<Literal>),
}

impl Version {
    /// The same types as a newer version, of which nothing is said yet.
    pub(crate) fn carried(&self) -> Self {
        let mut newer = self.clone();
        for value in newer.structs.values_mut().filter(|value| value.sort == Sort::Own) {
            value.mapping = Some(Mapping::default());
            value.fields.iter_mut().for_each(Field::carry);
        }
        for value in newer.enums.values_mut().filter(|value| value.sort == Sort::Own) {
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
        let mut known = BTreeSet::new();
        let mut open = vec![SPEC.to_owned()];
        while let Some(name) = open.pop() {
            let variants = self.enums.get(&name).map_or(&[][..], |value| &value.variants);
            let held = variants.iter().flat_map(|variant| &variant.fields);
            open.extend(self.fields(&name).iter().chain(held).filter_map(Field::inside).cloned());
            known.insert(name);
        }
        self.structs.retain(|name, _| known.contains(name));
        self.enums.retain(|name, _| known.contains(name));
    }

    /// The fields of a struct; none of one that isn't there.
    pub(crate) fn fields(&self, of: &str) -> &[Field] {
        self.structs.get(of).map_or(&[], |value| &value.fields)
    }

    /// Whose a struct or an enum is.
    pub(crate) fn sort(&self, name: &str) -> Sort {
        let of_struct = self.structs.get(name).map(|value| value.sort);
        let of_enum = || self.enums.get(name).map(|value| value.sort);
        of_struct.or_else(of_enum).unwrap_or_default()
    }

    /// Whether it has a type.
    pub(crate) fn has(&self, base: &Base) -> bool {
        match base {
            Base::Struct(name) => self.structs.contains_key(name),
            Base::Enum(name) | Base::Union(name) => self.enums.contains_key(name),
            Base::Int | Base::Text | Base::Digits | Base::Json | Base::Bool => true,
        }
    }

    /// Notes what converters make of an amount.
    pub(crate) fn note_made(&mut self, of: &Base, made: Literal) {
        let place = match of {
            Base::Struct(name) => self.structs.get_mut(name).map(|value| &mut value.made),
            Base::Enum(name) | Base::Union(name) => {
                self.enums.get_mut(name).map(|value| &mut value.made)
            }
            Base::Int | Base::Text | Base::Digits | Base::Json | Base::Bool => None,
        };
        if let Some(place) = place {
            *place = Some(made);
        }
    }

    /// A struct that is there, or will be.
    pub(crate) fn at(&mut self, name: &str) -> &mut Struct {
        self.structs.entry(name.to_owned()).or_default()
    }
}

impl Struct {
    pub(crate) fn new(fields: Vec<Field>, sort: Sort) -> Self {
        Self { fields, sort, ..Self::default() }
    }

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
            filled: false,
            origin: Origin::Unsaid,
        }
    }

    fn carry(&mut self) {
        self.origin = Origin::Unsaid;
    }

    /// The struct or enum that it is of.
    fn inside(&self) -> Option<&String> {
        match &self.base {
            Base::Struct(name) | Base::Enum(name) | Base::Union(name) => Some(name),
            Base::Int | Base::Text | Base::Digits | Base::Json | Base::Bool => None,
        }
    }

    /// Whether objects without it are refused.
    pub(crate) fn is_required(&self) -> bool {
        self.wrap == Wrap::Plain && self.default.is_none() && !self.filled
    }
}
