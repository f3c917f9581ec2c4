//! Reads a schema from any document, as the API server reads it: what Go can't distinguish from nothing is nothing.

use super::{Extensions, Hollow, Others, Schema, SchemaType};
use crate::{
    apiserver::{
        place::Place,
        read::{Object, other_type},
    },
    json::Json,
};

impl Schema {
    pub(crate) fn read(json: &Json, place: &mut Place) -> Self {
        let mut object = Object::new(json, place);
        let (mut schema, mut others) = (Self::default(), Others::default());
        schema.read_keywords(&mut others, &mut object, place);
        object.finish(place);
        schema.hollow = Hollow::read(json);
        schema.others = (others != Others::default()).then(|| Box::new(others));
        schema
    }

    fn read_keywords(&mut self, others: &mut Others, o: &mut Object<'_>, place: &mut Place) {
        others.id = o.text("id", place);
        others.schema = o.text("$schema", place);
        others.reference = o.optional_text("$ref", place);
        self.description = o.some_text("description", place);
        let ty = o.some_text("type", place);
        self.ty = ty.as_deref().and_then(SchemaType::named);
        others.ty = ty.filter(|_| self.ty.is_none());
        self.format = o.some_text("format", place);
        self.title = o.some_text("title", place);
        self.default = o.get("default").cloned();
        self.maximum = o.number("maximum", place);
        self.exclusive_maximum = o.flag("exclusiveMaximum", place);
        self.minimum = o.number("minimum", place);
        self.exclusive_minimum = o.flag("exclusiveMinimum", place);
        self.max_length = o.integer("maxLength", place);
        self.min_length = o.integer("minLength", place);
        self.pattern = o.some_text("pattern", place);
        self.max_items = o.integer("maxItems", place);
        self.min_items = o.integer("minItems", place);
        others.unique_items = o.flag("uniqueItems", place);
        self.multiple_of = o.number("multipleOf", place);
        self.values = o.list("enum", place, |value, _| value.clone());
        self.max_properties = o.integer("maxProperties", place);
        self.min_properties = o.integer("minProperties", place);
        self.required = o.texts("required", place);
        (self.items, others.items) = o.optional("items", place, read_items).unwrap_or_default();
        self.all_of = o.list("allOf", place, Self::read);
        self.one_of = o.list("oneOf", place, Self::read);
        self.any_of = o.list("anyOf", place, Self::read);
        self.not = o.optional("not", place, Self::read).map(Box::new);
        self.properties = o.map("properties", place, Self::read);
        (self.additional_properties, others.additional_properties) =
            o.optional("additionalProperties", place, read_additional).unwrap_or_default();
        others.pattern_properties = o.map("patternProperties", place, Self::read);
        others.dependencies = o.get("dependencies").map(|_| {
            o.map("dependencies", place, |json, place| {
                matches!(json, Json::Object(_)).then(|| Self::read(json, place))
            })
        });
        others.additional_items = o
            .optional("additionalItems", place, read_additional)
            .filter(|read| *read != (None, None));
        others.definitions = o.map("definitions", place, Self::read);
        others.external_docs = o.optional("externalDocs", place, |json, place| {
            let mut o = Object::new(json, place);
            o.text("description", place);
            o.text("url", place);
            o.finish(place);
            json.clone()
        });
        others.example = o.get("example").cloned();
        self.nullable = o.flag("nullable", place);
        self.extensions = Extensions::read(o, place);
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

/// One schema, or several.
fn read_items(json: &Json, place: &mut Place) -> (Option<Box<Schema>>, Option<Vec<Schema>>) {
    match json {
        Json::Object(_) => (Some(Box::new(Schema::read(json, place))), None),
        Json::Array(items) => {
            let items = items.iter().enumerate();
            let read = |(i, item)| place.index(i, |place| Schema::read(item, place));
            (None, Some(items.map(read).collect()))
        }
        // Go reads anything else as no schema at all.
        _ => (None, Some(Vec::new())),
    }
}

/// A schema, `true` or `false`.
fn read_additional(json: &Json, place: &mut Place) -> (Option<Box<Schema>>, Option<bool>) {
    match json {
        Json::Object(_) => (Some(Box::new(Schema::read(json, place))), None),
        Json::Boolean(allows) => (None, Some(*allows)),
        other => {
            other_type(place, other, "a schema, `true` or `false`");
            (None, None)
        }
    }
}
