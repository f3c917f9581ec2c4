//! The steps that a schema decides.

use std::collections::BTreeMap;

use super::text::as_decoded;
use crate::schema::{Json, Schema};

const PRESERVE_UNKNOWN_FIELDS: &str = "x-kubernetes-preserve-unknown-fields";
const EMBEDDED_RESOURCE: &str = "x-kubernetes-embedded-resource";

/// What every resource has.
pub(in crate::testing) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Takes out the fields of an object, and of all in it, that the schema doesn't declare. `apiVersion`, `kind` and `metadata`
/// stay at the root and in embedded resources.
///
/// Source: `pkg/apiserver/schema/pruning`.
pub fn prune(object: &mut Json, schema: &Schema) {
    prune_value(object, Some(schema), true);
}

fn prune_value(value: &mut Json, schema: Option<&Schema>, root: bool) {
    if let Some(schema) = schema
        && schema.has(PRESERVE_UNKNOWN_FIELDS)
    {
        return prune_known(value, schema, root);
    }
    match value {
        Json::Object(members) => members.retain(|name, member| {
            let Some(schema) = schema else { return false };
            if is_meta(name, schema, root) {
                return true;
            }
            let declared = declared(name, schema);
            if declared.is_some() {
                prune_value(member, declared, false);
            }
            declared.is_some()
        }),
        Json::Array(items) => {
            let schema = schema.and_then(|schema| schema.items.as_deref());
            for item in items {
                prune_value(item, schema, false);
            }
        }
        _ => {}
    }
}

/// Keeps what isn't declared. What is declared is pruned again, but an item of a list isn't.
fn prune_known(value: &mut Json, schema: &Schema, root: bool) {
    match value {
        Json::Object(members) => {
            for (name, member) in members.iter_mut() {
                if let Some(declared) = declared(name, schema)
                    && !is_meta(name, schema, root)
                {
                    prune_value(member, Some(declared), false);
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for item in items {
                    prune_known(item, schema, false);
                }
            }
        }
        _ => {}
    }
}

fn is_meta(name: &str, schema: &Schema, root: bool) -> bool {
    (root || is_embedded(schema)) && META_FIELDS.contains(&name)
}

pub(in crate::testing) fn is_embedded(schema: &Schema) -> bool {
    schema.has(EMBEDDED_RESOURCE)
}

pub(in crate::testing) fn declared<'s>(name: &str, schema: &'s Schema) -> Option<&'s Schema> {
    schema.properties.get(name).or(schema.additional_properties.as_deref())
}

/// Takes out the null members of objects that aren't nullable and have no default. Nulls in lists stay.
///
/// Source: `PruneNonNullableNullsWithoutDefaults` of `pkg/apiserver/schema/defaulting`.
pub fn drop_nulls(value: &mut Json, schema: &Schema) {
    match value {
        Json::Object(members) => members.retain(|name, member| {
            let Some(schema) = declared(name, schema) else { return true };
            if *member == Json::Null {
                return schema.nullable || default_of(schema).is_some();
            }
            drop_nulls(member, schema);
            true
        }),
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for item in items {
                    drop_nulls(item, schema);
                }
            }
        }
        _ => {}
    }
}

/// Fills in the schema's defaults where a value is absent, or null without being nullable. A default for the value itself is
/// of no effect.
///
/// Source: `Default` of `pkg/apiserver/schema/defaulting`.
pub fn default(value: &mut Json, schema: &Schema) {
    match value {
        Json::Object(members) => {
            fill(members, &schema.properties);
            for (name, member) in members {
                if let Some(schema) = declared(name, schema) {
                    default_null(member, schema);
                    default(member, schema);
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for item in items {
                    default_null(item, schema);
                    default(item, schema);
                }
            }
        }
        _ => {}
    }
}

fn fill(members: &mut BTreeMap<String, Json>, properties: &BTreeMap<String, Schema>) {
    for (name, schema) in properties {
        if let Some(default) = default_of(schema)
            && !members.contains_key(name)
        {
            members.insert(name.clone(), as_decoded(default));
        }
    }
}

fn default_null(value: &mut Json, schema: &Schema) {
    if *value == Json::Null
        && !schema.nullable
        && let Some(default) = default_of(schema)
    {
        *value = as_decoded(default);
    }
}

/// A default of `null` is none.
fn default_of(schema: &Schema) -> Option<&Json> {
    schema.default.as_ref().filter(|default| **default != Json::Null)
}
