//! The state while a type's schema is read.

use schemars::Schema as JsonSchema;
use serde_json::{Map, Value};

use super::SchemaError;

/// Reads a schema, and what is inside it in turn; what it knows of the places around.
pub(super) struct Reader<'a> {
    pub(super) document: JsonSchema,
    /// The named types around the current place: the author's name of the outermost, then schemars' names.
    pub(super) types: Vec<String>,
    pub(super) errors: &'a mut Vec<SchemaError>,
    /// How many of the places around this one keep unknown fields.
    pub(super) keeping: usize,
    pub(super) recursion: Recursion,
}

/// How far types that contain themselves are written out.
#[derive(Default)]
pub(super) struct Recursion {
    /// How often a type may be written out inside itself, if that is declared.
    pub(super) depth: Option<usize>,
    /// How often one did, everywhere.
    pub(super) unfolded: usize,
    /// Whether one went on where it was cut.
    pub(super) cut: bool,
}

/// One schema after its reference was followed and its `null` removed.
pub(super) struct Node {
    pub(super) keywords: Map<String, Value>,
    pub(super) nullable: bool,
}

impl Reader<'_> {
    pub(super) fn refuse(
        &mut self,
        path: &str,
        problem: impl Into<String>,
        rule: &'static str,
        instead: impl Into<String>,
    ) {
        self.errors.push(SchemaError {
            path: path.to_owned(),
            ty: self.types.last().cloned().unwrap_or_default(),
            problem: problem.into(),
            rule,
            instead: instead.into(),
        });
    }

    pub(super) fn refuse_all(&mut self, path: &str) {
        self.refuse(
            path,
            "accepts no value at all",
            "a property without any valid value can't be declared",
            "leave the field out with `#[serde(skip)]`",
        );
    }
}
