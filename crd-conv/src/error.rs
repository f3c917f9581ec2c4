//! Why an object wasn't converted.

use std::fmt;

use crate::json::SyntaxError;

/// Why an object wasn't converted. `Display` gives one sentence that names the object, the versions and the field.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConversionError {
    /// The text isn't an object in JSON.
    Syntax(String),
    /// The object isn't of the resource, or not of one of its versions.
    Refused {
        /// The object as `namespace/name`.
        object: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A field's value stopped the conversion.
    Field(Box<FieldError>),
    /// A Rust value can't be converted, or what comes out doesn't fit the type that is wanted.
    Value {
        /// The type that is wanted.
        type_name: &'static str,
        /// What is wrong.
        reason: String,
    },
}

/// A field's value that stopped the conversion of its object.
#[derive(Debug)]
pub struct FieldError {
    pub(crate) kind: &'static str,
    pub(crate) object: String,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) hop: Option<(&'static str, &'static str)>,
    pub(crate) field: String,
    pub(crate) reason: String,
}

impl FieldError {
    /// The path of the field in the version before the failing hop; of several fields if they are converted
    /// together.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// The author's error, or why the field's type can't hold the value.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl From<SyntaxError> for ConversionError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error.to_string())
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(what) => write!(f, "the text isn't the JSON of an object: {what}"),
            Self::Refused { object, reason } => write!(f, "can't convert {object}: {reason}"),
            Self::Field(error) => error.fmt(f),
            Self::Value { type_name, reason } => {
                write!(f, "can't convert to `{type_name}`: {reason}")
            }
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, object, from, to, hop, field, reason } = self;
        write!(f, "can't convert {kind} {object} from {from} to {to}: `{field}`: {reason}")?;
        match hop {
            Some((from, to)) => write!(f, " (on the way from {from} to {to})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ConversionError {}
impl std::error::Error for FieldError {}
