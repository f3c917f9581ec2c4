//! What the API server asks of a schema when it handles objects.
//!
//! Two types answer: [`Schema`], which is made of Rust types, and the verifier's, which is read from any document.

use std::collections::BTreeMap;

use crate::schema::{Json, Number, Schema, SchemaType};

/// A structural schema.
pub(crate) trait Node: Sized {
    fn properties(&self) -> &BTreeMap<String, Self>;
    fn items(&self) -> Option<&Self>;
    fn additional(&self) -> Additional<'_, Self>;
    fn nullable(&self) -> bool;
    /// A default of `null` is none.
    fn default_value(&self) -> Option<&Json>;
    fn preserves(&self) -> bool;
    fn is_embedded(&self) -> bool;
    fn list_type(&self) -> Option<&str>;
    fn list_map_keys(&self) -> Vec<&str>;
    /// How many expressions of CEL stand here.
    fn rules(&self) -> usize;
    fn restrictions(&self) -> Restrictions<'_, Self>;

    /// The schema of a member; the inner `None` is anything. The outer one is a member that isn't declared.
    #[expect(
        clippy::option_option,
        reason = "`additionalProperties: true` declares without a schema"
    )]
    fn member(&self, name: &str) -> Option<Option<&Self>> {
        match (self.properties().get(name), self.additional()) {
            (Some(property), _) => Some(Some(property)),
            (None, Additional::Schema(schema)) => Some(Some(schema)),
            (None, Additional::Allowed(_)) => Some(None),
            (None, Additional::Undeclared) => None,
        }
    }

    /// The schema of a member, if it has one.
    fn declared(&self, name: &str) -> Option<&Self> {
        self.member(name).flatten()
    }
}

/// What may stand beside the properties.
#[derive(Clone, Copy)]
pub(crate) enum Additional<'s, S> {
    Undeclared,
    /// `true` or `false`.
    Allowed(bool),
    Schema(&'s S),
}

/// What restricts a value. What Go can't tell from nothing is nothing here.
pub(crate) struct Restrictions<'s, S> {
    pub(crate) ty: &'s str,
    pub(crate) int_or_string: bool,
    pub(crate) format: &'s str,
    pub(crate) values: &'s [Json],
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) multiple_of: Option<f64>,
    pub(crate) max_length: Option<i64>,
    pub(crate) min_length: Option<i64>,
    pub(crate) pattern: &'s str,
    pub(crate) max_items: Option<i64>,
    pub(crate) min_items: Option<i64>,
    pub(crate) max_properties: Option<i64>,
    pub(crate) min_properties: Option<i64>,
    pub(crate) required: &'s [String],
    pub(crate) all_of: &'s [S],
    pub(crate) any_of: &'s [S],
    pub(crate) one_of: &'s [S],
    pub(crate) not: Option<&'s S>,
}

impl Node for Schema {
    fn properties(&self) -> &BTreeMap<String, Self> {
        &self.properties
    }

    fn items(&self) -> Option<&Self> {
        self.items.as_deref()
    }

    fn additional(&self) -> Additional<'_, Self> {
        self.additional_properties.as_deref().map_or(Additional::Undeclared, Additional::Schema)
    }

    fn nullable(&self) -> bool {
        self.nullable
    }

    fn default_value(&self) -> Option<&Json> {
        self.default.as_ref().filter(|default| **default != Json::Null)
    }

    fn preserves(&self) -> bool {
        self.has("x-kubernetes-preserve-unknown-fields")
    }

    fn is_embedded(&self) -> bool {
        self.has("x-kubernetes-embedded-resource")
    }

    fn list_type(&self) -> Option<&str> {
        self.extensions.get("x-kubernetes-list-type")?.as_str()
    }

    fn list_map_keys(&self) -> Vec<&str> {
        match self.extensions.get("x-kubernetes-list-map-keys") {
            Some(Json::Array(keys)) => keys.iter().filter_map(Json::as_str).collect(),
            _ => Vec::new(),
        }
    }

    fn rules(&self) -> usize {
        match self.extensions.get("x-kubernetes-validations") {
            Some(Json::Array(rules)) => rules.len(),
            _ => 0,
        }
    }

    fn restrictions(&self) -> Restrictions<'_, Self> {
        let count = |bound: Option<u64>| bound.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        Restrictions {
            ty: self.ty.map_or("", SchemaType::name),
            int_or_string: self.has("x-kubernetes-int-or-string"),
            format: self.format.as_deref().unwrap_or_default(),
            values: &self.values,
            maximum: self.maximum.map(Number::as_f64),
            exclusive_maximum: self.exclusive_maximum,
            minimum: self.minimum.map(Number::as_f64),
            exclusive_minimum: self.exclusive_minimum,
            multiple_of: self.multiple_of.map(Number::as_f64),
            max_length: count(self.max_length),
            min_length: count(self.min_length),
            pattern: self.pattern.as_deref().unwrap_or_default(),
            max_items: count(self.max_items),
            min_items: count(self.min_items),
            max_properties: count(self.max_properties),
            min_properties: count(self.min_properties),
            required: &self.required,
            all_of: &self.all_of,
            any_of: &self.any_of,
            one_of: &self.one_of,
            not: self.not.as_deref(),
        }
    }
}
