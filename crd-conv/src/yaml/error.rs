//! The reason why YAML can't be read or written.

use std::fmt;

/// The reason why YAML can't be read or written.
///
/// `Display` writes one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError(pub(super) String);

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for YamlError {}
