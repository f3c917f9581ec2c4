//! The state while a type's schema is read.

use super::SchemaError;
use crate::outline::references::NOTHING;
pub(super) use crate::outline::references::{Node, References};

/// Reads a schema, and what is inside it in turn; what it knows of the places around.
pub(super) struct Reader<'a> {
    pub(super) references: References<'a>,
    /// The named types around the current place: the author's name of the outermost, then schemars' names.
    pub(super) types: Vec<String>,
    pub(super) errors: &'a mut Vec<SchemaError>,
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
        let (problem, rule, instead) = NOTHING;
        self.refuse(path, problem, rule, instead);
    }
}
