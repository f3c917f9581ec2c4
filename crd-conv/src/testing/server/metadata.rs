//! `metadata`, which the server reads into a type of its own.

use std::collections::BTreeMap;

use super::Refusal;
use super::steps::{declared, is_embedded};
use super::text::written;
use crate::schema::{Json, Number, Schema};

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

/// What the server makes of a resource's `metadata`: fields that it doesn't know go, and what is empty. Timestamps stay as
/// they are, which is what the server does with those that it wrote.
///
/// Source: `GetObjectMeta` and `SetObjectMeta` of `pkg/apiserver/schema/objectmeta`.
pub(super) fn object_meta(metadata: &Json) -> Result<Json, Refusal> {
    read_struct(metadata, OBJECT_META)
        .map(Json::Object)
        .ok_or_else(|| Refusal::new("`metadata` has a value of another type"))
}

/// Does the same in all embedded resources, whose `apiVersion` and `kind` have to be strings.
///
/// Source: `Coerce` of `pkg/apiserver/schema/objectmeta`.
///
/// # Errors
///
/// If one of the three is of another type.
pub fn coerce(value: &mut Json, schema: &Schema) -> Result<(), Refusal> {
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                if is_embedded(schema) {
                    coerce_field(name, member)?;
                }
                if let Some(schema) = declared(name, schema) {
                    coerce(member, schema)?;
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = &schema.items {
                for item in items {
                    coerce(item, schema)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// A field of a resource.
pub(super) fn coerce_field(name: &str, value: &mut Json) -> Result<(), Refusal> {
    match (name, &*value) {
        ("apiVersion" | "kind", Json::Text(_)) => {}
        ("apiVersion" | "kind", _) => {
            return Err(Refusal::new(&format!("`{name}` isn't a string")));
        }
        ("metadata", _) => *value = object_meta(value)?,
        _ => {}
    }
    Ok(())
}

/// `None` if something is of another type.
fn read_struct(value: &Json, fields: Fields) -> Option<BTreeMap<String, Json>> {
    let nothing = BTreeMap::new();
    let members = match value {
        Json::Object(members) => members,
        Json::Null => &nothing,
        _ => return None,
    };
    let mut read = BTreeMap::new();
    for (name, ty) in fields {
        if let Some(value) = read_field(members.get(*name).unwrap_or(&Json::Null), *ty)? {
            read.insert((*name).to_owned(), value);
        }
    }
    Some(read)
}

/// The value, if it isn't left out.
fn read_field(value: &Json, ty: Type) -> Option<Option<Json>> {
    let read = match (ty, value) {
        (Type::RequiredText, Json::Null) => Some(Json::Text(String::new())),
        (_, Json::Null) => None,
        (Type::Text, Json::Text(text)) => (!text.is_empty()).then(|| value.clone()),
        (Type::RequiredText | Type::Time, Json::Text(_))
        | (Type::OptionalBoolean, Json::Boolean(_))
        | (Type::Anything, _) => Some(value.clone()),
        (Type::Integer | Type::OptionalInteger, Json::Number(number)) => {
            let integer = written(*number).parse().ok()?;
            let integer = Json::Number(Number::Signed(integer));
            let zero = Json::Number(Number::Signed(0));
            (matches!(ty, Type::OptionalInteger) || integer != zero).then_some(integer)
        }
        (Type::Texts, Json::Array(items)) => {
            let items: Option<Vec<Json>> = items.iter().map(read_text).collect();
            Some(Json::Array(items?)).filter(|_| !is_empty(value))
        }
        (Type::TextsByKey, Json::Object(members)) => {
            let members = members.iter().map(|(name, text)| Some((name.clone(), read_text(text)?)));
            Some(Json::Object(members.collect::<Option<_>>()?)).filter(|_| !is_empty(value))
        }
        (Type::Structs(fields), Json::Array(items)) => {
            let items = items.iter().map(|item| read_struct(item, fields).map(Json::Object));
            Some(Json::Array(items.collect::<Option<_>>()?)).filter(|_| !is_empty(value))
        }
        _ => return None,
    };
    Some(read)
}

fn read_text(value: &Json) -> Option<Json> {
    read_field(value, Type::RequiredText).flatten()
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}
