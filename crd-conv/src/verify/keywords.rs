//! Keywords of OpenAPI that a schema may not have, and the extensions' own rules.
//!
//! Source: `ValidateCustomResourceDefinitionOpenAPISchema` of `pkg/apis/apiextensions/validation/validation.go`.

use super::{
    around::Around,
    lists,
    rules::{self, Scope},
    structural::each_branch,
};
use crate::apiserver::{
    finding::Kind,
    place::Place,
    schema::{Additional, EMBEDDED, PRESERVE, Schema, SchemaType},
    steps::META_FIELDS,
};

pub(super) fn check(
    schema: &Schema,
    is_root: bool,
    around: &Around,
    scope: Scope,
    place: &mut Place,
) {
    let before = place.count();
    keywords(schema, around, place);
    lists::check(schema, place);
    children(schema, is_root, around, scope, place);
    rules::check(schema, around, scope, place.count() == before, place);
}

fn keywords(schema: &Schema, around: &Around, place: &mut Place) {
    let others = schema.others();
    match others.ty.as_deref() {
        None => {}
        Some("null") => place.refuse_at(
            "type",
            Kind::Forbidden,
            "write `nullable: true` next to the value's own type",
        ),
        Some(ty) => {
            let known = SchemaType::ALL.map(SchemaType::name).join(", ");
            place.refuse_at(
                "type",
                Kind::NotSupported,
                format!("`{ty}` is unknown; write one of {known}"),
            );
        }
    }
    if schema.default.is_some()
        && let Some(reason) = &around.no_default
    {
        place.refuse_at(
            "default",
            Kind::Forbidden,
            format!("a default isn't allowed {reason}; remove it"),
        );
    }
    let unknown = [
        ("id", !others.id.is_empty()),
        ("$schema", !others.schema.is_empty()),
        ("additionalItems", others.additional_items.is_some()),
        ("patternProperties", !others.pattern_properties.is_empty()),
        ("definitions", !others.definitions.is_empty()),
        ("dependencies", others.dependencies.is_some()),
        ("$ref", others.reference.is_some()),
    ];
    for (name, _) in unknown.iter().filter(|(_, is_set)| *is_set) {
        let instead = match *name {
            "$ref" | "definitions" => "write the schema itself where it is used",
            "patternProperties" => {
                "write `additionalProperties` for a map, and check its keys with a rule"
            }
            "dependencies" => "write a rule in `x-kubernetes-validations`",
            _ => "remove it",
        };
        place.refuse_at(
            name,
            Kind::Forbidden,
            format!("a CustomResourceDefinition has no `{name}`; {instead}"),
        );
    }
    if others.items.as_ref().is_some_and(|items| !items.is_empty()) {
        place.refuse_at(
            "items",
            Kind::Forbidden,
            "write one schema for all items, not a list of schemas",
        );
    }
    if others.unique_items {
        place.refuse_at(
            "uniqueItems",
            Kind::Forbidden,
            "it takes too long to check; write `x-kubernetes-list-type: set`",
        );
    }
    if matches!(schema.additional(), Additional::Schema(_) | Additional::Allowed(false))
        && !schema.properties.is_empty()
    {
        place.refuse_at(
            "additionalProperties",
            Kind::Forbidden,
            "it can't be combined with `properties`: one is for maps, the other for structs; remove one of them",
        );
    }
    if schema.extensions.preserve_unknown_fields == Some(false) {
        place.refuse_at(PRESERVE, Kind::Invalid, "it must be `true` or absent; remove it");
    }
    if schema.extensions.embedded_resource && around.in_metadata {
        place.refuse_at(EMBEDDED, Kind::Forbidden, "metadata can't contain a resource; remove it");
    }
}

fn children(schema: &Schema, is_root: bool, around: &Around, scope: Scope, place: &mut Place) {
    if let Some(value) = &schema.additional_properties {
        let mut inner = around.clone();
        if around.in_metadata {
            inner.no_default = Some("inside `additionalProperties` of metadata".to_owned());
        }
        place.child("additionalProperties", |place| {
            check(value, false, &inner, scope.element(value), place);
        });
    }
    for (name, property) in &schema.properties {
        let mut inner = around.clone();
        if (is_root || schema.extensions.embedded_resource) && META_FIELDS.contains(&name.as_str())
        {
            inner.in_metadata = true;
            if is_root {
                inner.no_default = Some(format!("in the `{name}` of a resource"));
            }
        }
        place.entry("properties", name, |place| {
            check(property, false, &inner, scope.property(property), place);
        });
    }
    let none = Scope::Outside;
    each_branch(schema, place, &mut |branch, place| check(branch, false, around, none, place));
    let others = schema.others();
    for (name, definition) in &others.definitions {
        place.entry("definitions", name, |place| check(definition, false, around, none, place));
    }
    for (name, dependency) in others.dependencies.iter().flatten() {
        if let Some(dependency) = dependency {
            place.entry("dependencies", name, |place| {
                check(dependency, false, around, none, place);
            });
        }
    }
    let mut inner = around.clone();
    inner.uncorrelated |= schema.extensions.list_type.as_deref() != Some("map");
    if let Some(item) = &schema.items {
        place.child("items", |place| check(item, false, &inner, scope.element(item), place));
    }
    for (i, item) in others.items.iter().flatten().enumerate() {
        place.item("items", i, |place| check(item, false, &inner, none, place));
    }
}
