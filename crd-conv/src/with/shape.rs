//! Values by their form in JSON, where the Rust types have no common one.

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

/// The members of what must be an object in JSON.
pub(super) fn members<T: Serialize>(value: &T) -> Result<Members, ConvertError> {
    members_if_any(value)?.ok_or_else(|| "expected an object in JSON, not `null`".into())
}

/// The same, where an `Option` may hold none.
pub(super) fn members_if_any<T: Serialize>(value: &T) -> Result<Option<Members>, ConvertError> {
    match to_value(value)? {
        Value::Object(members) => Ok(Some(members)),
        Value::Null => Ok(None),
        other => Err(format!("expected an object in JSON, not `{other}`").into()),
    }
}
