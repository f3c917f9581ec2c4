//! Sets of fields in the form of `metadata.managedFields`.
//!
//! A set is a tree. A member of the set has nothing below it, or it has `.` next to its own
//! members. The steps are `f:` with a field's name, `k:` with an item's keys, and `v:` with an
//! item's value.
//!
//! Source: <https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management> and `fieldpath` of
//! `sigs.k8s.io/structured-merge-diff`.

use serde_json::{Map, Value, json};

pub(super) type Fields = Map<String, Value>;

/// Marks that a set contains the value itself, and not only members inside it.
const SELF: &str = ".";

/// The fields of an object that another object lacks or has with another value, split as the schema
/// defines. `None` if there are none.
pub(super) fn lost(schema: &Value, whole: &Value, rest: Option<&Value>) -> Option<Fields> {
    if rest == Some(whole) {
        return None;
    }
    let mut lost = Fields::new();
    match whole {
        Value::Object(fields) if !fields.is_empty() && !is_atomic_map(schema) => {
            for (name, value) in fields {
                let declared = schema.pointer("/properties").and_then(|known| known.get(name));
                let inside = declared.or_else(|| schema.get("additionalProperties"));
                let rest = rest.and_then(|rest| rest.get(name));
                if let Some(mut below) = self::lost(inside.unwrap_or(&Value::Null), value, rest) {
                    if declared.is_none() && rest.is_none() {
                        add_self(&mut below);
                    }
                    lost.insert(format!("f:{name}"), Value::Object(below));
                }
            }
            if lost.is_empty() { None } else { Some(lost) }
        }
        Value::Array(items) if !items.is_empty() && is_associative(schema) => {
            let others = rest.and_then(Value::as_array).into_iter().flatten();
            let others: Vec<_> = others.map(|item| (step(schema, item), item)).collect();
            for item in items {
                let step = step(schema, item);
                let rest = others.iter().find(|(known, _)| *known == step).map(|(_, item)| *item);
                let inside = schema.get("items").unwrap_or(&Value::Null);
                if let Some(mut below) = self::lost(inside, item, rest) {
                    if rest.is_none() {
                        add_self(&mut below);
                    }
                    lost.insert(step, Value::Object(below));
                }
            }
            if lost.is_empty() { None } else { Some(lost) }
        }
        _ => Some(lost),
    }
}

/// The part of an item that is removed if the set has the item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Items {
    /// Only the fields that the set has, too. If the item has other fields, it stays.
    OwnFields,
    /// The whole item.
    Whole,
}

/// Removes the fields of a set from a value.
pub(super) fn remove(value: &mut Value, set: &Fields, items: Items) {
    for (step, below) in set {
        let below = below.as_object().filter(|below| !below.is_empty());
        match (step.split_once(':'), &mut *value) {
            (Some(("f", name)), Value::Object(fields)) => {
                let Some(field) = fields.get_mut(name) else { continue };
                if let Some(below) = below {
                    remove(field, below, items);
                }
                let is_whole = items == Items::Whole && set_has_self(below);
                if below.is_none() || is_whole || is_empty(field) {
                    fields.remove(name);
                }
            }
            (Some(("k" | "v", key)), Value::Array(all)) => {
                let Ok(key) = serde_json::from_str::<Value>(key) else { continue };
                for item in all.iter_mut().filter(|item| is_at(item, &key)) {
                    // The keys stay as long as the item does, because they identify it.
                    let is_key = |step: &str| key.get(&step[step.len().min(2)..]).is_some();
                    if let Some(below) = below {
                        let others = below.iter().filter(|(step, _)| !is_key(step));
                        let others =
                            others.map(|(step, set)| (step.clone(), set.clone())).collect();
                        remove(item, &others, items);
                    }
                    let is_empty = items == Items::Whole || !has_more(item, &key);
                    if is_empty && (below.is_none() || set_has_self(below)) {
                        *item = Value::Null;
                    }
                }
                all.retain(|item| !item.is_null());
            }
            _ => {}
        }
    }
}

/// The items of a set, without the members inside them.
pub(super) fn items(set: &Fields) -> Fields {
    let mut found = Fields::new();
    for (step, below) in set {
        if step == SELF {
            found.insert(SELF.to_owned(), json!({}));
        } else if let Some(below) = below.as_object() {
            let below = items(below);
            if !below.is_empty() {
                found.insert(step.clone(), Value::Object(below));
            }
        }
    }
    found
}

/// Adds the members of another set to a set.
pub(super) fn union(one: &mut Fields, other: &Fields) {
    if one.is_empty() != other.is_empty() {
        add_self_or(one, other);
    }
    for (step, below) in other {
        let Some(below) = below.as_object() else { continue };
        match one.get_mut(step).and_then(Value::as_object_mut) {
            Some(known) => union(known, below),
            None => drop(one.insert(step.clone(), Value::Object(below.clone()))),
        }
    }
}

/// The members that both sets have, or `None` if there are none.
pub(super) fn intersection(one: &Fields, other: &Fields) -> Option<Fields> {
    let has_self = |set: &Fields| set.is_empty() || set.contains_key(SELF);
    let mut both = Fields::new();
    for (step, below) in one.iter().filter(|(step, _)| *step != SELF) {
        if let (Some(one), Some(other)) =
            (below.as_object(), other.get(step).and_then(Value::as_object))
            && let Some(below) = intersection(one, other)
        {
            both.insert(step.clone(), Value::Object(below));
        }
    }
    if has_self(one) && has_self(other) {
        add_self(&mut both);
        return Some(both);
    }
    if both.is_empty() { None } else { Some(both) }
}

fn set_has_self(below: Option<&Fields>) -> bool {
    below.is_some_and(|below| below.contains_key(SELF))
}

/// Marks that a set contains the value itself. A set without members means that already.
fn add_self(set: &mut Fields) {
    if !set.is_empty() {
        set.insert(SELF.to_owned(), json!({}));
    }
}

/// Merges two sets of which one contains only the value itself, and the other members inside it.
fn add_self_or(one: &mut Fields, other: &Fields) {
    if one.is_empty() {
        one.clone_from(other);
    }
    add_self(one);
}

fn is_atomic_map(schema: &Value) -> bool {
    schema.get("x-kubernetes-map-type").is_some_and(|kind| kind == "atomic")
}

fn is_associative(schema: &Value) -> bool {
    let kind = schema.get("x-kubernetes-list-type").and_then(Value::as_str);
    matches!(kind, Some("map" | "set"))
}

/// The step to an item.
fn step(schema: &Value, item: &Value) -> String {
    let Some(keys) = schema.get("x-kubernetes-list-map-keys").and_then(Value::as_array) else {
        return format!("v:{item}");
    };
    let mut known = Map::new();
    for key in keys.iter().filter_map(Value::as_str) {
        let default = || schema.pointer(&format!("/items/properties/{key}/default"));
        if let Some(value) = item.get(key).or_else(default) {
            known.insert(key.to_owned(), value.clone());
        }
    }
    format!("k:{}", Value::Object(known))
}

fn is_at(item: &Value, key: &Value) -> bool {
    match key.as_object() {
        Some(keys) => keys.iter().all(|(name, value)| item.get(name) == Some(value)),
        None => item == key,
    }
}

/// Whether an item has fields other than its keys.
fn has_more(item: &Value, key: &Value) -> bool {
    match (item, key.as_object()) {
        (Value::Object(fields), Some(keys)) => fields.keys().any(|name| !keys.contains_key(name)),
        _ => false,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Value {
        let item = json!({ "properties": { "name": {}, "port": {}, "label": {} } });
        json!({ "properties": {
            "list": { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": item },
            "set": { "x-kubernetes-list-type": "set", "items": {} },
            "plain": { "items": {} },
            "whole": { "x-kubernetes-map-type": "atomic" },
            "map": { "additionalProperties": {} },
            "struct": { "properties": { "a": {}, "b": {} } },
        } })
    }

    fn whole() -> Value {
        json!({
            "list": [{ "name": "a", "port": 1, "label": "x" }, { "name": "b" }],
            "set": ["x", "y"], "plain": [1, 2], "whole": { "a": 1 }, "map": { "k": 1 },
            "struct": { "a": 1, "b": {} },
        })
    }

    fn set(value: Value) -> Fields {
        serde_json::from_value(value).unwrap()
    }

    /// The set of all fields of such an object, as the API server writes it.
    fn all() -> Fields {
        set(json!({
            "f:list": {
                "k:{\"name\":\"a\"}": { ".": {}, "f:name": {}, "f:port": {}, "f:label": {} },
                "k:{\"name\":\"b\"}": { ".": {}, "f:name": {} },
            },
            "f:set": { "v:\"x\"": {}, "v:\"y\"": {} },
            "f:plain": {}, "f:whole": {}, "f:map": { "f:k": {} },
            "f:struct": { "f:a": {}, "f:b": {} },
        }))
    }

    #[test]
    fn the_set_of_all_fields() {
        assert_eq!(lost(&schema(), &whole(), None).unwrap(), all());
        assert_eq!(lost(&schema(), &whole(), Some(&whole())), None);
    }

    #[test]
    fn what_a_set_takes_out_is_lost() {
        for part in [
            json!({ "f:list": { "k:{\"name\":\"a\"}": { "f:port": {} } } }),
            json!({ "f:list": { "k:{\"name\":\"b\"}": { ".": {}, "f:name": {} } } }),
            json!({ "f:set": { "v:\"x\"": {} }, "f:plain": {} }),
            json!({ "f:struct": { "f:a": {} }, "f:map": { "f:k": {} } }),
            Value::Object(all()),
        ] {
            let part = set(part);
            let mut rest = whole();
            remove(&mut rest, &part, Items::OwnFields);
            assert_eq!(lost(&schema(), &whole(), Some(&rest)), Some(part), "{rest}");
        }
    }

    #[test]
    fn an_item_that_another_one_owns_too_keeps_its_key() {
        let mut rest = whole();
        let part = set(
            json!({ "f:list": { "k:{\"name\":\"a\"}": { ".": {}, "f:name": {}, "f:port": {} } } }),
        );
        remove(&mut rest, &part, Items::OwnFields);
        assert_eq!(rest["list"][0], json!({ "name": "a", "label": "x" }));
        let mut rest = whole();
        remove(&mut rest, &part, Items::Whole);
        assert_eq!(rest["list"], json!([{ "name": "b" }]));
        let lost = lost(&schema(), &whole(), Some(&rest)).unwrap();
        assert_eq!(items(&lost), set(json!({ "f:list": { "k:{\"name\":\"a\"}": { ".": {} } } })));
    }

    #[test]
    fn unions_and_intersections() {
        let mut one = set(json!({ "f:a": { "f:b": {} }, "f:c": {} }));
        let other = set(json!({ "f:a": { ".": {}, "f:d": {} }, "f:c": { "f:e": {} } }));
        assert_eq!(intersection(&one, &other), None);
        union(&mut one, &other);
        let both = json!({
            "f:a": { ".": {}, "f:b": {}, "f:d": {} }, "f:c": { ".": {}, "f:e": {} },
        });
        assert_eq!(Value::Object(one.clone()), both);
        assert_eq!(
            intersection(&one, &other),
            Some(set(json!({ "f:a": { ".": {}, "f:d": {} }, "f:c": { "f:e": {} } })))
        );
    }
}
