//! The reasons why the API server refuses an object.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::{
    finding::{Kind, Unchecked},
    path::Path,
    text::write,
};
use crate::json::{Json, Number, go_float};

/// One reason why the API server refuses an object.
///
/// `Display` writes one line: the one that the server would print.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Cause {
    /// The place, such as `spec.containers[0].image`. Empty for the object itself. If no branch of
    /// a `oneOf` matches, and in a few other cases, the server names no field.
    pub field: String,
    /// The kind of error.
    pub kind: Kind,
    /// The value as the server prints it. `None` if the server doesn't print it.
    pub value: Option<String>,
    /// What is wrong, in the server's words. Empty for some kinds.
    pub detail: String,
    /// The Rust type that has the field, if it is known: the type of the stanza.
    pub rust_type: Option<String>,
}

impl Cause {
    pub(super) fn new(path: &Path<'_>, kind: Kind, value: Option<String>, detail: String) -> Self {
        Self { field: path.to_string(), kind, value, detail, rust_type: None }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Duplicate => "Duplicate value",
            Kind::Forbidden => "Forbidden",
            Kind::Invalid | Kind::Malformed | Kind::TypeInvalid => "Invalid value",
            Kind::NotSupported => "Unsupported value",
            Kind::Required => "Required value",
            Kind::TooLong => "Too long",
            Kind::TooMany => "Too many",
        };
        let field = if self.field.is_empty() { "<nil>" } else { &self.field };
        write!(f, "{field}: {kind}")?;
        if let Some(value) = &self.value {
            write!(f, ": {value}")?;
        }
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        if let Some(ty) = &self.rust_type {
            write!(f, " (in the Rust type `{ty}`)")?;
        }
        Ok(())
    }
}

/// What was found of a value.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) causes: Vec<Cause>,
    pub(crate) unchecked: Vec<Unchecked>,
    /// What the server accepts in this update only because it is unchanged.
    pub(crate) ratcheted: Vec<Ratcheted>,
    /// How much was right. Of several branches the server shows the errors of the one with the most.
    pub(super) matches: usize,
    /// All of `causes` and of `unchecked`: the server says nothing twice.
    said: (HashSet<Cause>, HashSet<Unchecked>),
}

/// A reason that doesn't keep the server from accepting an update.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command `check` reads it"))]
pub(crate) struct Ratcheted {
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command `check` reads it"))]
    pub(crate) cause: Cause,
    /// The value that has to stay as it is. `None` if no update is refused.
    pub(crate) unchanged: Option<String>,
}

/// Whether a value fits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Yes,
    No,
    /// Unless what wasn't checked says otherwise.
    Perhaps,
}

impl Findings {
    pub(super) fn fit(&self) -> Fit {
        match (self.causes.is_empty(), self.unchecked.is_empty()) {
            (true, true) => Fit::Yes,
            (true, false) => Fit::Perhaps,
            (false, _) => Fit::No,
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for cause in other.causes {
            self.push(cause);
        }
        for unchecked in other.unchecked {
            self.pass(unchecked);
        }
        self.ratcheted.extend(other.ratcheted);
        self.matches += other.matches;
    }

    pub(super) fn push(&mut self, cause: Cause) {
        if self.said.0.insert(cause.clone()) {
            self.causes.push(cause);
        }
    }

    pub(super) fn pass(&mut self, unchecked: Unchecked) {
        if self.said.1.insert(unchecked.clone()) {
            self.unchecked.push(unchecked);
        }
    }

    /// Accepts what was found of a value, as the value is unchanged. `before` is the number of
    /// causes that were known before.
    pub(super) fn ratchet(&mut self, before: usize, path: &Path<'_>) {
        let unchanged = Some(path.to_string());
        let causes = self.causes.drain(before..);
        let ratcheted = causes.map(|cause| Ratcheted { cause, unchanged: unchanged.clone() });
        self.ratcheted.extend(ratcheted);
    }

    /// Accepts one cause, as the value is unchanged.
    #[cfg(feature = "cel")]
    pub(super) fn ratchet_one(&mut self, cause: Cause, path: &Path<'_>) {
        self.ratcheted.push(Ratcheted { cause, unchanged: Some(path.to_string()) });
    }

    pub(super) fn refuse(
        &mut self,
        path: &Path<'_>,
        kind: Kind,
        value: Option<String>,
        detail: String,
    ) {
        self.push(Cause::new(path, kind, value, detail));
    }

    pub(super) fn invalid(&mut self, path: &Path<'_>, value: &Json, detail: String) {
        self.refuse(path, Kind::Invalid, Some(shown(value)), detail);
    }

    pub(super) fn pass_over(&mut self, path: &Path<'_>, what: String) {
        self.pass(Unchecked { path: path.to_string(), what });
    }
}

/// A value as the server prints it.
pub(super) fn shown(value: &Json) -> String {
    match value {
        Json::Text(text) => quoted(text),
        Json::Number(Number::Float(float)) => shown_float(*float),
        value => write(value),
    }
}

/// A text as Go's `%q` prints it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if !c.is_control() && (c == ' ' || !c.is_whitespace()) => out.push(c),
            // Writing to a text can't fail.
            c => drop(match u32::from(c) {
                code @ ..0x80 => write!(out, "\\x{code:02x}"),
                code => write!(out, "\\u{code:04x}"),
            }),
        }
    }
    out.push('"');
    out
}

/// A float as Go's `%v` prints it: with an exponent from a million on and below 0.0001, of two digits at least.
pub(super) fn shown_float(float: f64) -> String {
    let text = format!("{float:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    match exponent.parse().unwrap_or(0) {
        -4..6 => go_float(float),
        exponent => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", i32::abs(exponent))
        }
    }
}
