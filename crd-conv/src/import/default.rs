//! Defaults.

use super::{
    names::variants,
    text::string,
    types::{Body, Ty, Types},
};
use crate::apiserver::schema::Schema;
use crate::json::{Json, Number};

/// How a default is written.
pub(super) enum Default {
    /// The value of `#[versioned(default = …)]`.
    Attribute(String),
    /// A function for serde that reads the JSON.
    Function,
    /// A keyword of the schema. Conversions don't know it.
    Keyword,
}

/// How the default of a field is written. `may_be_absent` says that the field is an `Option` in JSON, too.
pub(super) fn default(
    types: &Types<'_>,
    value: &Json,
    ty: &Ty,
    schema: &Schema,
    may_be_absent: bool,
) -> Default {
    match literal(types, value, ty) {
        Some(text) => Default::Attribute(text),
        None if may_be_absent && fits(types, value, ty, schema) => Default::Function,
        None => Default::Keyword,
    }
}

fn literal(types: &Types<'_>, value: &Json, ty: &Ty) -> Option<String> {
    match (ty, value) {
        (Ty::Boolean, Json::Boolean(value)) => Some(value.to_string()),
        (Ty::Text, Json::Text(text)) => Some(string(text)),
        (Ty::I32, Json::Number(Number::Signed(value))) => {
            i32::try_from(*value).is_ok().then(|| value.to_string())
        }
        (Ty::I64, Json::Number(Number::Signed(value))) => Some(value.to_string()),
        (Ty::F32 | Ty::F64, Json::Number(Number::Float(value))) if value.fract() != 0.0 => {
            Some(format!("{value:?}"))
        }
        (Ty::Named(id), Json::Text(text)) => {
            let ty = types.get(*id);
            let Body::Enum(values) = &ty.body else { return None };
            let place = values.iter().position(|value| value == text)?;
            Some(format!("{}::{}", ty.name, variants(values)[place]))
        }
        _ => None,
    }
}

/// Whether the Rust type reads the value, and writes it as it is, or with defaults inside it that the API server fills in, too.
fn fits(types: &Types<'_>, value: &Json, ty: &Ty, schema: &Schema) -> bool {
    match (ty, value) {
        (Ty::Value, _)
        | (Ty::IntOrString, Json::Text(_) | Json::Number(Number::Signed(_)))
        | (Ty::Boolean, Json::Boolean(_))
        | (Ty::Text, Json::Text(_))
        | (Ty::I64, Json::Number(Number::Signed(_)))
        | (Ty::F32 | Ty::F64, Json::Number(_))
        | (Ty::Open, Json::Object(_))
        | (Ty::Option(_), Json::Null) => true,
        (Ty::I32, Json::Number(Number::Signed(value))) => i32::try_from(*value).is_ok(),
        (Ty::Option(ty), value) => fits(types, value, ty, schema),
        (Ty::List(ty), Json::Array(items)) => {
            let inside = schema.items.as_deref();
            inside.is_some_and(|inside| items.iter().all(|item| fits(types, item, ty, inside)))
        }
        (Ty::Map(ty), Json::Object(members)) => {
            let inside = schema.additional_properties.as_deref();
            inside
                .is_some_and(|inside| members.values().all(|value| fits(types, value, ty, inside)))
        }
        (Ty::Named(id), value) => match (&types.get(*id).body, value) {
            (Body::Enum(values), Json::Text(text)) => values.contains(&&**text),
            (Body::Struct(body), Json::Object(members)) => {
                let are_read = members.iter().all(|(name, value)| {
                    match body.fields.iter().find(|field| field.json == name) {
                        Some(field) if *value == Json::Null => field.schema.nullable,
                        Some(field) => fits(types, value, &field.ty, field.schema),
                        None => body.rest.is_some(),
                    }
                });
                // A required field that is absent fails, or is written by its default.
                let is_there = |name: &str| members.contains_key(name);
                are_read
                    && body.fields.iter().all(|field| {
                        is_there(field.json) || field.is_optional && !field.is_required
                    })
            }
            _ => false,
        },
        _ => false,
    }
}
