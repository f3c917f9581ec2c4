//! The reasons why a Rust type has no structural schema.

use std::fmt;

/// A place where a Rust type can't be expressed as a structural schema.
///
/// `Display` writes one sentence with the JSON path, the Rust type, the API server's rule, and what
/// to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaError {
    /// The path in the object, such as `.spec.containers[].image`.
    pub path: String,
    /// The nearest Rust type that has a name.
    pub ty: String,
    /// What the type has at this path.
    pub problem: String,
    /// The API server's rule.
    pub rule: &'static str,
    /// What to write instead.
    pub instead: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, ty, problem, rule, instead } = self;
        write!(f, "`{path}` (Rust type `{ty}`) {problem}, but {rule}: {instead}")
    }
}

impl std::error::Error for SchemaError {}

/// What is wrong, the rule that it breaks, and what to write instead.
pub(super) type Problem = (String, &'static str, &'static str);
