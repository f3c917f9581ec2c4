//! Values by their form in JSON, where the Rust types have no common one.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::ConvertError;

pub(super) type Members = Map<String, Value>;

pub(super) fn to_value<T: Serialize>(value: &T) -> Result<Value, ConvertError> {
    Ok(serde_json::to_value(value)?)
}

pub(super) fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, ConvertError> {
    Ok(serde_json::from_value(value)?)
}

/// The members of what must be an object in JSON.
pub(super) fn members<T: Serialize>(value: &T) -> Result<Members, ConvertError> {
    match to_value(value)? {
        Value::Object(members) => Ok(members),
        other => Err(format!("expected an object in JSON, not `{other}`").into()),
    }
}
