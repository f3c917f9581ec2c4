//! The schema of a version, as the API server reads it.

use std::collections::BTreeMap;

use super::{
    place::Place,
    read::{Object, other_type},
};
use crate::{
    apiserver::node::{self, Node, Restrictions},
    json::Json,
};

/// `JSONSchemaProps`. Values that Go can't distinguish from absent ones are absent here.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "as many as the API has")]
pub(crate) struct Props {
    pub(super) id: String,
    pub(super) schema: String,
    pub(super) reference: Option<String>,
    pub(super) description: String,
    pub(super) ty: String,
    pub(super) format: String,
    pub(super) title: String,
    pub(super) default: Option<Json>,
    pub(super) maximum: Option<f64>,
    pub(super) exclusive_maximum: bool,
    pub(super) minimum: Option<f64>,
    pub(super) exclusive_minimum: bool,
    pub(super) max_length: Option<i64>,
    pub(super) min_length: Option<i64>,
    pub(super) pattern: String,
    pub(super) max_items: Option<i64>,
    pub(super) min_items: Option<i64>,
    pub(super) unique_items: bool,
    pub(super) multiple_of: Option<f64>,
    pub(super) values: Vec<Json>,
    pub(super) max_properties: Option<i64>,
    pub(super) min_properties: Option<i64>,
    pub(super) required: Vec<String>,
    pub(super) items: Option<Items>,
    pub(super) all_of: Vec<Props>,
    pub(super) one_of: Vec<Props>,
    pub(super) any_of: Vec<Props>,
    pub(super) not: Option<Box<Props>>,
    pub(super) properties: BTreeMap<String, Props>,
    pub(super) additional_properties: Option<Additional>,
    pub(super) pattern_properties: BTreeMap<String, Props>,
    pub(super) dependencies: Option<BTreeMap<String, Option<Props>>>,
    pub(super) additional_items: Option<Additional>,
    pub(super) definitions: BTreeMap<String, Props>,
    pub(super) external_docs: Option<Json>,
    pub(super) example: Option<Json>,
    pub(super) nullable: bool,
    pub(super) preserve_unknown_fields: Option<bool>,
    pub(super) embedded_resource: bool,
    pub(super) int_or_string: bool,
    pub(super) list_map_keys: Vec<String>,
    pub(super) list_type: Option<String>,
    pub(super) map_type: Option<String>,
    pub(super) validations: Vec<ValidationRule>,
    pub(super) hollow: Hollow,
}

/// Members that are written and empty. Go sees them in some comparisons; two schemas are the same with and without them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hollow {
    pub(super) lists: bool,
    pub(super) properties: bool,
}

impl PartialEq for Hollow {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Hollow {
    fn read(json: &Json) -> Self {
        let Json::Object(members) = json else { return Self::default() };
        let is_empty = |name: &&str| match members.get(*name) {
            Some(Json::Array(items)) => items.is_empty(),
            Some(Json::Object(members)) => members.is_empty(),
            _ => false,
        };
        let lists = ["required", "x-kubernetes-list-map-keys", "x-kubernetes-validations"];
        Self { lists: lists.iter().any(is_empty), properties: is_empty(&"properties") }
    }
}

/// One schema, several, or neither.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Items {
    pub(super) schema: Option<Box<Props>>,
    pub(super) schemas: Vec<Props>,
}

/// A schema, `true` or `false`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Additional {
    pub(super) allows: bool,
    pub(super) schema: Option<Box<Props>>,
}

/// One of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ValidationRule {
    pub(super) rule: String,
    pub(super) message: String,
    pub(super) message_expression: String,
    pub(super) reason: Option<String>,
    pub(super) field_path: String,
    pub(super) optional_old_self: Option<bool>,
}

impl Props {
    pub(super) fn read(json: &Json, place: &mut Place) -> Self {
        let mut object = Object::new(json, place);
        let o = &mut object;
        let props = Self {
            id: o.text("id", place),
            schema: o.text("$schema", place),
            reference: o.optional_text("$ref", place),
            description: o.text("description", place),
            ty: o.text("type", place),
            format: o.text("format", place),
            title: o.text("title", place),
            default: o.get("default").cloned(),
            maximum: o.number("maximum", place),
            exclusive_maximum: o.flag("exclusiveMaximum", place),
            minimum: o.number("minimum", place),
            exclusive_minimum: o.flag("exclusiveMinimum", place),
            max_length: o.integer("maxLength", place),
            min_length: o.integer("minLength", place),
            pattern: o.text("pattern", place),
            max_items: o.integer("maxItems", place),
            min_items: o.integer("minItems", place),
            unique_items: o.flag("uniqueItems", place),
            multiple_of: o.number("multipleOf", place),
            values: o.list("enum", place, |value, _| value.clone()),
            max_properties: o.integer("maxProperties", place),
            min_properties: o.integer("minProperties", place),
            required: o.texts("required", place),
            items: o.optional("items", place, Items::read),
            all_of: o.list("allOf", place, Self::read),
            one_of: o.list("oneOf", place, Self::read),
            any_of: o.list("anyOf", place, Self::read),
            not: o.optional("not", place, Self::read).map(Box::new),
            properties: o.map("properties", place, Self::read),
            additional_properties: o
                .optional("additionalProperties", place, Additional::read)
                .flatten(),
            pattern_properties: o.map("patternProperties", place, Self::read),
            dependencies: o
                .get("dependencies")
                .map(|_| o.map("dependencies", place, Self::read_dependency)),
            additional_items: o.optional("additionalItems", place, Additional::read).flatten(),
            definitions: o.map("definitions", place, Self::read),
            external_docs: o.optional("externalDocs", place, |json, place| {
                let mut o = Object::new(json, place);
                o.text("description", place);
                o.text("url", place);
                o.finish(place);
                json.clone()
            }),
            example: o.get("example").cloned(),
            nullable: o.flag("nullable", place),
            preserve_unknown_fields: o.optional_flag("x-kubernetes-preserve-unknown-fields", place),
            embedded_resource: o.flag("x-kubernetes-embedded-resource", place),
            int_or_string: o.flag("x-kubernetes-int-or-string", place),
            list_map_keys: o.texts("x-kubernetes-list-map-keys", place),
            list_type: o.optional_text("x-kubernetes-list-type", place),
            map_type: o.optional_text("x-kubernetes-map-type", place),
            validations: o.list("x-kubernetes-validations", place, ValidationRule::read),
            hollow: Hollow::read(json),
        };
        object.finish(place);
        props
    }

    fn read_dependency(json: &Json, place: &mut Place) -> Option<Self> {
        matches!(json, Json::Object(_)).then(|| Self::read(json, place))
    }

    /// The one schema of a list's items.
    pub(super) fn item(&self) -> Option<&Self> {
        self.items.as_ref()?.schema.as_deref()
    }

    /// The schema of a map's values.
    pub(super) fn value(&self) -> Option<&Self> {
        self.additional_properties.as_ref()?.schema.as_deref()
    }
}

impl Node for Props {
    fn properties(&self) -> &BTreeMap<String, Self> {
        &self.properties
    }

    fn items(&self) -> Option<&Self> {
        self.item()
    }

    fn additional(&self) -> node::Additional<'_, Self> {
        match &self.additional_properties {
            None => node::Additional::Undeclared,
            Some(Additional { allows, schema: None }) => node::Additional::Allowed(*allows),
            Some(Additional { schema: Some(schema), .. }) => node::Additional::Schema(schema),
        }
    }

    fn nullable(&self) -> bool {
        self.nullable
    }

    fn default_value(&self) -> Option<&Json> {
        self.default.as_ref()
    }

    fn preserves(&self) -> bool {
        self.preserve_unknown_fields == Some(true)
    }

    fn is_embedded(&self) -> bool {
        self.embedded_resource
    }

    fn list_type(&self) -> Option<&str> {
        self.list_type.as_deref()
    }

    fn list_map_keys(&self) -> Vec<&str> {
        self.list_map_keys.iter().map(String::as_str).collect()
    }

    fn rules(&self) -> usize {
        self.validations.len()
    }

    fn restrictions(&self) -> Restrictions<'_, Self> {
        Restrictions {
            ty: &self.ty,
            int_or_string: self.int_or_string,
            format: &self.format,
            values: &self.values,
            maximum: self.maximum,
            exclusive_maximum: self.exclusive_maximum,
            minimum: self.minimum,
            exclusive_minimum: self.exclusive_minimum,
            multiple_of: self.multiple_of,
            max_length: self.max_length,
            min_length: self.min_length,
            pattern: &self.pattern,
            max_items: self.max_items,
            min_items: self.min_items,
            max_properties: self.max_properties,
            min_properties: self.min_properties,
            required: &self.required,
            all_of: &self.all_of,
            any_of: &self.any_of,
            one_of: &self.one_of,
            not: self.not.as_deref(),
        }
    }
}

impl Items {
    fn read(json: &Json, place: &mut Place) -> Self {
        match json {
            Json::Object(_) => {
                Self { schema: Some(Box::new(Props::read(json, place))), schemas: Vec::new() }
            }
            Json::Array(items) => Self {
                schema: None,
                schemas: items
                    .iter()
                    .enumerate()
                    .map(|(i, item)| place.index(i, |place| Props::read(item, place)))
                    .collect(),
            },
            // Go reads anything else as no schema at all.
            _ => Self::default(),
        }
    }
}

impl Additional {
    fn read(json: &Json, place: &mut Place) -> Option<Self> {
        match json {
            Json::Object(_) => {
                Some(Self { allows: true, schema: Some(Box::new(Props::read(json, place))) })
            }
            Json::Boolean(allows) => Some(Self { allows: *allows, schema: None }),
            other => {
                other_type(place, other, "a schema, `true` or `false`");
                None
            }
        }
    }
}

impl ValidationRule {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut object = Object::new(json, place);
        let o = &mut object;
        let rule = Self {
            rule: o.text("rule", place),
            message: o.text("message", place),
            message_expression: o.text("messageExpression", place),
            reason: o.optional_text("reason", place),
            field_path: o.text("fieldPath", place),
            optional_old_self: o.optional_flag("optionalOldSelf", place),
        };
        object.finish(place);
        rule
    }
}
