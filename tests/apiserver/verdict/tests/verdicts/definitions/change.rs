//! Changes of a document that break it, mostly.

use serde_json::{Value, json};

use super::pieces;
use crate::random::Random;

/// A change of one thing.
pub(crate) struct Change {
    /// The pointer to what changes.
    path: String,
    kind: Kind,
}

enum Kind {
    /// A keyword of a schema.
    Keyword(&'static str, Value),
    /// A field, with the objects on the way to it.
    Set(Value),
    /// Another value where there is one.
    Replace(Value),
    Remove,
    /// An item of a list stands at its end once more.
    Repeat,
}

/// The changes of a document by what they change.
#[derive(Default)]
struct Changes {
    schemas: Vec<Change>,
    fields: Vec<Change>,
    removals: Vec<Change>,
    odd: Vec<Change>,
}

/// Every change of the places that are wanted.
pub(crate) fn all(document: &Value, wanted: impl Fn(&str) -> bool) -> Vec<Change> {
    let Changes { schemas, fields, removals, odd } = changes(document);
    let all = schemas.into_iter().chain(fields).chain(removals).chain(odd);
    all.filter(|change| wanted(&change.path)).collect()
}

/// Changes one thing, of the schemas mostly.
pub(crate) fn change(document: &mut Value, random: &mut Random) {
    let Changes { schemas, fields, removals, odd } = changes(document);
    let some = match random.below(10) {
        0..=5 if !schemas.is_empty() => schemas,
        6 | 7 => fields,
        8 => removals,
        _ => odd,
    };
    if !some.is_empty() {
        random.pick(&some).apply(document);
    }
}

fn changes(document: &Value) -> Changes {
    let mut changes = Changes::default();
    let (mut schemas, mut places) = (Vec::new(), Vec::new());
    walk(document, "", false, &mut schemas, &mut places);
    let keywords = pieces::keywords();
    for path in &schemas {
        for (name, values) in &keywords {
            changes.schemas.extend(values.iter().map(|value| Change {
                path: path.clone(),
                kind: Kind::Keyword(name, value.clone()),
            }));
        }
    }
    for (path, values) in pieces::fields() {
        let set = |value| Change { path: path.to_owned(), kind: Kind::Set(value) };
        changes.fields.extend(values.into_iter().map(set));
    }
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
    for Place { path, in_list } in places {
        let of = |kind| Change { path: path.clone(), kind };
        changes.odd.extend(odd.iter().cloned().map(Kind::Replace).map(of));
        changes.removals.push(of(Kind::Remove));
        changes.removals.extend(in_list.then(|| of(Kind::Repeat)));
    }
    changes
}

impl Change {
    pub(crate) fn apply(&self, document: &mut Value) {
        let Self { path, kind } = self;
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        match kind {
            Kind::Keyword(name, value) => {
                if let Some(Value::Object(schema)) = document.pointer_mut(path) {
                    schema.insert((*name).to_owned(), value.clone());
                }
            }
            Kind::Set(value) => set(document, path, value.clone()),
            Kind::Replace(value) => {
                if let Some(place) = document.pointer_mut(path) {
                    *place = value.clone();
                }
            }
            Kind::Remove => match document.pointer_mut(parent) {
                Some(Value::Object(members)) => drop(members.remove(&unescaped(name))),
                Some(Value::Array(items)) => drop(items.remove(index(name))),
                _ => {}
            },
            Kind::Repeat => {
                if let Some(Value::Array(items)) = document.pointer_mut(parent) {
                    items.push(items[index(name)].clone());
                }
            }
        }
    }
}

fn index(name: &str) -> usize {
    name.parse().expect("an index")
}

fn unescaped(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

struct Place {
    path: String,
    in_list: bool,
}

/// Finds the pointers of all schemas, and all places.
fn walk(
    value: &Value,
    path: &str,
    is_schema: bool,
    schemas: &mut Vec<String>,
    places: &mut Vec<Place>,
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
                places.push(Place { path, in_list: false });
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let branch = path.ends_with("Of");
                let path = format!("{path}/{i}");
                walk(item, &path, branch && item.is_object(), schemas, places);
                places.push(Place { path, in_list: true });
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
