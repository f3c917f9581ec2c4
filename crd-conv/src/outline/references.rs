//! References, and types that contain themselves, for the outline and for `schema`.
//!
//! Such a type is written out as often as declared, and then ends in
//! `x-kubernetes-preserve-unknown-fields`.

use schemars::Schema as JsonSchema;
use serde_json::{Map, Value};

use super::is_true;
use super::keywords::{DEPTH, PRESERVE, combine, without_null};

/// A type is written out anew at each level, for each field that holds it.
const MAX_DEPTH: u64 = 8;
const MAX_UNFOLDED: usize = 1_000;

/// Types of `k8s-openapi` with the schema of an object without fields, which accept more than that.
/// The last one doesn't accept only objects.
const OPEN: [&str; 3] = [
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
    "io.k8s.apimachinery.pkg.runtime.RawExtension",
    ANYTHING,
];
const ANYTHING: &str = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON";

/// What is wrong with a schema without any value, the rule that it breaks, and what to write
/// instead.
pub(crate) const NOTHING: (&str, &str, &str) = (
    "accepts no value at all",
    "a property without any valid value can't be declared",
    "leave the field out with `#[serde(skip)]`",
);

/// A schema after its reference was followed and its `null` removed.
pub(crate) struct Node {
    pub(crate) keywords: Map<String, Value>,
    pub(crate) nullable: bool,
}

/// Follows references, and knows how far types that contain themselves are written out.
pub(crate) struct References<'d> {
    document: &'d JsonSchema,
    /// How many of the places around the current one preserve unknown fields.
    pub(crate) keeping: usize,
    /// How often a type may be written out inside itself, if that is declared.
    pub(crate) depth: Option<usize>,
    /// How often one was, everywhere.
    pub(crate) unfolded: usize,
    /// Each with the type around it, the problem, the rule, and what to write instead.
    pub(crate) refused: Vec<(String, String, &'static str, String)>,
}

impl<'d> References<'d> {
    pub(crate) fn new(document: &'d JsonSchema) -> Self {
        Self { document, keeping: 0, depth: None, unfolded: 0, refused: Vec::new() }
    }

    /// Follows references and removes `null`, however the two are nested; `None` if that is
    /// refused. `types` has the name of the outermost type, then those of the definitions around
    /// this place.
    pub(crate) fn node(&mut self, value: &Value, types: &mut Vec<String>) -> Option<Node> {
        let mut keywords = self.keywords(value, types)?;
        let mut nullable = false;
        loop {
            self.take_depth(&mut keywords, types);
            if let Some(Value::String(reference)) = keywords.remove("$ref") {
                if !self.follow(&reference, &mut keywords, types)? {
                    return Some(Node { keywords, nullable });
                }
            } else if let Some((junctor, other)) = without_null(&keywords) {
                nullable = true;
                keywords.remove(junctor);
                combine(&mut keywords, other);
            } else {
                return Some(Node { keywords, nullable });
            }
        }
    }

    fn keywords(&mut self, value: &Value, types: &[String]) -> Option<Map<String, Value>> {
        match value {
            Value::Object(keywords) => Some(keywords.clone()),
            Value::Bool(true) => Some(Map::new()),
            _ => {
                let (problem, rule, instead) = NOTHING;
                self.refuse(types, problem, rule, instead);
                None
            }
        }
    }

    /// Removes the keyword that says how deep a type is written out.
    fn take_depth(&mut self, keywords: &mut Map<String, Value>, types: &[String]) {
        let Some(depth) = keywords.remove(DEPTH) else { return };
        let depth = depth.as_u64().filter(|depth| (1..=MAX_DEPTH).contains(depth));
        let depth = depth.and_then(|depth| usize::try_from(depth).ok());
        self.depth = depth.or(Some(1));
        if depth.is_none() {
            self.refuse(
                types,
                format!("sets `{DEPTH}` to a value that isn't a number from 1 to {MAX_DEPTH}"),
                "the schema writes out each level",
                "write a number of levels, such as 3",
            );
        }
    }

    /// Adds what a reference leads to. Returns whether the schema goes on there.
    fn follow(
        &mut self,
        reference: &str,
        keywords: &mut Map<String, Value>,
        types: &mut Vec<String>,
    ) -> Option<bool> {
        let Some(target) = self.document.pointer(reference) else {
            self.refuse(
                types,
                format!("refers to `{reference}`, which its `JsonSchema` doesn't define"),
                "a structural schema has no references",
                "use `generator.subschema_for` in the type's `JsonSchema`",
            );
            return None;
        };
        let name = reference.strip_prefix("#/$defs/").unwrap_or(reference);
        let times = types.iter().skip(1).filter(|one| *one == name).count();
        if times > 0 && !self.unfolds(name, times, keywords, types)? {
            keywords.insert(PRESERVE.to_owned(), true.into());
            keywords.extend(target.get("type").map(|ty| ("type".to_owned(), ty.clone())));
            return Some(false);
        }
        let mut target = self.keywords(target, types)?;
        if OPEN.contains(&name) {
            keywords.insert(PRESERVE.to_owned(), true.into());
        }
        if name == ANYTHING {
            target.remove("type");
        }
        types.push(name.to_owned());
        // What is next to the reference describes this place, so it wins.
        combine(keywords, target);
        Some(true)
    }

    /// Whether a type is written out once more inside itself.
    fn unfolds(
        &mut self,
        name: &str,
        times: usize,
        keywords: &Map<String, Value>,
        types: &[String],
    ) -> Option<bool> {
        if self.keeping > 0 || is_true(keywords, PRESERVE) {
            return Some(false);
        }
        let Some(depth) = self.depth else {
            self.refuse(
                types,
                format!("contains `{name}` inside itself"),
                "a structural schema has no references and so no recursion",
                format!(
                    "write `#[versioned(recursion_depth = 3)]` on the field, or `#[schemars(extend(\"{DEPTH}\" = 3))]` in a type without `Versioned`; deeper levels are kept as they are; to keep everything inside as it is, write `preserve_unknown_fields`, or `\"{PRESERVE}\" = true`"
                ),
            );
            return None;
        };
        if times > depth {
            return Some(false);
        }
        self.unfolded += 1;
        // Later ones aren't reported again.
        if self.unfolded == MAX_UNFOLDED {
            self.refuse(
                types,
                format!(
                    "writes out `{name}` and other types inside themselves {MAX_UNFOLDED} times"
                ),
                "each field that contains its own type multiplies the schema",
                "write a smaller `recursion_depth`",
            );
        }
        (self.unfolded < MAX_UNFOLDED).then_some(true)
    }

    fn refuse(
        &mut self,
        types: &[String],
        problem: impl Into<String>,
        rule: &'static str,
        instead: impl Into<String>,
    ) {
        let ty = types.last().cloned().unwrap_or_default();
        self.refused.push((ty, problem.into(), rule, instead.into()));
    }
}
