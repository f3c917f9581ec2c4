//! `metadata`, which the server reads into a type of its own.

use std::collections::BTreeMap;

use super::{refusal::Refusal, time};
use crate::json::{Json, Number, go_float};

/// The type of a field, and when it is left out.
#[derive(Clone, Copy)]
enum Type {
    /// Left out if it is empty.
    Text,
    /// Written always.
    RequiredText,
    /// Left out if it is 0.
    Integer,
    OptionalInteger,
    OptionalBoolean,
    Time,
    Texts,
    TextsByKey,
    Structs(Fields),
    Anything,
}

type Fields = &'static [(&'static str, Type)];

const OBJECT_META: Fields = &[
    ("annotations", Type::TextsByKey),
    ("creationTimestamp", Type::Time),
    ("deletionGracePeriodSeconds", Type::OptionalInteger),
    ("deletionTimestamp", Type::Time),
    ("finalizers", Type::Texts),
    ("generateName", Type::Text),
    ("generation", Type::Integer),
    ("labels", Type::TextsByKey),
    ("managedFields", Type::Structs(MANAGED_FIELDS_ENTRY)),
    ("name", Type::Text),
    ("namespace", Type::Text),
    ("ownerReferences", Type::Structs(OWNER_REFERENCE)),
    ("resourceVersion", Type::Text),
    ("selfLink", Type::Text),
    ("uid", Type::Text),
];

const OWNER_REFERENCE: Fields = &[
    ("apiVersion", Type::RequiredText),
    ("blockOwnerDeletion", Type::OptionalBoolean),
    ("controller", Type::OptionalBoolean),
    ("kind", Type::RequiredText),
    ("name", Type::RequiredText),
    ("uid", Type::RequiredText),
];

const MANAGED_FIELDS_ENTRY: Fields = &[
    ("apiVersion", Type::Text),
    ("fieldsType", Type::Text),
    ("fieldsV1", Type::Anything),
    ("manager", Type::Text),
    ("operation", Type::Text),
    ("subresource", Type::Text),
    ("time", Type::Time),
];

/// Reads a field of a resource: `apiVersion` and `kind` have to be strings, and `metadata` has to be what the server's own type takes.
/// Returns what the server makes of `metadata`, without fields that it doesn't know and without what is empty.
///
/// Source: `GetObjectMeta`, `SetObjectMeta` and `Coerce` of `pkg/apiserver/schema/objectmeta`.
pub(crate) fn read_resource_field(name: &str, value: &Json) -> Result<Option<Json>, Refusal> {
    match (name, value) {
        ("apiVersion" | "kind", Json::Text(_)) => Ok(None),
        ("apiVersion" | "kind", _) => Err(Refusal::new(&format!("`{name}` isn't a string"))),
        ("metadata", _) => read_struct(value, OBJECT_META)
            .map(|members| Some(Json::Object(members)))
            .map_err(|OtherType| Refusal::new("`metadata` has a value of another type")),
        _ => Ok(None),
    }
}

/// Whether the server knows a field of `metadata`.
#[cfg(feature = "schema")]
pub(crate) fn is_known(name: &str) -> bool {
    OBJECT_META.iter().any(|(known, _)| *known == name)
}

/// Something isn't of the type that the server reads.
struct OtherType;

fn read_struct(value: &Json, fields: Fields) -> Result<BTreeMap<String, Json>, OtherType> {
    let nothing = BTreeMap::new();
    let members = match value {
        Json::Object(members) => members,
        Json::Null => &nothing,
        _ => return Err(OtherType),
    };
    let mut read = BTreeMap::new();
    for (name, ty) in fields {
        if let Some(value) = read_field(members.get(*name).unwrap_or(&Json::Null), *ty)? {
            read.insert((*name).to_owned(), value);
        }
    }
    Ok(read)
}

/// The value, if it isn't left out.
fn read_field(value: &Json, ty: Type) -> Result<Option<Json>, OtherType> {
    let read = match (ty, value) {
        (Type::RequiredText, Json::Null) => return Ok(Some(Json::Text(String::new()))),
        (_, Json::Null) => return Ok(None),
        (Type::Time, Json::Text(text)) => Json::Text(time::in_utc(text).ok_or(OtherType)?),
        (Type::Text | Type::RequiredText, Json::Text(_))
        | (Type::OptionalBoolean, Json::Boolean(_))
        | (Type::Anything, _) => value.clone(),
        (Type::Integer | Type::OptionalInteger, Json::Number(number)) => {
            let integer = match number {
                Number::Signed(integer) => *integer,
                number => go_float(number.as_f64()).parse().map_err(|_| OtherType)?,
            };
            Json::Number(Number::Signed(integer))
        }
        (Type::Texts, Json::Array(items)) => {
            let items = items.iter().map(read_text);
            Json::Array(items.collect::<Result<_, _>>()?)
        }
        (Type::TextsByKey, Json::Object(members)) => {
            let members = members.iter().map(|(name, text)| Ok((name.clone(), read_text(text)?)));
            Json::Object(members.collect::<Result<_, _>>()?)
        }
        (Type::Structs(fields), Json::Array(items)) => {
            let items = items.iter().map(|item| read_struct(item, fields).map(Json::Object));
            Json::Array(items.collect::<Result<_, _>>()?)
        }
        _ => return Err(OtherType),
    };
    Ok(Some(read).filter(|read| !is_left_out(read, ty)))
}

/// Of a list or a map.
fn read_text(value: &Json) -> Result<Json, OtherType> {
    match value {
        Json::Text(_) => Ok(value.clone()),
        Json::Null => Ok(Json::Text(String::new())),
        _ => Err(OtherType),
    }
}

fn is_left_out(value: &Json, ty: Type) -> bool {
    match (ty, value) {
        (Type::Text, Json::Text(text)) => text.is_empty(),
        (Type::Integer, Json::Number(number)) => *number == Number::Signed(0),
        (Type::Texts | Type::Structs(_), Json::Array(items)) => items.is_empty(),
        (Type::TextsByKey, Json::Object(members)) => members.is_empty(),
        _ => false,
    }
}
