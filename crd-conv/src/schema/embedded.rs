//! Resources inside objects: `x-kubernetes-embedded-resource`.

use serde_json::{Map, Value};

use super::{Schema, SchemaType, error::Problem};
use crate::apiserver::schema::{EMBEDDED, PRESERVE};

/// Declares that a value is a resource, or that the items of a list are.
pub(super) fn declare(property: &mut Value) {
    if *property == Value::Bool(true) {
        *property = Value::Object(Map::new());
    }
    let Some(keywords) = property.as_object_mut() else { return };
    if let Some(items) = keywords.get_mut("items") {
        return declare(items);
    }
    let says_form = ["type", "$ref", "oneOf", "anyOf", "allOf", "enum", "const"];
    if !says_form.iter().any(|keyword| keywords.contains_key(*keyword)) {
        keywords.insert("type".to_owned(), "object".into());
        keywords.insert(PRESERVE.to_owned(), true.into());
    }
    keywords.insert(EMBEDDED.to_owned(), true.into());
}

/// Returns the reason why a value can't be a resource.
pub(super) fn check(schema: &Schema) -> Result<(), Problem> {
    if let Some(items) = &schema.items {
        return check(items);
    }
    if schema.ty != Some(SchemaType::Object) || schema.additional_properties.is_some() {
        return Err((
            "is declared `embedded_resource`, but is neither an object nor a list of objects"
                .to_owned(),
            "a resource is an object with `apiVersion` and `kind`",
            "make it a `serde_json::Value`, or a struct with `apiVersion` and `kind`",
        ));
    }
    let missing = ["apiVersion", "kind"]
        .into_iter()
        .find(|name| !schema.preserves() && !schema.properties.contains_key(*name));
    match missing {
        None => Ok(()),
        Some(name) => Err((
            format!("is declared `embedded_resource`, but has no `{name}`"),
            "the API server accepts no resource without `apiVersion` and `kind`",
            "add the field to the struct, or make it a `serde_json::Value`",
        )),
    }
}
