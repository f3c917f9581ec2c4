//! The junctors of a schema that restrict a value whose type is said next to them.
//!
//! `schemars` writes the alternatives of a type, each with a type, a reference or a `const`. In a
//! structural schema, the branches of a junctor have none of these. So what an author has written
//! for the API server can be told from what a type is made of.

use serde_json::{Map, Value};

use super::is_true;
use super::keywords::{BOUNDS, INT_OR_STRING, JUNCTORS, PRESERVE, types};

/// Keywords of a restriction that contain no schema, next to [`BOUNDS`].
const PLAIN: [&str; 7] =
    ["enum", "format", "maxItems", "minItems", "maxProperties", "minProperties", "required"];

/// Removes the junctors whose branches only restrict a value, and returns them.
pub(crate) fn take_conditions(keywords: &mut Map<String, Value>) -> Map<String, Value> {
    let has_type = keywords.get("type").is_some_and(Value::is_string) || types(keywords).len() == 1;
    if !has_type && !is_true(keywords, PRESERVE) && !is_true(keywords, INT_OR_STRING) {
        return Map::new();
    }
    let conditions = JUNCTORS.into_iter().chain(["not"]).filter_map(|junctor| {
        keywords.get(junctor).filter(|value| is_restriction(junctor, value))?;
        keywords.remove_entry(junctor)
    });
    conditions.collect()
}

fn is_restriction(keyword: &str, value: &Value) -> bool {
    match keyword {
        "not" | "items" => restricts(value),
        "properties" => value.as_object().is_some_and(|all| all.values().all(restricts)),
        _ if JUNCTORS.contains(&keyword) => {
            value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(restricts))
        }
        _ => PLAIN.contains(&keyword) || BOUNDS.contains(&keyword),
    }
}

/// Whether a schema has restrictions, and nothing else.
fn restricts(schema: &Value) -> bool {
    let keywords = schema.as_object().filter(|keywords| !keywords.is_empty());
    keywords.is_some_and(|all| all.iter().all(|(keyword, value)| is_restriction(keyword, value)))
}
