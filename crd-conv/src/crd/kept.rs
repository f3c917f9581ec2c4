//! Finds fields that two neighboring versions have, and that the API server keeps in only one of them.
//!
//! A conversion copies such a field, and the server then prunes what the target's schema doesn't know: a client that reads, changes and
//! writes an object loses it.

use super::fill::{Hop, hops};
use crate::{
    definition::Definition,
    engine::{STATUS_ENTRIES, differ_in_unset},
    plan::{Branch, Field, FieldRule, Fields, Kind},
    schema::{Schema, SchemaType},
};

/// What was found, a sentence each.
#[derive(Default)]
pub(super) struct Found {
    /// What a conversion loses.
    pub(super) errors: Vec<String>,
    /// What may be meant so.
    pub(super) notes: Vec<String>,
}

pub(super) fn compare(definition: &Definition, schemas: &[Schema]) -> Found {
    let mut found = Found::default();
    for (plan, hop) in hops(definition, schemas) {
        if let Some(root) = plan.fields() {
            fields(root, &hop, "", &mut found);
        }
    }
    found
}

/// Ends, because schemas do.
fn fields(fields: Fields, hop: &Hop<'_>, path: &str, found: &mut Found) {
    for FieldRule { rule, inside, .. } in fields.rules() {
        let Some([older, newer]) = rule.kept() else { continue };
        // Conversions keep whether a field with a default in one version was there, and what has rules of its own may be called otherwise.
        let is_known = inside.is_some() || differ_in_unset(older, newer);
        let path = format!("{path}.{}", newer.wire);
        let places = [(hop.older, older.wire), (hop.newer, newer.wire)];
        let fields =
            places.map(|(schema, wire)| schema.and_then(|schema| schema.properties.get(wire)));
        if let [Some(older), Some(newer)] = fields {
            if !is_known {
                defaults([older, newer], hop.names, &path, found);
            }
            value(inside.map(Branch::innermost), [older, newer], hop.names, &path, found);
        }
    }
}

/// Compares what is in a field, through lists and maps.
fn value(
    mapped: Option<Branch>,
    schemas: [&Schema; 2],
    versions: [&str; 2],
    path: &str,
    found: &mut Found,
) {
    let [older, newer] = schemas;
    if older.ty.is_some_and(|ty| newer.ty.is_some_and(|other| ty != other)) {
        // Refused, and not pruned.
        return;
    }
    let items = match schemas.map(held) {
        [Some(older), Some(newer)] => Some([older, newer]),
        [Some(older), None] if is_end(newer) => Some([older, newer]),
        [None, Some(newer)] if is_end(older) => Some([older, newer]),
        _ => None,
    };
    let first = |of: [bool; 2]| {
        let [from, to] = versions;
        if of[0] { [from, to] } else { [to, from] }
    };
    let unknown = |keeps: [bool; 2]| {
        let [keeps, prunes] = first(keeps);
        format!(
            "the API server keeps undeclared fields of `{path}` in `{keeps}`, and prunes them in `{prunes}`: preserve unknown fields in both \
             or in neither, or name a converter, `#[versioned(with = …)]`"
        )
    };
    if let Some(items) = items {
        // A list that preserves unknown fields does so in its items.
        let keeps = schemas.map(|schema| schema.items.is_some() && schema.preserves());
        if keeps[0] != keeps[1] && items.into_iter().all(|item| is_object(item) && !is_end(item)) {
            return found.errors.push(unknown(keeps));
        }
        return value(mapped, items, versions, path, found);
    }
    if !schemas.into_iter().all(is_object)
        || matches!(mapped.map(Branch::kind), Some(Kind::Enum(_)))
    {
        // What becomes of variants is up to their rules.
        return;
    }
    let ends = schemas.map(is_end);
    if ends[0] && ends[1] {
        return;
    }
    if ends[0] != ends[1] {
        let [ends, goes_on] = first(ends);
        found.errors.push(format!(
            "the schema of `{path}` ends in `{ends}`, so the API server keeps everything inside; it continues in `{goes_on}`, so the API \
             server prunes undeclared fields: write the same schema in both, or name a converter, `#[versioned(with = …)]`; for a type that \
             contains itself, write the same `recursion_depth` in both"
        ));
        return;
    }
    let keeps = schemas.map(|schema| schema.preserves() || schema.additional_properties.is_some());
    if keeps[0] != keeps[1] && !mapped.and_then(Branch::fields).is_some_and(has_rest) {
        found.errors.push(unknown(keeps));
    }
    match mapped.and_then(Branch::fields) {
        Some(inside) => {
            let hop = Hop { names: versions, older: Some(older), newer: Some(newer) };
            fields(inside, &hop, path, found);
        }
        None => properties(schemas, versions, path, found),
    }
}

/// The fields of a type that both versions share. Only an author's own schema makes them differ.
fn properties([older, newer]: [&Schema; 2], versions: [&str; 2], path: &str, found: &mut Found) {
    let mut names: Vec<_> = older.properties.keys().chain(newer.properties.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names.into_iter().filter(|name| *name != STATUS_ENTRIES) {
        let path = format!("{path}.{name}");
        match [older, newer].map(|schema| schema.properties.get(name)) {
            [Some(older), Some(newer)] => {
                defaults([older, newer], versions, &path, found);
                value(None, [older, newer], versions, &path, found);
            }
            [before, _] => {
                let [from, to] = versions;
                let ([declares, prunes], other) =
                    if before.is_some() { ([from, to], newer) } else { ([to, from], older) };
                if !other.preserves() && other.additional_properties.is_none() {
                    found.errors.push(format!(
                        "`{path}` is declared in `{declares}` and not in `{prunes}`, where the API server prunes it: declare it in both"
                    ));
                }
            }
        }
    }
}

fn defaults([older, newer]: [&Schema; 2], [from, to]: [&str; 2], path: &str, found: &mut Found) {
    if older.default == newer.default {
        return;
    }
    let [before, after] = [older, newer].map(|schema| match &schema.default {
        Some(default) => format!("`{default}`"),
        None => "nothing".to_owned(),
    });
    found.notes.push(format!(
        "where `{path}` is absent, the API server fills in {before} in `{from}` and {after} in `{to}`. If an absent field means the same \
         in both, write the same default in both"
    ));
}

/// What a list or a map holds.
fn held(schema: &Schema) -> Option<&Schema> {
    schema.items.as_deref().or(schema.additional_properties.as_deref())
}

fn is_object(schema: &Schema) -> bool {
    match schema.ty {
        Some(ty) => ty == SchemaType::Object,
        None => schema.preserves(),
    }
}

/// Whether anything may be inside.
fn is_end(schema: &Schema) -> bool {
    let is_declared = |name: &String| name != STATUS_ENTRIES;
    is_object(schema) && schema.preserves() && !schema.properties.keys().any(is_declared)
}

/// Whether a rule keeps the fields that a struct doesn't declare.
fn has_rest(fields: Fields) -> bool {
    let mut named = fields.rules().flat_map(|FieldRule { rule, .. }| rule.fields());
    named.any(|fields| fields.iter().any(Field::is_rest))
}
