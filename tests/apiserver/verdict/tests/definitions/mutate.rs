//! Breaks documents in one place, mostly.

use serde_json::{Value, json};

use super::{pieces, random::Random};

/// Changes one thing.
pub(crate) fn mutate(document: &mut Value, random: &mut Random) {
    let mut schemas = Vec::new();
    let mut places = Vec::new();
    walk(document, "", false, &mut schemas, &mut places);
    match random.below(10) {
        0..=5 if !schemas.is_empty() => {
            let path = random.pick(&schemas);
            let keywords = pieces::keywords();
            let (name, values) = random.pick(&keywords);
            let value = random.pick(values).clone();
            if let Some(Value::Object(schema)) = document.pointer_mut(path) {
                schema.insert((*name).to_owned(), value);
            }
        }
        6 | 7 => {
            let fields = pieces::fields();
            let (path, values) = random.pick(&fields);
            let value = random.pick(values).clone();
            set(document, path, value);
        }
        8 => {
            let path = random.pick(&places);
            let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
            match document.pointer_mut(parent) {
                Some(Value::Object(members)) => drop(members.remove(&unescaped(name))),
                Some(Value::Array(items)) => {
                    let index: usize = name.parse().expect("an index");
                    if random.below(2) == 0 {
                        items.remove(index);
                    } else {
                        items.push(items[index].clone());
                    }
                }
                _ => {}
            }
        }
        _ => {
            let path = random.pick(&places);
            let odd = [
                json!(null),
                json!(true),
                json!(false),
                json!(7),
                json!("x"),
                json!([]),
                json!({}),
                json!(""),
            ];
            if let Some(place) = document.pointer_mut(path) {
                *place = random.pick(&odd).clone();
            }
        }
    }
}

fn unescaped(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

/// Finds the pointers of all schemas, and of everything.
fn walk(
    value: &Value,
    path: &str,
    is_schema: bool,
    schemas: &mut Vec<String>,
    places: &mut Vec<String>,
) {
    if is_schema {
        schemas.push(path.to_owned());
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                let inner = name == "openAPIV3Schema"
                    || is_schema
                        && ["items", "additionalProperties", "not"].contains(&name.as_str())
                    || path.rsplit('/').nth(1) == Some("properties");
                walk(member, &path, inner && member.is_object(), schemas, places);
                places.push(path);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let branch = path.ends_with("Of");
                let path = format!("{path}/{i}");
                walk(item, &path, branch && item.is_object(), schemas, places);
                places.push(path);
            }
        }
        _ => {}
    }
}

/// Sets a field, with the objects on the way to it.
fn set(document: &mut Value, path: &str, value: Value) {
    let mut place = document;
    for name in path.split('/').skip(1) {
        place = match place {
            Value::Array(items) => {
                let index: usize = name.parse().unwrap_or_default();
                let Some(item) = items.get_mut(index) else { return };
                item
            }
            Value::Object(members) => members.entry(name).or_insert_with(|| json!({})),
            _ => return,
        };
    }
    *place = value;
}
