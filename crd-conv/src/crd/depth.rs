//! How deep types that hold themselves are written out, held against the other version.
//!
//! Where the one schema ends and the other one goes on, the server prunes what the one version lets it keep.

use super::fill::{Hop, fields, hops};
use crate::{
    definition::Definition,
    plan::{Nested, Rule, StructPlan},
    schema::{Schema, SchemaType},
};

/// One sentence for each field whose schema is deeper in one version than in the next one.
pub(super) fn differences(definition: &Definition, schemas: &[Schema]) -> Vec<String> {
    let mut found = Vec::new();
    for (plan, hop) in hops(definition, schemas) {
        walk(plan, &hop, "", &mut found);
    }
    found
}

/// Ends, because schemas do.
fn walk(plan: &'static StructPlan, hop: &Hop<'_>, path: &str, found: &mut Vec<String>) {
    for rule in &plan.rules_in_json() {
        let Rule::Kept { older, newer, nested } = rule else { continue };
        let Some(Nested::Struct(nested)) = nested.get().map(Nested::innermost) else { continue };
        let [Some(below), Some(above)] = [(hop.older, older.wire), (hop.newer, newer.wire)]
            .map(|(schema, wire)| fields(schema?, wire))
        else {
            continue;
        };
        let path = format!("{path}.{}", newer.wire);
        let [from, to] = hop.names;
        match (is_end(below), is_end(above)) {
            (false, false) => {
                let hop = Hop { names: hop.names, older: Some(below), newer: Some(above) };
                walk(nested, &hop, &path, found);
            }
            (true, true) => {}
            (ends, _) => {
                let [ends, goes_on] = if ends { [from, to] } else { [to, from] };
                found.push(format!(
                    "the schema of `{path}` ends in `{ends}`, where the API server keeps what stands there, and goes on in \
                     `{goes_on}`, where it prunes what it doesn't know: write the same `recursion_depth` in both"
                ));
            }
        }
    }
}

/// Whether anything may be inside.
fn is_end(schema: &Schema) -> bool {
    let object = schema.ty.is_none_or(|ty| ty == SchemaType::Object);
    object && schema.has("x-kubernetes-preserve-unknown-fields") && schema.properties.is_empty()
}
