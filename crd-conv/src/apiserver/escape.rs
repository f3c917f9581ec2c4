//! Names of fields in expressions of CEL.
//!
//! Source: <https://kubernetes.io/docs/reference/using-api/cel/#escaping>, and `pkg/cel/escaping.go`
//! of `k8s.io/apiserver`.

#[cfg(any(feature = "cel", feature = "cli"))]
use std::borrow::Cow;

/// Words that are a part of the language.
#[cfg(any(feature = "cel", feature = "cli"))]
const KEYWORDS: [&str; 4] = ["true", "false", "null", "in"];

/// Words that the language keeps for later.
pub(crate) const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Returns the name of a property in expressions, if it has one.
#[cfg(any(feature = "cel", feature = "cli"))]
pub(crate) fn escape(name: &str) -> Option<Cow<'_, str>> {
    let first = *name.as_bytes().first()?;
    if first.is_ascii_digit() {
        return None;
    }
    if KEYWORDS.contains(&name) || RESERVED.contains(&name) {
        return Some(format!("__{name}__").into());
    }
    let is_known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if !name.chars().all(is_known) {
        return None;
    }
    if !name.contains(['-', '.', '/']) && !name.contains("__") {
        return Some(name.into());
    }
    let escaped = name.replace("__", "__underscores__").replace('.', "__dot__");
    Some(escaped.replace('-', "__dash__").replace('/', "__slash__").into())
}
