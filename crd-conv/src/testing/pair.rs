//! Two versions of a resource.

use std::fmt;

/// Two versions between which objects go: from the one to the other, and mostly back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Pair {
    /// The version that objects are drawn in.
    pub from: &'static str,
    /// The version that they are converted to.
    pub to: &'static str,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}
