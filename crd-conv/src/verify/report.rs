//! What a verifier found.

use std::collections::HashMap;
use std::fmt;

use crate::apiserver::finding::{Kind, Unchecked};

/// Everything that was found in one CustomResourceDefinition.
///
/// `Display` gives a line for each finding, with its place first: what the API server refuses, then warnings, then what
/// wasn't checked, of which places with the same reason share a line. `{:#}` gives each of these places a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// `metadata.name`, such as `crontabs.example.com`.
    pub name: String,
    /// What the API server refuses. Without any it takes the document, as far as it was checked.
    pub violations: Vec<Violation>,
    /// What the API server takes, and what goes wrong later.
    pub warnings: Vec<Warning>,
    /// What the API server checks and this program doesn't.
    pub unchecked: Vec<Unchecked>,
}

impl Report {
    /// Whether the API server takes the document, as far as it was checked.
    pub fn accepts(&self) -> bool {
        self.violations.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.is_empty() { "(without a name)" } else { &self.name };
        let verdict = match self.violations.len() {
            0 => "the API server takes it",
            1 => "the API server refuses it",
            n => return self.parts(f, name, &format!("the API server refuses it for {n} reasons")),
        };
        self.parts(f, name, verdict)
    }
}

impl Report {
    fn parts(&self, f: &mut fmt::Formatter<'_>, name: &str, verdict: &str) -> fmt::Result {
        write!(f, "{name}: {verdict}")?;
        for violation in &self.violations {
            write!(f, "\n  {violation}")?;
        }
        for warning in &self.warnings {
            write!(f, "\n  warning: {warning}")?;
        }
        if f.alternate() {
            for unchecked in &self.unchecked {
                write!(f, "\n  not checked: {unchecked}")?;
            }
            return Ok(());
        }
        for (what, paths) in self.unchecked_by_reason() {
            match *paths {
                [path] => write!(f, "\n  not checked: {path}: {what}")?,
                [first, ..] => {
                    write!(f, "\n  not checked: {first} and {} more: {what}", paths.len() - 1)?;
                }
                [] => {}
            }
        }
        Ok(())
    }

    /// What wasn't checked, each with its places, in the order of the first ones.
    fn unchecked_by_reason(&self) -> Vec<(&str, Vec<&str>)> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for Unchecked { path, what } in &self.unchecked {
            let place = *places.entry(what).or_insert(reasons.len());
            if place == reasons.len() {
                reasons.push((what, Vec::new()));
            }
            reasons[place].1.push(path);
        }
        reasons
    }
}

/// One thing that the API server refuses. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// Where, such as `spec.versions[0].schema.openAPIV3Schema.properties[spec].type`.
    pub path: String,
    /// The kind of error.
    pub kind: Kind,
    /// What is wrong, and what to write instead.
    pub problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, kind, problem } = self;
        write!(f, "{path}: {kind}: {problem}")
    }
}

/// One thing that the API server takes and that goes wrong later. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Where, as in [`Violation::path`].
    pub path: String,
    /// What it is about.
    pub about: About,
    /// What goes wrong, and what to write instead.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, problem, .. } = self;
        write!(f, "{path}: {problem}")
    }
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum About {
    /// A CA bundle that is no certificate: the API server takes it only until the resource is established.
    CaBundle,
    /// A default that the API server writes and doesn't check.
    Default,
    /// A field that the API server writes itself, such as `status`: it drops the value of the document.
    DroppedField,
    /// A field that takes null and lists its values: null is refused.
    EnumWithNull,
    /// A path that leads nowhere.
    LostPath,
    /// The scale subresource points at a field that may be null.
    NullAtScale,
    /// Objects that the API server creates and server-side apply refuses.
    ServerSideApply,
    /// A size that one of the ways to store or apply the document doesn't take.
    Size,
    /// A rule about a property that isn't declared.
    UndeclaredProperty,
    /// A field that the API server doesn't know and drops.
    UnknownField,
    /// A format that the API server doesn't know and ignores.
    UnknownFormat,
    /// A webhook's address that leads elsewhere than it looks.
    Address,
}
