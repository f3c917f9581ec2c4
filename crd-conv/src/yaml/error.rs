//! Why YAML isn't read or written.

use std::fmt;

/// Why YAML wasn't read or written. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError(pub(super) String);

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for YamlError {}
