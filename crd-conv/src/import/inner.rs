//! The schemas of items and values, which have no attributes of their own.

use std::collections::BTreeMap;

use super::types::{Body, Ty, Types};
use crate::apiserver::schema::{INT_OR_STRING, PRESERVE, Schema, SchemaType};
use crate::json::Json;

/// What schemars says about a type; `None` if a struct is inside, or if it says something else than is meant.
fn said(types: &Types<'_>, ty: &Ty) -> Option<Schema> {
    let plain = |ty, format: Option<&str>| {
        Some(Schema { ty: Some(ty), format: format.map(str::to_owned), ..Schema::default() })
    };
    match ty {
        Ty::Text => plain(SchemaType::Text, None),
        Ty::Boolean => plain(SchemaType::Boolean, None),
        Ty::I32 => plain(SchemaType::Integer, Some("int32")),
        Ty::I64 => plain(SchemaType::Integer, Some("int64")),
        Ty::F32 => plain(SchemaType::Number, Some("float")),
        Ty::F64 => plain(SchemaType::Number, Some("double")),
        Ty::IntOrString => {
            let mut schema = Schema::default();
            schema.extensions.int_or_string = true;
            Some(schema)
        }
        Ty::Value | Ty::Open => None,
        Ty::List(inner) => {
            let items = Some(Box::new(said(types, inner)?));
            Some(Schema { ty: Some(SchemaType::Array), items, ..Schema::default() })
        }
        Ty::Map(inner) => {
            let values = Some(Box::new(said(types, inner)?));
            Some(Schema { additional_properties: values, ..Schema::object() })
        }
        Ty::Option(inner) => Some(Schema { nullable: true, ..said(types, inner)? }),
        Ty::Named(id) => match &types.get(*id).body {
            Body::Enum(values) => {
                let values = values.iter().map(|value| Json::Text((*value).to_owned())).collect();
                Some(Schema { ty: Some(SchemaType::Text), values, ..Schema::default() })
            }
            Body::Struct(_) => None,
        },
    }
}

/// The JSON Schema of items or values, if their type doesn't say all of it.
pub(super) fn unsaid(types: &Types<'_>, ty: &Ty, schema: &Schema) -> Option<Json> {
    let json = json_schema(schema);
    let said = said(types, ty).map(|said| json_schema(&said));
    (said.as_ref() != Some(&json)).then_some(json)
}

/// Whether a struct is inside.
pub(super) fn has_struct(types: &Types<'_>, ty: &Ty) -> bool {
    ty.named().is_some_and(|id| types.structure(id).is_some())
}

/// The schema in the dialect that schemars writes.
pub(super) fn json_schema(schema: &Schema) -> Json {
    let json = serde_json::to_value(schema).map(|value| Json::from(&value));
    let mut json = json.unwrap_or(Json::Null);
    as_schemars(&mut json);
    json
}

fn as_schemars(json: &mut Json) {
    let Json::Object(members) = json else { return };
    for (name, value) in members.iter_mut() {
        match (&**name, value) {
            ("items" | "additionalProperties" | "not", schema) => as_schemars(schema),
            ("allOf" | "anyOf" | "oneOf", Json::Array(schemas)) => {
                schemas.iter_mut().for_each(as_schemars);
            }
            ("properties", Json::Object(properties)) => {
                properties.values_mut().for_each(as_schemars);
            }
            _ => {}
        }
    }
    members.remove("title");
    bound(members, "minimum", "exclusiveMinimum");
    bound(members, "maximum", "exclusiveMaximum");
    let is = |members: &BTreeMap<String, Json>, name: &str| {
        members.get(name) == Some(&Json::Boolean(true))
    };
    if is(members, INT_OR_STRING) {
        members.remove("anyOf");
        members.remove("type");
    }
    if members.get("format").and_then(Json::as_str) == Some("byte")
        && let Some(format) = members.remove("format")
    {
        members.insert("x-crd-conv-format".to_owned(), format);
    }
    // A value of any type may be null anyway.
    if is(members, "nullable")
        && let Some(ty) = members.get_mut("type")
    {
        *ty = Json::Array(vec![ty.clone(), Json::Text("null".to_owned())]);
        members.remove("nullable");
    }
    if members.get(PRESERVE) == Some(&Json::Boolean(false)) {
        members.remove(PRESERVE);
    }
}

/// In JSON Schema, a bound that is excluded is a number.
fn bound(members: &mut BTreeMap<String, Json>, name: &str, excluded: &str) {
    if members.remove(excluded) == Some(Json::Boolean(true))
        && let Some(bound) = members.remove(name)
    {
        members.insert(excluded.to_owned(), bound);
    }
}
