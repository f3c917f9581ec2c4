//! Compares a document with the one that its types print.

use std::collections::BTreeMap;

use crd_conv::{diff::diff, schema::Json};
use serde_json::{Map, Value};

use crate::table::Row;

/// Keywords that restrict nothing, and that the API server doesn't use.
const ANNOTATIONS: [&str; 3] = ["title", "example", "externalDocs"];
const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

pub(crate) fn compare(old: &Value, new: &Value, row: &mut Row) {
    let [old_json, new_json] = [old, new].map(Json::from);
    let both = [diff(&old_json, &new_json), diff(&new_json, &old_json)];
    row.changes = Some(both.map(|report| {
        let shown = report.changes.iter();
        shown
            .map(|one| format!("{} {} {}: {}", one.version, one.path, one.kind, one.what))
            .collect()
    }));
    let [old, new] = [old, new].map(versions);
    for (name, old) in old {
        let Some(new) = new.get(name) else { continue };
        let [old, new] = [&old, new].map(|version| plain(version));
        differences(&old, &new, name, &mut |path, old, new| {
            let shown = |value: Option<&Value>| {
                value.map_or_else(
                    || "none".to_owned(),
                    |value| value.to_string().chars().take(80).collect(),
                )
            };
            let text = format!("{path}: {} became {}", shown(old), shown(new));
            if path.ends_with(".description") {
                row.descriptions.push(text);
            } else {
                row.others.push(text);
            }
        });
    }
}

fn versions(document: &Value) -> BTreeMap<&str, &Value> {
    let all = document["spec"]["versions"].as_array().into_iter().flatten();
    all.filter_map(|version| Some((version["name"].as_str()?, version))).collect()
}

/// A version without what makes no difference.
fn plain(version: &Value) -> Value {
    let mut version = version.clone();
    let Some(members) = version.as_object_mut() else { return version };
    if members.get("deprecated") == Some(&Value::Bool(false)) {
        members.remove("deprecated");
    }
    members.retain(|_, value| !is_empty(value));
    for column in list_of(members, "additionalPrinterColumns") {
        if column["priority"] == 0 {
            column.as_object_mut().map(|column| column.remove("priority"));
        }
    }
    if let Some(root) =
        members.get_mut("schema").and_then(|schema| schema.get_mut("openAPIV3Schema"))
    {
        schema(root);
        if let Some(root) = root.as_object_mut() {
            for container in ["properties", "required"] {
                match root.get_mut(container) {
                    Some(Value::Object(all)) => all.retain(|name, field| {
                        !META_FIELDS.contains(&name.as_str())
                            || field.as_object().is_some_and(|field| {
                                field
                                    .keys()
                                    .any(|keyword| keyword != "type" && keyword != "description")
                            })
                    }),
                    Some(Value::Array(all)) => all.retain(|name| {
                        !name.as_str().is_some_and(|name| META_FIELDS.contains(&name))
                    }),
                    _ => {}
                }
            }
            root.retain(|_, value| !is_empty(value));
        }
    }
    version
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Null)
        || value.as_array().is_some_and(Vec::is_empty)
        || value.as_object().is_some_and(Map::is_empty)
}

fn list_of<'v>(
    members: &'v mut Map<String, Value>,
    name: &str,
) -> impl Iterator<Item = &'v mut Value> {
    members.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Removes from a schema what makes no difference.
fn schema(value: &mut Value) {
    let Some(keywords) = value.as_object_mut() else { return };
    let either = keywords.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    keywords.retain(|keyword, value| {
        let is_neutral = match keyword.as_str() {
            "description" => value == "",
            "nullable" => *value == Value::Bool(false),
            "anyOf" | "type" | "format" => either,
            "default" => false,
            other => ANNOTATIONS.contains(&other) || is_empty(value),
        };
        !is_neutral
    });
    if let Some(required) = keywords.get_mut("required").and_then(Value::as_array_mut) {
        required.sort_by_key(ToString::to_string);
    }
    for inside in ["items", "additionalProperties"] {
        keywords.get_mut(inside).map(schema);
    }
    if let Some(Value::Object(properties)) = keywords.get_mut("properties") {
        properties.values_mut().for_each(schema);
    }
}

type Found<'f> = dyn FnMut(&str, Option<&Value>, Option<&Value>) + 'f;

fn differences(old: &Value, new: &Value, path: &str, found: &mut Found<'_>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let mut names: Vec<_> = old.keys().chain(new.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                let path = format!("{path}.{name}");
                match (old.get(name), new.get(name)) {
                    (Some(old), Some(new)) => differences(old, new, &path, found),
                    (old, new) => found(&path, old, new),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (place, (old, new)) in old.iter().zip(new).enumerate() {
                differences(old, new, &format!("{path}[{place}]"), found);
            }
        }
        (Value::Number(old_number), Value::Number(new_number)) => {
            if old_number.as_f64() != new_number.as_f64() {
                found(path, Some(old), Some(new));
            }
        }
        _ if old == new => {}
        _ => found(path, Some(old), Some(new)),
    }
}
