//! Resources in a value, of which the server reads some fields into types of its own.

use super::{path::Path, schema::Schema};
use crate::go::{
    metadata::{is_known, read_resource_field},
    refusal::Refusal,
};
use crate::json::Json;

/// Reads the fields of all embedded resources as the server does, and adds the paths of the fields that it doesn't know.
///
/// Source: `Coerce` of `pkg/apiserver/schema/objectmeta`.
pub(crate) fn coerce(
    value: &mut Json,
    schema: &Schema,
    path: &Path<'_>,
    pruned: &mut Vec<String>,
) -> Result<(), Refusal> {
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                let path = path.field(name);
                if schema.extensions.embedded_resource {
                    coerce_field(name, member, &path, pruned)?;
                }
                if let Some(schema) = schema.declared(name) {
                    coerce(member, schema, &path, pruned)?;
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for (i, item) in items.iter_mut().enumerate() {
                    coerce(item, schema, &path.index(i), pruned)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// A field of a resource.
pub(super) fn coerce_field(
    name: &str,
    value: &mut Json,
    path: &Path<'_>,
    pruned: &mut Vec<String>,
) -> Result<(), Refusal> {
    let Some(read) = read_resource_field(name, value)? else { return Ok(()) };
    if let Json::Object(members) = &*value {
        let unknown = members.keys().filter(|name| !is_known(name));
        pruned.extend(unknown.map(|name| path.field(name).to_string()));
    }
    *value = read;
    Ok(())
}
