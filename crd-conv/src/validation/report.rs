//! What the API server makes of an object.

use std::fmt;

use crate::apiserver::{cause::Cause, finding::Unchecked};

/// Everything that was found of one object.
///
/// `Display` gives a line for each finding: why the API server refuses the object, then what it prunes, then what wasn't
/// checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The version in which the object is, such as `v1beta1`.
    pub version: String,
    /// The object after pruning and defaulting, as the API server writes it. If it accepts the object, this is what it stores, or sends to
    /// the conversion webhook.
    pub object: String,
    /// The paths of the fields that the API server doesn't know and drops. `kubectl` refuses an object with such fields by
    /// default.
    pub pruned: Vec<String>,
    /// Why the API server refuses the object. Without any it takes it, as far as it was checked.
    pub causes: Vec<Cause>,
    /// What the API server checks and this program doesn't.
    pub unchecked: Vec<Unchecked>,
}

impl Report {
    /// Whether the API server takes the object, as far as it was checked.
    pub fn accepts(&self) -> bool {
        self.causes.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes = self.causes.iter().map(ToString::to_string);
        let pruned = self.pruned.iter().map(|path| format!("pruned: {path}"));
        let unchecked = self.unchecked.iter().map(|unchecked| format!("not checked: {unchecked}"));
        let lines: Vec<_> = causes.chain(pruned).chain(unchecked).collect();
        f.write_str(&lines.join("\n"))
    }
}
