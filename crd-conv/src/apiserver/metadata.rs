//! `metadata`, which the server reads into a type of its own.

use std::collections::BTreeMap;

use super::{path::Path, refusal::Refusal, schema::Schema, text::written};
use crate::json::{Json, Number};

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
        .map_err(|OtherType| Refusal::new("`metadata` has a value of another type"))
}

/// Does the same in all embedded resources, whose `apiVersion` and `kind` have to be strings, and adds the paths of the fields
/// that the server doesn't know.
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
    match (name, &*value) {
        ("apiVersion" | "kind", Json::Text(_)) => {}
        ("apiVersion" | "kind", _) => {
            return Err(Refusal::new(&format!("`{name}` isn't a string")));
        }
        ("metadata", _) => {
            let read = object_meta(value)?;
            if let Json::Object(members) = value {
                let is_known = |name: &str| OBJECT_META.iter().any(|(known, _)| *known == name);
                let unknown = members.keys().filter(|name| !is_known(name));
                pruned.extend(unknown.map(|name| path.field(name).to_string()));
            }
            *value = read;
        }
        _ => {}
    }
    Ok(())
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
        (Type::Text | Type::RequiredText | Type::Time, Json::Text(_))
        | (Type::OptionalBoolean, Json::Boolean(_))
        | (Type::Anything, _) => value.clone(),
        (Type::Integer | Type::OptionalInteger, Json::Number(number)) => {
            let integer = written(*number).parse().map_err(|_| OtherType)?;
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
