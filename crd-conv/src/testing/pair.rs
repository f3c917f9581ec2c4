//! Two versions of a resource.

use std::fmt;

/// Two versions that objects are converted between: from one to the other, and usually back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Pair {
    /// The version in which objects are drawn.
    pub from: &'static str,
    /// The version that they are converted to.
    pub to: &'static str,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}
