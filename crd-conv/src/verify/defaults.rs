//! Defaults: without unknown fields, and valid in their own schema.
//!
//! Source: `pkg/apiserver/schema/defaulting/validation.go`.

use super::{
    dns::{LABEL, is_label},
    place::Place,
    props::Props,
    report::{About, Kind},
    values::{self, Fit},
};
use crate::schema::Json;

const RESOURCE_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Checks the defaults of a version's schema.
pub(super) fn check(root: &Props, place: &mut Place) {
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

fn node(schema: &Props, is_root: bool, within: &Within<'_>, place: &mut Place) {
    let is_resource = is_root || schema.embedded_resource;
    let within =
        if schema.embedded_resource && *within != Within::Map { &Within::Anything } else { within };
    if let Some(default) = &schema.default {
        place.child("default", |place| {
            check_default(default, schema, is_resource, within, place);
        });
    }
    if let Some(item) = schema.item() {
        place.child("items", |place| node(item, false, within, place));
    }
    if let Some(value) = schema.value() {
        place.child("additionalProperties", |place| node(value, false, &Within::Map, place));
    }
    for (name, property) in &schema.properties {
        let within = match within {
            Within::Anything if is_resource && RESOURCE_FIELDS.contains(&name.as_str()) => {
                Within::Field(name)
            }
            other => *other,
        };
        place.entry("properties", name, |place| node(property, false, &within, place));
    }
}

fn check_default(
    default: &Json,
    schema: &Props,
    is_resource: bool,
    within: &Within<'_>,
    place: &mut Place,
) {
    let problem = match within {
        Within::Field(name @ ("apiVersion" | "kind")) => resource_field(name, default),
        Within::Field(_) => {
            place.pass_over("whether the default gives valid metadata");
            None
        }
        Within::Anything | Within::Map => unknown(default, Some(schema), is_resource)
            .map(|name| format!("{default} has the field `{name}`, which the schema doesn't declare; declare it, or take it away"))
            .or_else(|| resources(default, schema, is_resource, place)),
    };
    let fit = match problem {
        Some(problem) => Fit::No(problem),
        None => values::fit(default, schema),
    };
    match fit {
        Fit::No(problem) if *within == Within::Map => place.warn(
            About::Default,
            format!("{problem}; the API server doesn't check defaults below `additionalProperties`, but it writes them"),
        ),
        Fit::No(problem) => place.refuse(Kind::Invalid, problem),
        Fit::Unknown(doubt) => place.pass_over(format!("whether {default} keeps {doubt}")),
        Fit::Yes => {
            if *within != Within::Map && has_rules(default, schema) {
                place.pass_over("whether the default keeps `x-kubernetes-validations`");
            }
        }
    }
}

/// The first field that pruning takes away.
fn unknown(value: &Json, schema: Option<&Props>, is_resource: bool) -> Option<String> {
    match (value, schema) {
        (_, Some(schema)) if schema.preserves() => kept(value, schema, is_resource),
        (Json::Object(members), None) => members.keys().next().cloned(),
        (Json::Object(members), Some(schema)) => members.iter().find_map(|(name, member)| {
            if is_resource && RESOURCE_FIELDS.contains(&name.as_str()) {
                return None;
            }
            declared(member, name, schema).unwrap_or_else(|| Some(name.clone()))
        }),
        (Json::Array(items), _) => {
            items.iter().find_map(|item| below(item, schema.and_then(Props::item)))
        }
        _ => None,
    }
}

/// Does the same where unknown fields are kept. In a list that goes for its items too.
fn kept(value: &Json, schema: &Props, is_resource: bool) -> Option<String> {
    match value {
        Json::Object(members) => members.iter().find_map(|(name, member)| {
            if is_resource && RESOURCE_FIELDS.contains(&name.as_str()) {
                return None;
            }
            declared(member, name, schema).flatten()
        }),
        Json::Array(items) => {
            let inner = schema.item()?;
            items.iter().find_map(|item| kept(item, inner, inner.embedded_resource))
        }
        _ => None,
    }
}

/// Looks into a member. `None` if it isn't declared.
#[expect(clippy::option_option, reason = "whether it is declared, and what is unknown in it")]
fn declared(member: &Json, name: &str, schema: &Props) -> Option<Option<String>> {
    match (schema.properties.get(name), &schema.additional_properties) {
        (Some(property), _) => Some(below(member, Some(property))),
        (None, Some(additional)) => Some(below(member, additional.schema.as_deref())),
        (None, None) => None,
    }
}

fn below(value: &Json, schema: Option<&Props>) -> Option<String> {
    unknown(value, schema, schema.is_some_and(|schema| schema.embedded_resource))
}

/// What is wrong with the resources in a value.
fn resources(value: &Json, schema: &Props, is_resource: bool, place: &mut Place) -> Option<String> {
    match value {
        Json::Object(members) => {
            if is_resource {
                for name in ["apiVersion", "kind"] {
                    let Some(value) = members.get(name) else {
                        return Some(format!("{value} is a resource without `{name}`; write it"));
                    };
                    if let Some(problem) = resource_field(name, value) {
                        return Some(problem);
                    }
                }
                if members.contains_key("metadata") {
                    place.pass_over("the metadata in the default");
                }
            }
            members.iter().find_map(|(name, member)| {
                let inner = schema.member(name)?;
                resources(member, inner, inner.embedded_resource, place)
            })
        }
        Json::Array(items) => {
            let inner = schema.item()?;
            items.iter().find_map(|item| resources(item, inner, inner.embedded_resource, place))
        }
        _ => None,
    }
}

fn resource_field(name: &str, value: &Json) -> Option<String> {
    let Json::Text(text) = value else {
        return Some(format!("`{name}` of a resource is a string, not {value}"));
    };
    let fits = match name {
        "apiVersion" => !text.is_empty() && text.matches('/').count() < 2,
        _ => is_label(&text.to_lowercase()),
    };
    let rule = if name == "apiVersion" { "a version such as `v1` or `apps/v1`" } else { LABEL };
    (!fits).then(|| format!("`{name}` of a resource, `{text}`, isn't {rule}"))
}

/// Whether expressions are about a value or something in it.
fn has_rules(value: &Json, schema: &Props) -> bool {
    !schema.validations.is_empty()
        || match value {
            Json::Object(members) => members.iter().any(|(name, member)| {
                schema.member(name).is_some_and(|inner| has_rules(member, inner))
            }),
            Json::Array(items) => {
                schema.item().is_some_and(|inner| items.iter().any(|item| has_rules(item, inner)))
            }
            _ => false,
        }
}
