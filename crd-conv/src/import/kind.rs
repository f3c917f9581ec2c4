//! What a schema describes.

use crate::apiserver::schema::{Schema, SchemaType};
use crate::json::Json;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object with fields. It may have others.
    Struct {
        rest: bool,
        embedded: bool,
    },
    Map,
    /// An object with any fields.
    Open,
    /// A complete Kubernetes object.
    Embedded,
    List {
        preserves: bool,
    },
    Text,
    Boolean,
    Integer,
    Number,
    IntOrString,
    Any,
}

/// What a repaired schema describes.
pub(super) fn kind(schema: &Schema) -> Kind {
    if schema.extensions.int_or_string {
        return Kind::IntOrString;
    }
    match schema.ty {
        None => Kind::Any,
        Some(SchemaType::Text) => Kind::Text,
        Some(SchemaType::Boolean) => Kind::Boolean,
        Some(SchemaType::Integer) => Kind::Integer,
        Some(SchemaType::Number) => Kind::Number,
        Some(SchemaType::Array) => Kind::List { preserves: schema.preserves() },
        Some(SchemaType::Object) => object(schema),
    }
}

fn object(schema: &Schema) -> Kind {
    let embedded = schema.extensions.embedded_resource;
    let rest = schema.preserves();
    if !schema.properties.is_empty() {
        let is_whole =
            ["apiVersion", "kind"].iter().all(|&name| schema.properties.contains_key(name));
        return if embedded && !is_whole {
            Kind::Embedded
        } else {
            Kind::Struct { rest, embedded }
        };
    }
    if embedded {
        Kind::Embedded
    } else if schema.additional_properties.is_some() {
        Kind::Map
    } else if rest || schema.others().additional_properties == Some(true) {
        Kind::Open
    } else {
        Kind::Struct { rest: false, embedded: false }
    }
}

/// The schema of items or values.
pub(super) fn inner(schema: &Schema) -> Option<&Schema> {
    match kind(schema) {
        Kind::List { .. } => schema.items.as_deref(),
        Kind::Map => schema.additional_properties.as_deref(),
        _ => None,
    }
}

/// Whether one Rust type is enough for a value of both schemas, apart from the differences inside of structs.
pub(super) fn are_compatible(a: &Schema, b: &Schema) -> bool {
    kind(a) == kind(b)
        && match (inner(a), inner(b)) {
            (Some(a), Some(b)) => a.nullable == b.nullable && are_compatible(a, b),
            _ => true,
        }
}

/// The values of an enum of strings.
pub(super) fn values(schema: &Schema) -> Option<Vec<&str>> {
    if kind(schema) != Kind::Text || schema.values.is_empty() {
        return None;
    }
    let values: Vec<_> = schema.values.iter().map(Json::as_str).collect::<Option<_>>()?;
    let mut sorted = values.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == values.len()).then_some(values)
}
