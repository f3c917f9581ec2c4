//! Merges alternatives into one structural schema.
//!
//! The API server decides what it prunes, drops and fills in by one schema at each place, so that schema combines the
//! declarations of all branches. Conditions of a single branch go into `oneOf` or `anyOf`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Schema, SchemaType,
    both::require,
    bounds,
    constraint::{close, constraint},
    error::Problem,
    join::join,
};

/// Merges schemas. A value must fit at least one of them; with `exclusive`, exactly one.
pub(super) fn union(mut branches: Vec<Schema>, exclusive: bool) -> Result<Schema, Problem> {
    if branches.len() == 1 {
        return Ok(branches.remove(0));
    }
    let schemas: Vec<&Schema> = branches.iter().collect();
    let nullable = schemas.iter().any(|schema| schema.nullable);
    let mut whole = join(&schemas, nullable)?;
    if let Some(whole) = integer_or_text(&schemas, &whole) {
        return Ok(whole);
    }
    let named = exclusive && are_named(&schemas);
    let mut constraints = Vec::with_capacity(branches.len());
    for schema in &branches {
        let mut constraint = constraint(schema, &whole, !named)?;
        if exclusive && is_around(schema) {
            close(schema, &whole, &mut constraint);
        }
        constraints.push(constraint);
    }
    if are_names_of_tag(&constraints) {
        return Ok(whole);
    }
    let says_nothing = constraints.contains(&Schema::default());
    if whole.extensions.int_or_string && schemas.iter().all(|schema| is_plain(schema))
        || (says_nothing && (!exclusive || constraints.iter().all(|c| *c == constraints[0])))
    {
        return Ok(whole);
    }
    let mut chosen = Schema::default();
    *if exclusive { &mut chosen.one_of } else { &mut chosen.any_of } = constraints;
    require(&mut whole, chosen);
    Ok(whole)
}

/// Whether each branch is one value of the same field, and the whole lists all values.
fn are_names_of_tag(constraints: &[Schema]) -> bool {
    let tag = |constraint: &Schema| {
        let (name, value) = constraint.properties.first_key_value()?;
        let values = Schema { values: value.values.clone(), ..Schema::default() };
        let properties = BTreeMap::from([(name.clone(), values)]);
        (*constraint == Schema { properties, ..Schema::default() }).then(|| name.clone())
    };
    let first = constraints.first().and_then(tag);
    first.is_some() && constraints.iter().all(|constraint| tag(constraint) == first)
}

/// Whether each object is one field under a name of its own, so that the names alone tell the branches apart.
fn are_named(schemas: &[&Schema]) -> bool {
    let mut names = BTreeSet::new();
    schemas.iter().all(|schema| match schema.ty {
        Some(SchemaType::Object) => is_around(schema) && names.insert(&schema.required[0]),
        ty => ty.is_some(),
    })
}

/// Whether an object is one field, as serde writes a variant without a tag.
fn is_around(schema: &Schema) -> bool {
    schema.ty == Some(SchemaType::Object)
        && schema.properties.len() == 1
        && schema.required.len() == 1
}

/// Merges an integer and a text: bounds of numbers don't apply to texts, and bounds of texts don't apply to numbers, so one schema can have
/// both. If neither has bounds, it is an int-or-string as in Kubernetes, without the bounds of a format.
fn integer_or_text(schemas: &[&Schema], whole: &Schema) -> Option<Schema> {
    let (integer, text) = match schemas {
        [a, b] | [b, a] if (a.ty, b.ty) == (Some(SchemaType::Integer), Some(SchemaType::Text)) => {
            (a, b)
        }
        _ => return None,
    };
    if text.format.is_some() || is_plain(integer) && is_plain(text) {
        return None;
    }
    let with_bounds = |schema: &Schema, of_number: &Schema, of_text: &Schema| Schema {
        maximum: of_number.maximum,
        exclusive_maximum: of_number.exclusive_maximum,
        minimum: of_number.minimum,
        exclusive_minimum: of_number.exclusive_minimum,
        multiple_of: of_number.multiple_of,
        format: of_number.format.clone(),
        max_length: of_text.max_length,
        min_length: of_text.min_length,
        pattern: of_text.pattern.clone(),
        ..schema.clone()
    };
    let none = Schema::default();
    if ![integer, text].iter().all(|schema| is_plain(&with_bounds(schema, &none, &none))) {
        return None;
    }
    let mut whole = with_bounds(whole, integer, text);
    bounds::said(&mut whole);
    whole.format = None;
    Some(whole)
}

/// Whether an integer or a string has no bounds.
fn is_plain(schema: &Schema) -> bool {
    let bare =
        Schema { description: None, title: None, nullable: false, format: None, ..schema.clone() };
    let (ty, extensions) = (bare.ty, bare.extensions.clone());
    bare == Schema { ty, extensions, ..Schema::default() }
}
