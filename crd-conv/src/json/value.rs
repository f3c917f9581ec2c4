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
    /// Returns the number as a float, which may be rounded.
    #[expect(clippy::cast_precision_loss, reason = "what Go does with it too")]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Signed(n) => n as f64,
            Self::Unsigned(n) => n as f64,
            Self::Float(n) => n,
        }
    }

    /// The number as an integer, if it is exactly one. Negative zero isn't an integer.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "compared with the number itself"
    )]
    fn integer(self) -> Option<i128> {
        match self {
            Self::Signed(n) => Some(n.into()),
            Self::Unsigned(n) => Some(n.into()),
            Self::Float(n) => Some(n as i128).filter(|whole| (*whole as f64).total_cmp(&n).is_eq()),
        }
    }
}

/// Numbers are equal if they have the same value. Zero and negative zero differ. An integer and the
/// float to which it would be rounded differ, too.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.integer(), other.integer()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.as_f64().total_cmp(&other.as_f64()).is_eq(),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl Json {
    /// A member of an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.get(name),
            _ => None,
        }
    }

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
            // `None` occurs only with `arbitrary_precision`, for a number beyond the range of a
            // float.
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

#[cfg(test)]
mod tests {
    use super::Number::{self, Float, Signed, Unsigned};

    /// The greatest integer up to which floats have no gaps, and the float that is equal to it.
    const EXACT: (i64, f64) = (9_007_199_254_740_992, 9_007_199_254_740_992.0);

    const NUMBERS: [Number; 16] = [
        Signed(0),
        Float(0.0),
        Float(-0.0),
        Float(0.5),
        Unsigned(7),
        Signed(7),
        Signed(EXACT.0),
        Signed(EXACT.0 + 1),
        Signed(EXACT.0 + 2),
        Float(EXACT.1),
        Float(EXACT.1 + 2.0),
        Signed(i64::MAX),
        Float(9_223_372_036_854_775_807.0),
        Unsigned(u64::MAX),
        Float(18_446_744_073_709_551_615.0),
        Float(f64::MAX),
    ];

    #[test]
    fn an_integer_is_not_the_float_to_which_it_is_rounded() {
        assert_eq!(Signed(EXACT.0), Float(EXACT.1));
        assert_eq!(Signed(EXACT.0 + 1).as_f64().to_bits(), EXACT.1.to_bits(), "the premise");
        assert_ne!(Signed(EXACT.0 + 1), Float(EXACT.1));
        assert_eq!(Signed(7), Unsigned(7));
        assert_ne!(Float(0.0), Float(-0.0));
    }

    #[test]
    fn equality_is_an_equivalence() {
        for a in NUMBERS {
            assert_eq!(a, a);
            for b in NUMBERS {
                assert_eq!(a == b, b == a, "{a:?} {b:?}");
                for c in NUMBERS {
                    assert!(a != b || b != c || a == c, "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}
