//! The results of a check.

use std::collections::HashMap;
use std::fmt;

use super::finding::{Kind, Unchecked};

/// All findings in one CustomResourceDefinition.
///
/// `Display` writes one line for each finding, and each line starts with the place. Violations come
/// first, then warnings, then unchecked places. Unchecked places with the same reason share a line.
/// `{:#}` writes one line for each of these places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerificationReport {
    /// `metadata.name`, such as `crontabs.example.com`.
    pub name: String,
    /// The reasons why the API server refuses the document. If there are none, it accepts the
    /// document, as far as that was checked.
    pub violations: Vec<Violation>,
    /// Parts that the API server accepts, and that fail later.
    pub warnings: Vec<Warning>,
    /// Parts that the API server checks and this program doesn't.
    pub unchecked: Vec<Unchecked>,
}

impl VerificationReport {
    /// Returns whether the API server accepts the document, as far as that was checked.
    pub fn accepts(&self) -> bool {
        self.violations.is_empty()
    }

    /// Returns whether there are no warnings, and everything was checked.
    pub fn is_beyond_doubt(&self) -> bool {
        self.warnings.is_empty() && self.unchecked.is_empty()
    }
}

impl fmt::Display for VerificationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.is_empty() { "(without a name)" } else { &self.name };
        let verdict = match self.violations.len() {
            0 if self.unchecked.is_empty() => "the API server accepts it",
            0 => "no fault found, but not everything was checked",
            1 => "the API server refuses it",
            n => return self.parts(f, name, &format!("the API server refuses it for {n} reasons")),
        };
        self.parts(f, name, verdict)
    }
}

impl VerificationReport {
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
        self.unchecked_in_short().try_for_each(|line| write!(f, "\n  {line}"))
    }

    /// What wasn't checked: for each reason a line with the first place.
    pub(crate) fn unchecked_in_short(&self) -> impl Iterator<Item = String> {
        self.unchecked_by_reason().into_iter().map(|(what, paths)| {
            let more = match paths.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            format!("not checked: {}{more}: {what}", paths[0])
        })
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

/// One part of the document that the API server refuses.
///
/// `Display` writes one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The place, such as `spec.versions[0].schema.openAPIV3Schema.properties[spec].type`.
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

/// One part of the document that the API server accepts, and that fails later.
///
/// `Display` writes one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The place, as in [`Violation::path`].
    pub path: String,
    /// The subject of the warning.
    pub about: About,
    /// What fails, and what to write instead.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, problem, .. } = self;
        write!(f, "{path}: {problem}")
    }
}

/// The subject of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum About {
    /// A CA bundle that isn't a certificate. The API server accepts it only until the resource is
    /// established.
    CaBundle,
    /// A default that the API server writes without checking it.
    Default,
    /// A field that the API server writes itself, such as `status`. It drops the document's value.
    DroppedField,
    /// A nullable field with a list of values that lacks null, so that null is refused.
    EnumWithNull,
    /// A keyword that restricts only values of other types, so that it does nothing.
    IdleKeyword,
    /// A path that doesn't lead to a field.
    LostPath,
    /// A path of the scale subresource to a field that may be null.
    NullAtScale,
    /// Objects that the API server creates, and server-side apply refuses.
    ServerSideApply,
    /// A size that one of the ways to store or apply the document doesn't allow.
    Size,
    /// A rule about an undeclared property.
    UndeclaredProperty,
    /// A field that the API server doesn't know, and drops.
    UnknownField,
    /// A format that the API server doesn't know, and ignores.
    UnknownFormat,
    /// A pattern that no string can match.
    UnmatchedPattern,
    /// A webhook address that leads to another place than it seems to.
    Address,
}
