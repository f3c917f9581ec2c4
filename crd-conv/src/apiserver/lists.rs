//! Lists that are sets or maps.
//!
//! Source: `pkg/apiserver/schema/listtype`.

use std::collections::{BTreeMap, HashMap};

use super::{
    cause::{Findings, shown},
    finding::Kind,
    number::GoNumber,
    path::Path,
    schema::Schema,
    text::write,
};
use crate::json::Json;

/// Refuses what stands twice.
pub(super) fn check(path: &Path<'_>, value: &Json, schema: &Schema, found: &mut Findings) {
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                match (schema.properties.get(name), schema.declared(name)) {
                    (Some(property), _) => check(&path.field(name), member, property, found),
                    (None, Some(other)) => check(&path.key(name), member, other, found),
                    (None, None) => {}
                }
            }
        }
        Json::Array(items) => {
            match schema.extensions.list_type.as_deref() {
                Some("set") => {
                    for i in repeated(items.iter().map(identity)) {
                        duplicate(&path.index(i), &items[i], found);
                    }
                }
                Some("map") => keyed(path, items, &schema.extensions.list_map_keys, found),
                _ => {}
            }
            if let Some(schema) = &schema.items {
                for (i, item) in items.iter().enumerate() {
                    check(&path.index(i), item, schema, found);
                }
            }
        }
        _ => {}
    }
}

fn duplicate(path: &Path<'_>, value: &Json, found: &mut Findings) {
    found.refuse(path, Kind::Duplicate, Some(shown(value)), String::new());
}

fn keyed(path: &Path<'_>, items: &[Json], keys: &[String], found: &mut Findings) {
    let other = items.iter().position(|item| !matches!(item, Json::Object(_) | Json::Null));
    if let Some(i) = other {
        let problem = "must be an object for an array of list-type map".to_owned();
        return found.invalid(&path.index(i), &items[i], problem);
    }
    let key_of = |item: &Json| {
        let member = |key: &String| match item {
            Json::Object(members) => Some((key.clone(), members.get(key)?.clone())),
            _ => None,
        };
        keys.iter().filter_map(member).collect::<BTreeMap<_, _>>()
    };
    let found_keys: Vec<_> = items.iter().map(key_of).collect();
    let identities = found_keys.iter().map(|found| match (keys, found.values().next()) {
        // One key is compared alone, and where it is missing that is a key of its own.
        ([_], Some(value)) => identity(value),
        ([_], None) => String::new(),
        _ => write(&Json::Object(found.clone())),
    });
    for i in repeated(identities) {
        duplicate(&path.index(i), &Json::Object(found_keys[i].clone()), found);
    }
}

/// What the server tells values apart by: it writes what isn't a scalar.
pub(super) fn identity(value: &Json) -> String {
    match value {
        Json::Number(number) => match GoNumber::from(*number) {
            GoNumber::Integer(integer) => integer.to_string(),
            GoNumber::Float(float) => format!("{:?}", float + 0.0),
        },
        value => write(value),
    }
}

/// Where something stands for the second time.
fn repeated(identities: impl Iterator<Item = String>) -> Vec<usize> {
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut places = Vec::new();
    for (place, identity) in identities.enumerate() {
        let count = counts.entry(identity).or_default();
        *count += 1;
        if *count == 2 {
            places.push(place);
        }
    }
    places
}
