//! Reasons to refuse an object or a CustomResourceDefinition, and parts that weren't checked.

use std::fmt;

/// The API server's kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A value occurs twice where it may occur only once.
    Duplicate,
    /// A field may not be set here.
    Forbidden,
    /// A value breaks a rule.
    Invalid,
    /// A value has another JSON type than the field, so that the API server can't even read the
    /// document.
    Malformed,
    /// A value isn't one of the known ones.
    NotSupported,
    /// A value is missing.
    Required,
    /// A value has too many bytes.
    TooLong,
    /// A value has too many items.
    TooMany,
    /// A value has another type than its schema requires.
    TypeInvalid,
}

#[cfg(feature = "cel")]
impl Kind {
    /// Whether the API server doesn't look at CEL rules after such an error.
    pub(super) fn blocks(self) -> bool {
        use Kind::{NotSupported, Required, TooLong, TooMany, TypeInvalid};
        matches!(self, NotSupported | Required | TooLong | TooMany | TypeInvalid)
    }
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

/// One part that the API server checks and this program doesn't.
///
/// `Display` writes one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Unchecked {
    /// The place, such as `spec.containers[0].image`.
    pub path: String,
    /// The check that wasn't done.
    pub what: String,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, what } = self;
        write!(f, "{path}: {what}")
    }
}
