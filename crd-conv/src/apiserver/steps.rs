//! The steps that a schema decides.

use std::collections::BTreeMap;

use super::{path::Path, schema::Schema, text::as_decoded};
use crate::json::Json;

/// What every resource has.
pub(crate) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Takes out the fields of an object, and of all in it, that the schema doesn't declare, and says where they were.
/// `apiVersion`, `kind` and `metadata` stay in embedded resources, and at the root of one.
///
/// Source: `pkg/apiserver/schema/pruning`.
pub(crate) fn prune(object: &mut Json, schema: &Schema, is_root: bool) -> Vec<String> {
    let mut pruned = Vec::new();
    prune_value(object, Some(schema), is_root, &Path::Root, &mut pruned);
    pruned
}

fn prune_value(
    value: &mut Json,
    schema: Option<&Schema>,
    is_root: bool,
    path: &Path<'_>,
    pruned: &mut Vec<String>,
) {
    if let Some(schema) = schema
        && schema.preserves()
    {
        return prune_known(value, schema, is_root, path, pruned);
    }
    match value {
        Json::Object(members) => members.retain(|name, member| {
            if schema.is_some_and(|schema| is_meta(name, schema, is_root)) {
                return true;
            }
            let path = path.field(name);
            let declared = schema.and_then(|schema| schema.member(name));
            match declared {
                Some(schema) => prune_value(member, schema, false, &path, pruned),
                None => pruned.push(path.to_string()),
            }
            declared.is_some()
        }),
        Json::Array(items) => {
            let schema = schema.and_then(|schema| schema.items.as_deref());
            for (i, item) in items.iter_mut().enumerate() {
                prune_value(item, schema, false, &path.index(i), pruned);
            }
        }
        _ => {}
    }
}

/// Keeps what isn't declared. What is declared is pruned again, but an item of a list isn't.
fn prune_known(
    value: &mut Json,
    schema: &Schema,
    is_root: bool,
    path: &Path<'_>,
    pruned: &mut Vec<String>,
) {
    match value {
        Json::Object(members) => {
            for (name, member) in members.iter_mut() {
                if let Some(declared) = schema.member(name)
                    && !is_meta(name, schema, is_root)
                {
                    prune_value(member, declared, false, &path.field(name), pruned);
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for (i, item) in items.iter_mut().enumerate() {
                    prune_known(item, schema, false, &path.index(i), pruned);
                }
            }
        }
        _ => {}
    }
}

fn is_meta(name: &str, schema: &Schema, is_root: bool) -> bool {
    META_FIELDS.contains(&name) && (is_root || schema.extensions.embedded_resource)
}

/// Takes out the null members of objects that aren't nullable and have no default. Nulls in lists stay.
///
/// Source: `PruneNonNullableNullsWithoutDefaults` of `pkg/apiserver/schema/defaulting`.
pub(crate) fn drop_nulls(value: &mut Json, schema: &Schema) {
    match value {
        Json::Object(members) => members.retain(|name, member| {
            let Some(schema) = schema.declared(name) else { return true };
            if *member == Json::Null {
                return schema.nullable || schema.default_value().is_some();
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
pub(crate) fn default(value: &mut Json, schema: &Schema) {
    match value {
        Json::Object(members) => {
            fill(members, &schema.properties);
            for (name, member) in members {
                if let Some(schema) = schema.declared(name) {
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
        if let Some(default) = schema.default_value()
            && !members.contains_key(name)
        {
            members.insert(name.clone(), as_decoded(default));
        }
    }
}

fn default_null(value: &mut Json, schema: &Schema) {
    if *value == Json::Null
        && !schema.nullable
        && let Some(default) = schema.default_value()
    {
        *value = as_decoded(default);
    }
}

/// The paths of the fields in a value that pruning takes away.
pub(crate) fn unknown_fields(value: &Json, schema: &Schema, is_root: bool) -> Vec<String> {
    prune(&mut value.clone(), schema, is_root)
}

/// A value without them.
pub(crate) fn unknown_fields_taken_out(mut value: Json, schema: &Schema, is_root: bool) -> Json {
    prune(&mut value, schema, is_root);
    value
}
