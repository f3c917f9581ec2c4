//! Structural schemas: each value's type is known without looking at the value.
//!
//! Source: `pkg/apiserver/schema/validation.go` and `complete.go`.

use std::collections::BTreeMap;

use crate::apiserver::{
    finding::Kind,
    pattern,
    place::Place,
    schema::{
        Additional, EMBEDDED, INT_OR_STRING, LIST_TYPE, MAP_KEYS, MAP_TYPE, PRESERVE, Schema,
        SchemaType, VALIDATIONS,
    },
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

pub(super) fn check(root: &Schema, place: &mut Place) {
    node(root, Level::Root, place);
    incomplete(root, &mut |place, problem| place.refuse(Kind::Required, problem), place);
}

/// Goes to each branch of a schema's `not`, `allOf`, `oneOf` and `anyOf`.
pub(super) fn each_branch(
    schema: &Schema,
    place: &mut Place,
    work: &mut dyn FnMut(&Schema, &mut Place),
) {
    if let Some(branch) = &schema.not {
        place.child("not", |place| work(branch, place));
    }
    for (name, branches) in
        [("allOf", &schema.all_of), ("oneOf", &schema.one_of), ("anyOf", &schema.any_of)]
    {
        for (i, branch) in branches.iter().enumerate() {
            place.item(name, i, |place| work(branch, place));
        }
    }
}

/// Calls `work` for each branch of a schema's `allOf`, `anyOf`, `oneOf` and `not`.
fn junctors<'a>(schema: &'a Schema, work: &mut dyn FnMut(&'a Schema)) {
    let lists = [&schema.all_of, &schema.any_of, &schema.one_of];
    for branch in lists.into_iter().flatten().chain(schema.not.as_deref()) {
        work(branch);
    }
}

fn node(schema: &Schema, level: Level, place: &mut Place) {
    if schema.ty == Some(SchemaType::Array) && schema.items.is_none() {
        place.refuse_at("items", Kind::Required, "write the schema of the items");
    }
    if let Some(item) = &schema.items {
        place.child("items", |place| node(item, Level::Item, place));
    }
    for (name, property) in &schema.properties {
        place.entry("properties", name, |place| node(property, Level::Field, place));
    }
    if !matches!(schema.additional(), Additional::Undeclared) {
        place.child("additionalProperties", |place| {
            if level == Level::Root {
                place.refuse(Kind::Forbidden, "the root of a resource can't have it; declare the properties");
            }
            if schema.extensions.embedded_resource {
                place.refuse(
                    Kind::Forbidden,
                    "an embedded resource can't have it; write `x-kubernetes-preserve-unknown-fields: true` instead",
                );
            }
            if let Some(value) = &schema.additional_properties {
                node(value, Level::Field, place);
            }
        });
    }
    extensions(schema, place);
    let one_of_two = Schema::are_int_or_string(&schema.any_of);
    let first = schema.all_of.first().is_some_and(|first| Schema::are_int_or_string(&first.any_of));
    value_rules(schema, one_of_two, first, place);
    types(schema, level, place);
    let checks_metadata = level == Level::Root || schema.extensions.embedded_resource;
    if checks_metadata {
        for name in ["apiVersion", "kind"] {
            if schema
                .properties
                .get(name)
                .is_some_and(|property| property.ty != Some(SchemaType::Text))
            {
                place.entry("properties", name, |place| {
                    place.refuse_at("type", Kind::Invalid, "write `type: string`");
                });
            }
        }
    }
    if let Some(metadata) = schema.properties.get("metadata") {
        place.entry("properties", "metadata", |place| {
            if checks_metadata && metadata.ty != Some(SchemaType::Object) {
                place.refuse_at("type", Kind::Invalid, "write `type: object`");
            }
            if level == Level::Root && !is_plain_metadata(metadata) {
                place.refuse(
                    Kind::Forbidden,
                    "the API server already knows it; write only `type: object`, and below `properties` at most `name` and `generateName`",
                );
            }
        });
    }
    if schema.extensions.embedded_resource && !schema.preserves() && schema.properties.is_empty() {
        place.refuse_at(
            "properties",
            Kind::Required,
            "declare the properties of the embedded resource, or write `x-kubernetes-preserve-unknown-fields: true`",
        );
    }
}

fn types(schema: &Schema, level: Level, place: &mut Place) {
    if schema.extensions.embedded_resource && schema.ty != Some(SchemaType::Object) {
        let kind = if schema.type_name().is_empty() { Kind::Required } else { Kind::Invalid };
        place.refuse_at("type", kind, "an embedded resource is an object; write `type: object`");
    } else if schema.type_name().is_empty()
        && !schema.extensions.int_or_string
        && !schema.preserves()
    {
        let what = match level {
            Level::Root => "write `type: object`, the type of the root",
            Level::Item => "write the type of the items",
            Level::Field => "write the type",
        };
        place.refuse_at(
            "type",
            Kind::Required,
            format!("{what}; it may be absent only with `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`"),
        );
    }
    if level == Level::Root
        && !schema.type_name().is_empty()
        && schema.ty != Some(SchemaType::Object)
    {
        place.refuse_at(
            "type",
            Kind::Invalid,
            "the root of a resource is an object; write `type: object`",
        );
    }
}

fn extensions(schema: &Schema, place: &mut Place) {
    let both = [(PRESERVE, schema.preserves()), (EMBEDDED, schema.extensions.embedded_resource)];
    for (name, is_set) in both {
        if schema.extensions.int_or_string && is_set {
            place.refuse_at(
                name,
                Kind::Invalid,
                "it can't be combined with `x-kubernetes-int-or-string`; remove one of them",
            );
        }
    }
}

/// `name` and `generateName` and nothing else: no description either.
fn is_plain_metadata(metadata: &Schema) -> bool {
    let known = |name: &String| name == "name" || name == "generateName";
    let mut rest = metadata.clone();
    if rest.properties.keys().all(known) {
        rest.properties = BTreeMap::new();
    }
    (rest.ty, rest.default) = (None, None);
    rest.without(|others| {
        others.ty = None;
        others.items.take_if(|items| items.is_empty());
    });
    rest == Schema::default() && !metadata.hollow.lists
}

/// The rules for values, which are allowed in junctors, too.
fn value_rules(schema: &Schema, skip_any_of: bool, skip_first: bool, place: &mut Place) {
    if !skip_any_of {
        for (i, branch) in schema.any_of.iter().enumerate() {
            place.item("anyOf", i, |place| nested(branch, false, place));
        }
    }
    for (i, branch) in schema.all_of.iter().enumerate() {
        place.item("allOf", i, |place| nested(branch, skip_first && i == 0, place));
    }
    for (i, branch) in schema.one_of.iter().enumerate() {
        place.item("oneOf", i, |place| nested(branch, false, place));
    }
    if let Some(branch) = &schema.not {
        place.child("not", |place| nested(branch, false, place));
    }
    if let Some(text) = &schema.pattern {
        place.child("pattern", |place| match pattern::parse(text) {
            Err(problem) => place.refuse(
                Kind::Invalid,
                format!("`{text}` isn't a regular expression in Go's RE2 syntax: {problem}"),
            ),
            Ok(pattern) => {
                if let Some(doubt) = pattern.doubt {
                    place.pass_over(format!("whether Go accepts {doubt} in `{text}`"));
                }
            }
        });
    }
}

/// A branch of a junctor and what is below it.
fn nested(schema: &Schema, skip_any_of: bool, place: &mut Place) {
    value_rules(schema, skip_any_of, false, place);
    if let Some(item) = &schema.items {
        place.child("items", |place| nested(item, false, place));
    }
    for (name, property) in &schema.properties {
        place.entry("properties", name, |place| {
            nested(property, false, place);
            if name == "metadata" {
                place.refuse(
                    Kind::Forbidden,
                    "`allOf`, `anyOf`, `oneOf` and `not` can't restrict the metadata; remove it",
                );
            }
        });
    }
    let forbidden = [
        ("type", !schema.type_name().is_empty()),
        // Go takes `false` for nothing.
        (
            "additionalProperties",
            matches!(schema.additional(), Additional::Schema(_) | Additional::Allowed(true)),
        ),
        ("default", schema.default.is_some()),
        ("title", schema.title.is_some()),
        ("description", schema.description.is_some()),
        ("nullable", schema.nullable),
        (PRESERVE, schema.preserves()),
        (EMBEDDED, schema.extensions.embedded_resource),
        (INT_OR_STRING, schema.extensions.int_or_string),
        (MAP_KEYS, !schema.extensions.list_map_keys.is_empty()),
        (LIST_TYPE, schema.extensions.list_type.is_some()),
        (MAP_TYPE, schema.extensions.map_type.is_some()),
        (VALIDATIONS, !schema.extensions.validations.is_empty()),
    ];
    for (name, _) in forbidden.iter().filter(|(_, is_set)| *is_set) {
        place.refuse_at(
            name,
            Kind::Forbidden,
            "it isn't allowed in `allOf`, `anyOf`, `oneOf` and `not`; write it in the schema around them",
        );
    }
}

/// Finds rules of a branch for properties and items that the schema itself doesn't declare.
fn complete(
    branch: &Schema,
    schema: &Schema,
    report: &mut dyn FnMut(&mut Place, String),
    place: &mut Place,
) {
    junctors(branch, &mut |inner| complete(inner, schema, report, place));
    if let Some(inner) = &branch.items {
        match schema.items.as_deref() {
            Some(item) => place.child("items", |place| complete(inner, item, report, place)),
            None => place.child("items", |place| {
                report(
                    place,
                    "`allOf`, `anyOf`, `oneOf` or `not` has a rule for it; declare it outside of that, too".to_owned(),
                );
            }),
        }
    }
    for (name, inner) in &branch.properties {
        place.entry("properties", name, |place| match schema.properties.get(name) {
            Some(property) => complete(inner, property, report, place),
            None => report(
                place,
                format!("`allOf`, `anyOf`, `oneOf` or `not` has a rule for `{name}`; declare it outside of that, too"),
            ),
        });
    }
}

/// Does that for all junctors of a schema. The server does it at the root only.
pub(super) fn incomplete(
    schema: &Schema,
    report: &mut dyn FnMut(&mut Place, String),
    place: &mut Place,
) {
    junctors(schema, &mut |branch| complete(branch, schema, report, place));
}
