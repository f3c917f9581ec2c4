//! Lists in lists, about which one version says more than the other, and what clients may do to
//! them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

pub mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    pub struct ChartSpec {
        items: Vec<Item>,
        #[versioned(list_map_keys(name))]
        slots: Vec<Slot>,
        named: BTreeMap<String, Vec<Leaf>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    pub struct Item {
        label: Option<String>,
        kind: Option<String>,
        #[serde(default = "five")]
        level: i64,
        leaves: Vec<Leaf>,
        rows: Vec<Vec<Leaf>>,
        #[versioned(list_map_keys(name))]
        slots: Vec<Slot>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    pub struct Slot {
        name: String,
        kind: Option<String>,
        leaves: Vec<Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    pub struct Leaf {
        label: Option<String>,
        kind: Option<String>,
        #[serde(default = "five")]
        level: i64,
    }

    pub(super) fn five() -> i64 {
        5
    }
}

pub mod v2 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1::five;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    #[versioned(from = super::v1::ChartSpec)]
    pub struct ChartSpec {
        items: Vec<Item>,
        #[versioned(list_map_keys(name))]
        slots: Vec<Slot>,
        named: BTreeMap<String, Vec<Leaf>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    #[versioned(from = super::v1::Item)]
    pub struct Item {
        label: Option<String>,
        kind: Option<String>,
        #[serde(default = "five")]
        level: i64,
        leaves: Vec<Leaf>,
        rows: Vec<Vec<Leaf>>,
        #[versioned(list_map_keys(name))]
        slots: Vec<Slot>,
        #[versioned(added)]
        kept: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    #[versioned(from = super::v1::Slot)]
    pub struct Slot {
        name: String,
        kind: Option<String>,
        leaves: Vec<Leaf>,
        #[versioned(added)]
        kept: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug)]
    #[versioned(from = super::v1::Leaf)]
    pub struct Leaf {
        label: Option<String>,
        kind: Option<String>,
        #[serde(default = "five")]
        level: i64,
        #[versioned(added)]
        kept: Option<String>,
    }
}

/// The resource.
#[derive(crd_conv::Versioned, Debug)]
#[versioned(resource(group = "example.com", plural = "charts", scope = "Namespaced"))]
pub enum Chart {
    V1 {
        spec: v1::ChartSpec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::ChartSpec,
    },
}

/// The origin of a chart's item: a number that all items have. If an item is itself a list, it is
/// in an object's `ROW`.
pub const ORIGIN: &str = "#";
/// The items of a list in a list.
pub const ROW: &str = "#row";
/// Whether an item was doubled.
const TWIN: &str = "#twin";

/// Returns what a version shows for a chart with origins.
pub fn shown(chart: &Value, newer: bool) -> Value {
    match chart {
        Value::Object(members) => {
            if let Some(row) = members.get(ROW) {
                return shown(row, newer);
            }
            let seen = |name: &str| !name.starts_with('#') && (newer || name != "kept");
            let members = members.iter().filter(|(name, _)| seen(name));
            members.map(|(name, value)| (name.clone(), shown(value, newer))).collect()
        }
        Value::Array(items) => items.iter().map(|item| shown(item, newer)).collect(),
        plain => plain.clone(),
    }
}

/// Returns what tells an item from others in the older version.
pub fn print(item: &Value) -> String {
    fn plain(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                // In other fields, null is a value of its own.
                let absent = |name: &str, value: &Value| {
                    name == "unknown" || name == "level" && (value.is_null() || *value == json!(5))
                };
                let counts = |(name, value): &(&String, &Value)| !absent(name, value);
                let members = members.iter().filter(counts);
                members.map(|(name, value)| (name.clone(), plain(value))).collect()
            }
            Value::Array(items) => items.iter().map(plain).collect(),
            plain => plain.clone(),
        }
    }
    plain(&shown(item, false)).to_string()
}

/// A member that may be absent, null, or one of these values.
fn maybe(values: &'static [&'static str]) -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        1 => Just(None),
        1 => Just(Some(Value::Null)),
        8 => select(values).prop_map(|text| Some(json!(text))),
    ]
}

fn plain_members() -> impl Strategy<Value = Map<String, Value>> {
    let level =
        prop_oneof![3 => Just(None), 1 => select(vec![5, 6]).prop_map(|level| Some(json!(level)))];
    let kept = maybe(&["own", "own", "own", "own", "same"]);
    let unknown = prop_oneof![4 => Just(None), 1 => Just(Some(json!(1)))];
    (maybe(&["a", "b", "c", "d", "e"]), maybe(&["x", "y"]), level, kept, unknown).prop_map(
        |(label, kind, level, kept, unknown)| {
            let members = [
                ("label", label),
                ("kind", kind),
                ("level", level),
                ("kept", kept),
                ("unknown", unknown),
            ];
            let members = members.into_iter();
            members.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
        },
    )
}

fn leaves() -> impl Strategy<Value = Value> {
    prop::collection::vec(plain_members().prop_map(Value::Object), 0..4).prop_map(Value::Array)
}

fn slots() -> impl Strategy<Value = Value> {
    prop::collection::vec((plain_members(), leaves()), 0..3).prop_map(|slots| {
        let slots = slots.into_iter().enumerate().map(|(place, (mut slot, leaves))| {
            slot.remove("label");
            slot.remove("level");
            slot.insert("name".to_owned(), json!(format!("s{place}")));
            slot.insert("leaves".to_owned(), leaves);
            Value::Object(slot)
        });
        slots.collect()
    })
}

fn items() -> impl Strategy<Value = Value> {
    let rows = prop::collection::vec(leaves().prop_map(|row| json!({ ROW: row })), 0..3);
    let inside = (leaves(), rows, slots(), 0..8_u8);
    let item = (plain_members(), inside).prop_map(|(mut item, (leaves, rows, slots, which))| {
        // Most items contain little.
        for (bit, name, value) in
            [(1, "leaves", leaves), (2, "rows", json!(rows)), (4, "slots", slots)]
        {
            let value = if which & bit == 0 { json!([]) } else { value };
            item.insert(name.to_owned(), value);
        }
        Value::Object(item)
    });
    prop::collection::vec(item, 0..6).prop_map(Value::Array)
}

/// The `spec` of a chart in the newer version, with the origin of each item.
pub fn chart() -> impl Strategy<Value = Value> {
    let named = prop::collection::btree_map(select(vec!["n", "m"]), leaves(), 0..3);
    (items(), slots(), named).prop_map(|(items, slots, named)| {
        let named: BTreeMap<&str, Value> = named;
        let mut chart = json!({ "items": items, "slots": slots, "named": named });
        number(&mut chart, &mut 0);
        chart
    })
}

fn number(value: &mut Value, count: &mut u64) {
    match value {
        Value::Object(members) => {
            *count += 1;
            members.insert(ORIGIN.to_owned(), json!(*count));
            if members.get("kept") == Some(&json!("own")) {
                members.insert("kept".to_owned(), json!(format!("k{count}")));
            }
            members.values_mut().for_each(|value| number(value, count));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| number(item, count)),
        _ => {}
    }
}

/// A client's edit of one of a chart's lists.
#[derive(Clone, Debug)]
pub struct Edit {
    pub list: Index,
    pub what: What,
    pub item: Index,
    pub other: Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Delete,
    Swap,
    Move,
    Insert,
    Double,
    Change,
    Unset,
}

pub fn edit(what: &'static [What]) -> impl Strategy<Value = Edit> {
    let indexes = any::<(Index, Index, Index)>();
    (select(what), indexes).prop_map(|(what, (list, item, other))| Edit { list, what, item, other })
}

/// Finds the lists in a chart, as JSON pointers.
fn lists(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) if members.contains_key(TWIN) => {}
        Value::Object(members) => {
            for (name, value) in members {
                lists(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            found.push(path.to_owned());
            for (place, item) in items.iter().enumerate() {
                lists(item, &format!("{path}/{place}"), found);
            }
        }
        _ => {}
    }
}

/// Edits a chart as the older version shows it. New values in it occur nowhere else. Returns the
/// list, and the place in it of the item that was changed.
pub fn apply(chart: &mut Value, edit: &Edit, fresh: &mut u64) -> Option<(String, usize)> {
    let mut found = Vec::new();
    lists(chart, "", &mut found);
    let path = edit.list.get(&found).clone();
    let name = path.rsplit('/').find(|name| name.parse::<usize>().is_err())?.to_owned();
    let list = chart.pointer_mut(&path)?.as_array_mut()?;
    let mut next = || {
        *fresh += 1;
        format!("f{fresh}")
    };
    if edit.what == What::Insert {
        let place = edit.other.index(list.len() + 1);
        let leaf = json!({ "label": next(), "kind": next() });
        let item = match name.as_str() {
            "rows" => json!({ ROW: [leaf] }),
            "slots" => json!({ "name": next(), "leaves": [leaf] }),
            "items" => json!({ "label": next(), "leaves": [leaf], "rows": [], "slots": [] }),
            _ => leaf,
        };
        list.insert(place, item);
        return None;
    }
    if list.is_empty() {
        return None;
    }
    let (place, other) = (edit.item.index(list.len()), edit.other.index(list.len()));
    match edit.what {
        What::Delete => drop(list.remove(place)),
        What::Swap => list.swap(place, other),
        What::Move => {
            let item = list.remove(place);
            list.insert(other, item);
        }
        What::Double => {
            list[place].as_object_mut()?.insert(TWIN.to_owned(), json!(true));
            let mut double = list[place].clone();
            if name == "slots" {
                double["name"] = json!(next());
            }
            list.insert(other, double);
        }
        What::Change | What::Unset => {
            let item = list[place].as_object_mut()?;
            if item.contains_key(ROW) {
                return None;
            }
            if item.contains_key(TWIN) {
                // If another item had half of its values, that item would be taken for this one.
                item.retain(|name, _| name.starts_with('#') || name == "name");
                item.insert("kind".to_owned(), json!(next()));
                return None;
            }
            let fields: &[&str] =
                if name == "slots" { &["kind"] } else { &["label", "kind", "level"] };
            let field = *edit.other.get(fields);
            let value = match (edit.what, field) {
                (What::Unset, _) => Value::Null,
                (_, "level") => {
                    *fresh += 1;
                    json!(*fresh + 1000)
                }
                _ => json!(next()),
            };
            item.insert(field.to_owned(), value);
            return Some((path, place));
        }
        What::Insert => {}
    }
    None
}

/// Whether an edited item can be found: something in it is left, and it was equal to no other item.
/// The same must hold for each item around it.
pub fn can_be_found(before: &Value, after: &Value, list: &str, place: usize) -> bool {
    let path = format!("{list}/{place}");
    let steps = path.match_indices('/').map(|(at, _)| &path[..at]).chain([&path[..]]);
    steps.skip(1).all(|path| {
        let Some((list, place)) = path.rsplit_once('/') else { return true };
        let (Some(Value::Array(items)), Ok(place)) = (before.pointer(list), place.parse::<usize>())
        else {
            return true;
        };
        if list.ends_with("slots") {
            return true;
        }
        let item = &items[place];
        let is_unique = items.iter().filter(|other| print(other) == print(item)).count() == 1;
        let [was, is] = [Some(item), after.pointer(path)].map(|item| {
            let mut found = BTreeSet::new();
            let item = item.map(print).and_then(|print| serde_json::from_str(&print).ok());
            values(&item.unwrap_or_default(), "", &mut found);
            found
        });
        is_unique && !was.is_disjoint(&is)
    })
}

/// Finds the values in an item, with the names on their paths.
fn values(item: &Value, way: &str, found: &mut BTreeSet<String>) {
    match item {
        Value::Null => {}
        Value::Object(members) => {
            for (name, value) in members {
                values(value, &format!("{way}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for item in items {
                values(item, &format!("{way}/"), found);
            }
        }
        plain => drop(found.insert(format!("{way}={plain}"))),
    }
}
