//! The reasons why a resource has no CustomResourceDefinition.

use std::fmt;

use crate::{schema::SchemaError, verify::Violation};

/// All reasons why a resource can't have a CustomResourceDefinition.
///
/// `Display` writes one line for each.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() {
/// use crd_conv::{ResourceType, crd::{CrdError, CrdOptions}};
///
/// let errors = ResourceType::of::<Box>().crd(&CrdOptions::new()).unwrap_err();
/// assert!(matches!(errors.errors[..], [CrdError::Webhook(_)]));
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CrdErrors {
    /// The resource, such as `crontabs.example.com`.
    pub resource: String,
    /// The reasons. There is at least one.
    pub errors: Vec<CrdError>,
}

/// One reason why a resource can't have a CustomResourceDefinition.
///
/// `Display` writes one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrdError {
    /// The resource is declared with `schema = "disabled"`.
    Disabled,
    /// A Rust type can't be expressed as a structural schema.
    Schema {
        /// The version that has the type.
        version: String,
        /// The place, and the reason.
        error: SchemaError,
    },
    /// The mapping and the schema contradict each other.
    Declaration(String),
    /// The resource needs a webhook, and there is none.
    Webhook(String),
    /// The document breaks a rule of the API server.
    Rule {
        /// The version, if the place is in one.
        version: Option<String>,
        /// The nearest known Rust type around the place.
        ty: Option<String>,
        /// The field of that type, if the place is in one.
        field: Option<String>,
        /// The place, and the reason.
        violation: Violation,
    },
}

impl fmt::Display for CrdErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{}: {error}", self.resource)?;
        }
        Ok(())
    }
}

impl fmt::Display for CrdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema { version, error } => write!(f, "version `{version}`: {error}"),
            Self::Disabled => f.write_str(
                "the resource has no schemas: remove `schema = \"disabled\"` from its `#[versioned(resource(…))]`, and \
                 derive `schemars::JsonSchema` on its types",
            ),
            Self::Declaration(text) | Self::Webhook(text) => f.write_str(text),
            Self::Rule { version, ty, field, violation } => {
                if let Some(version) = version {
                    write!(f, "version `{version}`: ")?;
                }
                write!(f, "{violation}")?;
                match (ty, field) {
                    (Some(ty), Some(field)) => {
                        write!(f, " (in the field `{field}` of the Rust type `{ty}`)")
                    }
                    (Some(ty), None) => write!(f, " (in the Rust type `{ty}`)"),
                    (None, _) => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for CrdErrors {}
impl std::error::Error for CrdError {}
