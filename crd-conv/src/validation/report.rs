//! What the API server does with an object.

use std::fmt;

use crate::apiserver::{cause::Cause, finding::Unchecked};

/// All findings about one object.
///
/// `Display` writes one line for each finding. The reasons why the API server refuses the object
/// come first, then the fields that it prunes, then unchecked places.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidationReport {
    /// The version of the object, such as `v1beta1`.
    pub version: String,
    /// The object after pruning and defaulting, as the API server writes it. If the server accepts
    /// the object, it stores this, or sends it to the conversion webhook.
    pub object: String,
    /// The paths of the fields that the API server doesn't know, and drops. By default, `kubectl`
    /// refuses an object with such fields.
    pub pruned: Vec<String>,
    /// The reasons why the API server refuses the object. If there are none, it accepts the object,
    /// as far as that was checked.
    pub causes: Vec<Cause>,
    /// Parts that the API server checks and this program doesn't.
    pub unchecked: Vec<Unchecked>,
}

impl ValidationReport {
    /// Returns whether the API server accepts the object, as far as that was checked.
    pub fn accepts(&self) -> bool {
        self.causes.is_empty()
    }
}

impl fmt::Display for ValidationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes = self.causes.iter().map(ToString::to_string);
        let pruned = self.pruned.iter().map(|path| format!("pruned: {path}"));
        let unchecked = self.unchecked.iter().map(|unchecked| format!("not checked: {unchecked}"));
        let lines: Vec<_> = causes.chain(pruned).chain(unchecked).collect();
        f.write_str(&lines.join("\n"))
    }
}
