//! Reads values by their JSON, because the Rust types have no common trait for this.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::converter::ConvertError;

pub(super) type Members = Map<String, Value>;

pub(super) fn to_value<T: Serialize>(value: &T) -> Result<Value, ConvertError> {
    Ok(serde_json::to_value(value)?)
}

pub(super) fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, ConvertError> {
    Ok(serde_json::from_value(value)?)
}

/// The text that a value is in JSON, or `None` for an absent `Option`.
pub(super) fn text_if_any<T: Serialize>(value: &T) -> Result<Option<String>, ConvertError> {
    match to_value(value)? {
        Value::String(text) => Ok(Some(text)),
        Value::Null => Ok(None),
        other => Err(format!("expected a string in JSON, not `{other}`").into()),
    }
}

/// The text that a value is in JSON. Fails if it isn't a string.
pub(super) fn text<T: Serialize>(value: &T) -> Result<String, ConvertError> {
    text_if_any(value)?.ok_or_else(|| "expected a string in JSON, not `null`".into())
}

pub(super) fn from_text<T: DeserializeOwned>(text: String) -> Result<T, ConvertError> {
    from_value(Value::String(text))
}

/// The names of an object's fields, for messages.
pub(super) fn names(members: &Members) -> String {
    if members.is_empty() { "no fields".to_owned() } else { listed(members.keys()) }
}

/// Names in backquotes, separated by commas.
pub(super) fn listed<S: std::fmt::Display>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The members of a value that must be an object in JSON.
pub(super) fn members<T: Serialize>(value: &T) -> Result<Members, ConvertError> {
    members_if_any(value)?.ok_or_else(|| "expected an object in JSON, not `null`".into())
}

/// The members of a value that must be an object in JSON, or `None` for an absent `Option`.
pub(super) fn members_if_any<T: Serialize>(value: &T) -> Result<Option<Members>, ConvertError> {
    match to_value(value)? {
        Value::Object(members) => Ok(Some(members)),
        Value::Null => Ok(None),
        other => Err(format!("expected an object in JSON, not `{other}`").into()),
    }
}
