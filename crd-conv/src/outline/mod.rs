//! The part of a type's schema that conversions ask for: what the API server drops and what it fills in.
//!
//! `schema` makes the schema of a CustomResourceDefinition, and needs much more code. This module is in every
//! build, so that no feature changes a conversion. A test compares the two. They differ only for types that `schema`
//! refuses: bounds, patterns and unknown keywords don't matter here.

pub(crate) mod conditions;
mod join;
pub(crate) mod keywords;
mod read;
pub(crate) mod references;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::json::{Fidelity, canonical};
use crate::plan::ForeignType;
use keywords::{Described, INT_OR_STRING, PRESERVE, settled_f32};
use read::Reader;

/// What conversions know about a value.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are keywords of a schema")]
pub(crate) struct Outline {
    /// Whether the server keeps a null.
    pub(crate) nullable: bool,
    /// What the server fills in, in canonical form.
    pub(crate) default: Option<String>,
    pub(crate) members: BTreeMap<String, Outline>,
    /// Members with any other name.
    pub(crate) rest: Option<Box<Outline>>,
    pub(crate) items: Option<Box<Outline>>,
    /// `None` for a value of several types.
    ty: Option<String>,
    /// Whether only listed values are allowed.
    is_enum: bool,
    preserves: bool,
    int_or_string: bool,
    is_f32: bool,
}

/// Reads the outline of a type; `None` if the type has no structural schema, because the server's behavior is unknown
/// then.
pub(crate) fn outline(ty: ForeignType) -> Option<Outline> {
    let described = Described::of(ty);
    Reader::new(&described).value(described.root.as_value())
}

impl Outline {
    /// Nothing but whether it takes other fields, or an integer or a string.
    fn preserving(keywords: &Map<String, Value>) -> Self {
        Self {
            preserves: is_true(keywords, PRESERVE),
            int_or_string: is_true(keywords, INT_OR_STRING),
            ..Self::default()
        }
    }

    /// Adds the default that the server fills in.
    fn fill_in(&mut self, mut default: Value) {
        self.settle(&mut default);
        let mut out = String::new();
        let is_there = !default.is_null()
            && canonical(&default.to_string(), Fidelity::AsServed, &mut out).is_some();
        self.default = is_there.then_some(out);
    }

    /// Makes a default of what serde writes, as `schema` does.
    fn settle(&self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                if self.rest.is_none() {
                    members.retain(|name, member| {
                        !member.is_null() || !self.members.contains_key(name)
                    });
                }
                for (name, member) in members {
                    if let Some(known) = self.rest.as_deref().or_else(|| self.members.get(name)) {
                        known.settle(member);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(known) = &self.items {
                    for item in items {
                        known.settle(item);
                    }
                }
            }
            Value::Number(number) if self.is_f32 => {
                if let Some(float) = number.as_f64().map(settled_f32) {
                    *value = float.into();
                }
            }
            _ => {}
        }
    }

    /// Adds another outline that has to hold, too.
    fn add(&mut self, other: Self) -> Option<()> {
        let (preserves, int_or_string) = (self.preserves, self.int_or_string);
        if *self == (Self { preserves, int_or_string, ..Self::default() }) {
            *self = other;
        } else {
            let is_struct = |one: &Self| one.ty.as_deref() == Some("object") && one.rest.is_none();
            let is_new = |name| !self.members.contains_key(name);
            if !is_struct(self) || !is_struct(&other) || !other.members.keys().all(is_new) {
                return None;
            }
            self.members.extend(other.members);
            self.preserves |= other.preserves;
            self.int_or_string |= other.int_or_string;
        }
        self.preserves |= preserves;
        self.int_or_string |= int_or_string;
        Some(())
    }

    fn may_be_object(&self) -> bool {
        self.ty.as_deref().map_or(self.preserves, |ty| ty == "object")
    }
}

fn is_true(keywords: &Map<String, Value>, keyword: &str) -> bool {
    keywords.get(keyword) == Some(&Value::Bool(true))
}
