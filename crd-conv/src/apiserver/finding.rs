//! What both an object and a CustomResourceDefinition may be refused for, and what nobody looked at.

use std::fmt;

/// The API server's kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A value stands twice where it may stand once.
    Duplicate,
    /// A field may not be set here.
    Forbidden,
    /// A value breaks a rule.
    Invalid,
    /// A value is of another JSON type than the field, so that the API server can't even read the document.
    Malformed,
    /// A value isn't one of those that are known.
    NotSupported,
    /// A value is missing.
    Required,
    /// There are too many bytes.
    TooLong,
    /// There are too many items.
    TooMany,
    /// A value is of another type than its schema says.
    TypeInvalid,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Duplicate => "duplicate",
            Self::Forbidden => "forbidden",
            Self::Invalid | Self::TypeInvalid => "invalid",
            Self::Malformed => "malformed",
            Self::NotSupported => "not supported",
            Self::Required => "required",
            Self::TooLong => "too long",
            Self::TooMany => "too many",
        })
    }
}

/// One thing that the API server checks and this program doesn't. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Unchecked {
    /// Where, such as `spec.containers[0].image`.
    pub path: String,
    /// What wasn't checked.
    pub what: String,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, what } = self;
        write!(f, "{path}: {what}")
    }
}
