//! JSON values that are written the same in every build.

use std::{collections::BTreeMap, fmt};

use serde::{Serialize, Serializer};

/// A JSON value with sorted keys, written the same in every build.
///
/// With `serde_json::Value`, the features that an author's whole build enables decide the order of
/// keys. One of these features also makes numbers structs.
///
/// ```
/// use crd_conv::schema::Json;
///
/// let json = Json::from(&serde_json::json!({"b": 1, "a": "x"}));
/// assert_eq!(json.to_string(), r#"{"a":"x","b":1}"#);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number.
    Number(Number),
    /// A string. [`SchemaType::Text`](crate::schema::SchemaType::Text) explains the name.
    Text(String),
    /// A list.
    Array(Vec<Json>),
    /// An object.
    Object(BTreeMap<String, Json>),
}

/// A number that a schema can hold.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// An integer that fits an `i64`.
    Signed(i64),
    /// A greater integer.
    Unsigned(u64),
    /// Any other number.
    Float(f64),
}

impl Number {
    /// Returns the number as a float, perhaps rounded.
    #[expect(clippy::cast_precision_loss, reason = "what Go does with it too")]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Signed(n) => n as f64,
            Self::Unsigned(n) => n as f64,
            Self::Float(n) => n,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Signed(a), Self::Signed(b)) => a == b,
            (Self::Unsigned(a), Self::Unsigned(b)) => a == b,
            (Self::Signed(_), Self::Unsigned(_)) | (Self::Unsigned(_), Self::Signed(_)) => false,
            (a, b) => a.as_f64().total_cmp(&b.as_f64()).is_eq(),
        }
    }
}

impl Json {
    /// Returns the text, if the value is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&serde_json::Number> for Number {
    fn from(number: &serde_json::Number) -> Self {
        if let Some(n) = number.as_i64() {
            Self::Signed(n)
        } else if let Some(n) = number.as_u64() {
            Self::Unsigned(n)
        } else {
            // `None` only with `arbitrary_precision`, for a number beyond the range of a float.
            Self::Float(number.as_f64().unwrap_or(f64::MAX))
        }
    }
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Boolean(*b),
            Value::Number(n) => Self::Number(n.into()),
            Value::String(s) => Self::Text(s.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Into::into).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(k, v)| (k.clone(), v.into())).collect())
            }
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Signed(n) => serializer.serialize_i64(n),
            Self::Unsigned(n) => serializer.serialize_u64(n),
            Self::Float(n) => serializer.serialize_f64(n),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(b) => serializer.serialize_bool(*b),
            Self::Number(n) => n.serialize(serializer),
            Self::Text(s) => serializer.serialize_str(s),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(members) => members.serialize(serializer),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}
