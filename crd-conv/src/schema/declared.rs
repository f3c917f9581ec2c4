//! What authors declare beside their types, written into the schema.
//!
//! The mapping reads the same declarations, so that the API server and the conversions mean the same list.

use super::{Json, Schema, SchemaError, SchemaType};
use crate::__private::{Declared, Facts};

const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_KEYS: &str = "x-kubernetes-list-map-keys";
const ONE_SOURCE: &str = "a list's keys are said in one place";
const KEYED: &str = "the API server tells the items of such a list apart by them";

/// Goes through the schema and the types together; a place that only one of them has is left alone.
pub(super) fn apply(
    schema: &mut Schema,
    declared: Declared,
    ty: &str,
    path: &str,
    errors: &mut Vec<SchemaError>,
) {
    match declared {
        Declared::Fields(fields) => {
            for facts in fields {
                let Some(property) = schema.properties.get_mut(facts.field.wire) else { continue };
                let path = format!("{path}.{}", facts.field.wire);
                if let Some(inside) = (facts.inside)() {
                    apply(property, inside, facts.field.ty, &path, errors);
                }
                field(property, facts, ty, &path, errors);
            }
        }
        Declared::Items(inside) => {
            if let Some(items) = &mut schema.items {
                apply(items, inside(), ty, &format!("{path}[]"), errors);
            }
        }
        Declared::Values(inside) => {
            if let Some(values) = &mut schema.additional_properties {
                apply(values, inside(), ty, &format!("{path}.*"), errors);
            }
        }
    }
}

fn field(schema: &mut Schema, facts: &Facts, ty: &str, path: &str, errors: &mut Vec<SchemaError>) {
    let refuse = |(problem, rule, instead): (String, &'static str, &str)| SchemaError {
        path: path.to_owned(),
        ty: ty.to_owned(),
        problem,
        rule,
        instead: instead.to_owned(),
    };
    if let Some(nullable) = facts.nullable {
        if nullable && !schema.values.is_empty() {
            errors.push(refuse((
                "is declared `nullable`".to_owned(),
                "the API server never takes null for an enum",
                "take `#[versioned(nullable)]` out",
            )));
        } else {
            schema.nullable = nullable;
        }
    }
    if !facts.field.list_keys.is_empty()
        && let Err(problem) = list_keys(schema, facts.field.list_keys)
    {
        errors.push(refuse(problem));
    }
}

/// What is wrong, the rule that it breaks, and what to write instead.
type Problem = (String, &'static str, &'static str);

fn list_keys(schema: &mut Schema, keys: &[&str]) -> Result<(), Problem> {
    let wanted = Json::Array(keys.iter().map(|key| Json::Text((*key).to_owned())).collect());
    if let Some(other) = schema.extensions.get(LIST_TYPE)
        && other.as_str() != Some("map")
    {
        return Err((
            format!("has `list_map_keys`, and `{LIST_TYPE}` is {other}"),
            "only a list of the type `map` has keys",
            "take one of the two out",
        ));
    }
    if let Some(other) = schema.extensions.get(MAP_KEYS)
        && *other != wanted
    {
        return Err((
            format!("has the keys {wanted} by `list_map_keys`, and `{MAP_KEYS}` is {other}"),
            ONE_SOURCE,
            "keep `#[versioned(list_map_keys(…))]`, which the schema and the conversions both follow",
        ));
    }
    let Some(items) = schema.items.as_deref() else {
        return Err((
            "has `list_map_keys`, but isn't a list".to_owned(),
            "only a list has keys",
            "take `list_map_keys` out",
        ));
    };
    if items.ty != Some(SchemaType::Object) || items.nullable {
        return Err((
            "has `list_map_keys`, but its items aren't plain objects".to_owned(),
            KEYED,
            "make the items a struct that isn't an `Option`, or take `list_map_keys` out",
        ));
    }
    for key in keys {
        let Some(property) = items.properties.get(*key) else {
            return Err((
                format!("has the key `{key}`, which isn't a field of its items"),
                KEYED,
                "name fields of the items",
            ));
        };
        let scalar = match property.ty {
            Some(SchemaType::Array | SchemaType::Object) => false,
            Some(_) => true,
            None => property.has("x-kubernetes-int-or-string"),
        };
        if !scalar {
            return Err((
                format!("has the key `{key}`, which isn't a plain value in its items"),
                KEYED,
                "name fields that are strings, numbers or booleans",
            ));
        }
        if property.nullable {
            return Err((
                format!("has the key `{key}`, which may be null in its items"),
                KEYED,
                "make that field required, or give it `#[serde(default)]` instead of `Option`",
            ));
        }
        if property.default.is_none() && !items.required.iter().any(|name| name == key) {
            return Err((
                format!("has the key `{key}`, which its items may leave out"),
                KEYED,
                "make that field required, or give it a default",
            ));
        }
    }
    schema.extensions.insert(LIST_TYPE.to_owned(), Json::Text("map".to_owned()));
    schema.extensions.insert(MAP_KEYS.to_owned(), wanted);
    Ok(())
}
