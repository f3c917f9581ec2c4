//! The reasons why an object isn't converted.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::json::SyntaxError;

/// The reason why an object isn't converted.
///
/// `Display` writes one sentence that names the object, the versions and the field.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() {
/// use crd_conv::{ConversionError, ResourceType};
///
/// let boxes = ResourceType::of::<Box>();
/// let object = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3}}"#;
/// let error = boxes.convert(object.as_bytes(), "v3").unwrap_err();
/// assert!(matches!(error, ConversionError::Refused { .. }));
/// assert_eq!(
///     error.to_string(),
///     "can't convert `b`: `example.com` has Box in v1, v2, not in `v3` (it is example.com/v1 Box)"
/// );
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ConversionError {
    /// The text isn't a JSON object.
    Syntax(String),
    /// The object doesn't belong to the resource, or isn't in one of its versions.
    Refused {
        /// The object as `namespace/name`.
        object: String,
        /// The reason why it is refused.
        reason: String,
    },
    /// A field's value stopped the conversion.
    Field(Box<FieldError>),
    /// The object's annotations have no room for the values that a version can't express.
    Oversized(Box<OversizedError>),
    /// A Rust value can't be converted, or the result doesn't fit the desired type.
    Value {
        /// The desired type.
        type_name: &'static str,
        /// The reason.
        reason: String,
    },
}

/// A field's value that stopped the conversion of its object.
///
/// ```
/// # mod v1 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     pub struct Spec { pub port: String }
/// # }
/// # mod v2 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     #[versioned(from = super::v1::Spec)]
/// #     pub struct Spec { #[versioned(with = crd_conv::with::Inverse(crd_conv::with::IntText))] pub port: i32 }
/// # }
/// # #[derive(crd_conv::Versioned)]
/// # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// # enum Box { V1 { spec: v1::Spec }, #[versioned(storage)] V2 { spec: v2::Spec } }
/// # fn main() {
/// use crd_conv::{ConversionError, ResourceType};
///
/// let boxes = ResourceType::of::<Box>();
/// let object = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"port":"http"}}"#;
/// let Err(ConversionError::Field(error)) = boxes.convert(object.as_bytes(), "v2") else {
///     panic!("`http` isn't a number");
/// };
/// assert_eq!(error.field(), "spec.port");
/// // The source is the converter's own error.
/// assert_eq!(error.reason(), std::error::Error::source(&*error).unwrap().to_string());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct FieldError {
    pub(crate) kind: &'static str,
    pub(crate) object: String,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) hop: Option<(&'static str, &'static str)>,
    pub(crate) field: String,
    pub(crate) reason: String,
    pub(crate) cause: Option<Arc<dyn Error + Send + Sync>>,
}

impl FieldError {
    /// Returns the path of the field in the version before the failing hop. If several fields are
    /// converted together, it has their paths.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the author's error, or why the field's type can't hold the value.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// Kept values that don't fit into the annotations of an object.
///
/// Two kinds of conversion are refused:
///
/// - A conversion into the storage version, if the object's annotations would be larger than the
///   API server allows.
/// - A conversion that needs a value that the object lacks, because the value didn't fit in another
///   version. The same goes for a conversion into the storage version, if the object has the label
///   that marks it as incomplete.
///
/// See [the carrier's page](crate::guide::carrier#size) for how to fix either.
#[derive(Clone, Debug)]
pub struct OversizedError {
    pub(crate) kind: &'static str,
    pub(crate) object: String,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// The version in which the object is complete.
    pub(crate) storage: &'static str,
    pub(crate) size: Option<usize>,
    /// The most bytes that the API server allows.
    pub(crate) limit: usize,
    /// The prefix of the annotations with kept values.
    pub(crate) prefix: String,
    /// The label, if only a label shows that something is missing.
    pub(crate) label: Option<String>,
    /// The annotations' keys and the bytes of their values, largest first.
    pub(crate) entries: Vec<(String, usize)>,
}

/// The most fields that a message names.
const MAX_NAMED: usize = 5;

impl OversizedError {
    /// Returns how many bytes the annotations would have, or `None` if the object lacks kept
    /// values.
    pub fn size(&self) -> Option<usize> {
        self.size
    }

    /// Returns the annotations of the values that don't fit, or of those that the object lacks,
    /// with the bytes of their values, largest first.
    ///
    /// It returns none if only a label shows that the object lacks values.
    pub fn entries(&self) -> impl Iterator<Item = (&str, usize)> {
        self.entries.iter().map(|(key, size)| (key.as_str(), *size))
    }

    /// The fields with the largest values, under their names in their versions.
    fn fields(&self) -> String {
        let field = |(key, size): (&str, usize)| {
            let name = key.strip_prefix(&self.prefix).unwrap_or(key);
            match name.split_once('.') {
                Some((home, path)) => format!("`{path}` of {home} ({size} bytes)"),
                None => format!("`{name}` ({size} bytes)"),
            }
        };
        let fields = self.entries().take(MAX_NAMED).map(field).collect::<Vec<_>>().join(", ");
        match self.entries.len().checked_sub(MAX_NAMED) {
            None | Some(0) => fields,
            Some(more) => format!("{fields} and {more} more"),
        }
    }
}

/// The name that messages use for an object without a name.
pub(crate) const NAMELESS: &str = "an object without a name";

/// An object's name after its kind, for messages.
pub(crate) fn of_kind(kind: &str, object: &str) -> String {
    if object == NAMELESS { format!("a nameless {kind}") } else { format!("{kind} {object}") }
}

impl From<SyntaxError> for ConversionError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error.to_string())
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(what) => write!(f, "the text isn't a JSON object: {what}"),
            Self::Refused { object, reason } => write!(f, "can't convert {object}: {reason}"),
            Self::Field(error) => error.fmt(f),
            Self::Oversized(error) => error.fmt(f),
            Self::Value { type_name, reason } => {
                write!(f, "can't convert to `{type_name}`: {reason}")
            }
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, object, from, to, hop, field, reason, cause: _ } = self;
        let object = of_kind(kind, object);
        write!(f, "can't convert {object} from {from} to {to}: `{field}`: {reason}")?;
        match hop {
            Some((from, to)) => write!(f, " (on the way from {from} to {to})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for OversizedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, object, from, to, storage, size, limit, label, .. } = self;
        let (fields, object) = (self.fields(), of_kind(kind, object));
        write!(f, "can't convert {object} from {from} to {to}: ")?;
        match size {
            Some(size) => write!(
                f,
                "its annotations would have {size} bytes, but the API server allows {limit}; they hold {fields}: make these values \
                 smaller, or remove other annotations"
            ),
            None => match label {
                Some(label) => write!(
                    f,
                    "it lacks kept values that didn't fit into its annotations, as its label `{label}` says; make its annotations \
                     smaller or delete it in {storage}, where it is complete if it is stored in that version, or create a new object \
                     without the label; if it is stored in the former storage version, make that the storage version again first"
                ),
                None => write!(
                    f,
                    "it lacks kept values that didn't fit into its annotations: {fields}; change or delete it in {storage}, where it is \
                     complete if it is stored in that version, or create a new object without the annotations that say `tombstone`; if \
                     it is stored in the former storage version, make that the storage version again first"
                ),
            },
        }
    }
}

/// The source is the converter's own error, if a converter refused the value.
impl Error for ConversionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // `Display` shows that error already.
            Self::Field(error) => error.source(),
            Self::Syntax(_) | Self::Refused { .. } | Self::Oversized(_) | Self::Value { .. } => {
                None
            }
        }
    }
}

/// The source is the converter's own error, if a converter refused the value.
impl Error for FieldError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

impl Error for OversizedError {}
