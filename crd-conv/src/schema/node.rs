//! What a schema that is made of Rust types says to the API server's steps.

use std::collections::BTreeMap;

use super::{Schema, SchemaType};
use crate::apiserver::node::{Additional, Node, Restrictions};
use crate::json::{Json, Number};

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
