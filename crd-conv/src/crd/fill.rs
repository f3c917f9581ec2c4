//! Compares the values that a mapping gives to added and removed fields with the schema's defaults.
//!
//! The API server defaults a field before the webhook ever sees it, so the two must be one value.

use crate::{
    definition::Definition,
    json::Json,
    plan::{Branch, FieldRule, OneSided, Open, WriteFn},
    schema::{Schema, same, settle},
};

/// One sentence for each field with a value that isn't its schema's default.
pub(super) fn differences(definition: &Definition, schemas: &[Schema]) -> Vec<String> {
    let mut found = Vec::new();
    for (plan, hop) in hops(definition, schemas) {
        walk(plan, &hop, "", &mut Open::default(), &mut found);
    }
    found
}

/// From each version to the next one.
pub(super) fn hops<'a>(
    definition: &'a Definition,
    schemas: &'a [Schema],
) -> impl Iterator<Item = (Branch, Hop<'a>)> {
    definition.versions.iter().enumerate().skip(1).filter_map(|(i, version)| {
        let hop = Hop {
            names: [definition.versions[i - 1].name, version.name],
            older: Some(&schemas[i - 1]),
            newer: Some(&schemas[i]),
        };
        Some((version.rules()?, hop))
    })
}

/// The same place in both versions.
pub(super) struct Hop<'a> {
    pub(super) names: [&'a str; 2],
    pub(super) older: Option<&'a Schema>,
    pub(super) newer: Option<&'a Schema>,
}

fn walk(mapped: Branch, hop: &Hop<'_>, path: &str, open: &mut Open<()>, found: &mut Vec<String>) {
    let Some(fields) = mapped.fields() else { return };
    if open.enter(mapped, ()).is_err() {
        return;
    }
    for FieldRule { rule, inside, .. } in fields.rules() {
        if let (Some([older, newer]), Some(inside)) = (rule.kept(), inside) {
            let hop = Hop {
                names: hop.names,
                older: hop.older.and_then(|schema| holder(schema, older.wire)),
                newer: hop.newer.and_then(|schema| holder(schema, newer.wire)),
            };
            let path = format!("{path}.{}", newer.wire);
            walk(inside.innermost(), &hop, &path, open, found);
        }
        if let Some(OneSided { newer, field, fill: Some(fill) }) = rule.one_sided() {
            let (schema, version) =
                if newer { (hop.newer, hop.names[1]) } else { (hop.older, hop.names[0]) };
            compare(fill, schema, field.wire, path, version, found);
        }
    }
    open.leave();
}

fn compare(
    fill: WriteFn,
    schema: Option<&Schema>,
    wire: &str,
    parent: &str,
    version: &str,
    found: &mut Vec<String>,
) {
    let mut text = String::new();
    let value = match fill(&mut text) {
        Ok(true) => serde_json::from_str::<serde_json::Value>(&text).map_err(Into::into),
        Ok(false) => return,
        Err(error) => Err(error),
    };
    let mut value = match value {
        Ok(value) => Json::from(&value),
        Err(error) => {
            found.push(format!(
                "the value for `{parent}.{wire}` of `{version}` can't be written: {error}"
            ));
            return;
        }
    };
    let Some(property) = schema.and_then(|schema| schema.properties.get(wire)) else { return };
    settle(&mut value, property);
    if let Some(default) = &property.default
        && !same(default, &value)
    {
        found.push(format!(
            "`{parent}.{wire}` of `{version}` has the default {default} in the schema and the value {value} in the \
             mapping; write the same in both places, because the API server fills in the default before it asks for \
             a conversion"
        ));
    }
}

/// The schema that holds a field's own fields, through lists and maps.
fn holder<'a>(schema: &'a Schema, wire: &str) -> Option<&'a Schema> {
    let mut schema = schema.properties.get(wire)?;
    while let Some(inner) = schema.items.as_deref().or(schema.additional_properties.as_deref()) {
        schema = inner;
    }
    Some(schema)
}
