//! Defaults: without unknown fields, and valid in their own schema.
//!
//! Source: `pkg/apiserver/schema/defaulting/validation.go`.

use crate::{
    apiserver::{
        cause::Findings, finding::Kind, object_meta, path::Path, place::Place, report::About,
        restrictions::Role, rules, schema::Schema, steps, value::validate,
    },
    json::Json,
};

/// Checks the defaults of a version's schema.
pub(super) fn check(root: &Schema, place: &mut Place) {
    node(root, true, &Within::Anything, place);
}

/// What a schema is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within<'a> {
    Anything,
    /// A field of a resource, or something below it.
    Field(&'a str),
    /// Something below `additionalProperties`, where the server doesn't look.
    Map,
}

fn node(schema: &Schema, is_root: bool, within: &Within<'_>, place: &mut Place) {
    let is_resource = is_root || schema.extensions.embedded_resource;
    let within = if schema.extensions.embedded_resource && *within != Within::Map {
        &Within::Anything
    } else {
        within
    };
    if let Some(default) = &schema.default {
        place.child("default", |place| {
            check_default(default, schema, is_resource, within, place);
        });
    }
    if let Some(item) = &schema.items {
        place.child("items", |place| node(item, false, within, place));
    }
    if let Some(value) = &schema.additional_properties {
        place.child("additionalProperties", |place| node(value, false, &Within::Map, place));
    }
    for (name, property) in &schema.properties {
        let within = match within {
            Within::Anything if is_resource && steps::META_FIELDS.contains(&name.as_str()) => {
                Within::Field(name)
            }
            other => *other,
        };
        place.entry("properties", name, |place| node(property, false, &within, place));
    }
}

fn check_default(
    default: &Json,
    schema: &Schema,
    is_resource: bool,
    within: &Within<'_>,
    place: &mut Place,
) {
    let mut found = match within {
        Within::Field(name @ ("apiVersion" | "kind")) => object_meta::resource_field(name, default),
        Within::Field(_) => {
            place.pass_over("whether the default gives valid metadata");
            Findings::default()
        }
        Within::Anything | Within::Map => {
            for path in steps::unknown_fields(default, schema, is_resource) {
                place.below(&path, |place| {
                    let problem = "the schema doesn't declare the field; declare it, or remove it from the default";
                    refuse(within, Kind::Invalid, problem.to_owned(), place);
                });
            }
            object_meta::resources(default, schema, is_resource)
        }
    };
    // The server looks no further either.
    if found.causes.is_empty() {
        found = validate(default, schema, Role::Default);
        if *within != Within::Map {
            rules::pass_over(&Path::Root, default, schema, &mut found);
        }
    }
    for cause in found.causes {
        let mut problem = match (cause.kind, cause.detail) {
            (Kind::Required, _) => "the default must have it".to_owned(),
            (_, detail) => {
                format!("the default doesn't fit its own schema: {}", detail.trim_start())
            }
        };
        if let Some(value) = cause.value {
            problem = format!("{value}: {problem}");
        }
        place.below(&cause.field, |place| refuse(within, cause.kind, problem, place));
    }
    for unchecked in found.unchecked {
        place.below(&unchecked.path, |place| place.pass_over(unchecked.what));
    }
}

fn refuse(within: &Within<'_>, kind: Kind, problem: String, place: &mut Place) {
    if *within == Within::Map {
        place.warn(
            About::Default,
            format!("{problem}; the API server doesn't check defaults below `additionalProperties`, but it writes them"),
        );
    } else {
        place.refuse(kind, problem);
    }
}
