//! What is kept of the items of lists, after a client's edits: by the edits' own account it comes back to the item it was of, or
//! not at all.
//!
//! `PROPTEST_CASES` says how many objects each property gets.

use std::sync::LazyLock;

use crd_conv::{Converted, ResourceType};
use crd_conv_tests::alignment::{
    Chart, Edit, ORIGIN, ROW, What, apply, can_be_found, chart, edit, print, shown,
};
use crd_conv_tests::served::Server;
use proptest::prelude::*;
use serde_json::{Value, json};

static CHARTS: LazyLock<ResourceType> = LazyLock::new(ResourceType::of::<Chart>);
static SERVER: LazyLock<Server> = LazyLock::new(|| Server::of(&CHARTS, &["v1", "v2"]));

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(2_000),
        max_shrink_iters: 20_000,
        failure_persistence: None,
        max_global_rejects: u32::MAX,
        ..ProptestConfig::default()
    }
}

fn convert(object: &str, to: &str) -> Converted {
    CHARTS.convert(object.as_bytes(), to).unwrap_or_else(|error| panic!("{error}: {object}"))
}

/// What comes back of a chart after edits, and what was between.
fn journey(before: &Value, after: &Value, served: bool) -> (Value, Converted, String) {
    let object = json!({
        "apiVersion": "example.com/v2",
        "kind": "Chart",
        "metadata": { "name": "a" },
        "spec": shown(before, true),
    });
    let step = |object: String, version: usize| {
        if served { SERVER.between(&object, version) } else { object }
    };
    let there = convert(&step(object.to_string(), 1), "v1").json;
    let mut there: Value = serde_json::from_str(&step(there, 0)).expect("JSON");
    there["spec"] = shown(after, false);
    let there = step(there.to_string(), 0);
    let back = convert(&there, "v2");
    let mut tree: Value = serde_json::from_str(&back.json).expect("JSON");
    (tree["spec"].take(), back, there)
}

/// Whether what is kept must be there, or may be lost.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Surely,
    Perhaps,
}

/// What is wrong with what came back.
type Wrong = Vec<String>;

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The value in which the items of a row are.
fn inside(value: &Value) -> &Value {
    value.get(ROW).unwrap_or(value)
}

fn kept(value: &Value) -> &Value {
    value.get("kept").unwrap_or(&Value::Null)
}

/// What is kept of an item and of all that is in it.
fn all_kept(value: &Value) -> Vec<&Value> {
    let inside: Vec<&Value> = match inside(value) {
        Value::Object(members) => members.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => return Vec::new(),
    };
    std::iter::once(kept(value)).chain(inside.into_iter().flat_map(all_kept)).collect()
}

/// A list of which each item is found by what is in it.
fn check_list(before: &Value, after: &Value, back: &Value, found: Found, wrong: &mut Wrong) {
    let (before, after, back) = (items(before), items(after), items(back));
    if after.len() != back.len() {
        wrong.push(format!("{} items of {}", back.len(), after.len()));
        return;
    }
    let prints: Vec<String> = before.iter().map(print).collect();
    let now: Vec<String> = after.iter().map(print).collect();
    for (place, (item, back)) in after.iter().zip(back).enumerate() {
        let was: Vec<&Value> = before
            .iter()
            .zip(&prints)
            .filter(|(_, print)| **print == now[place])
            .map(|(item, _)| item)
            .collect();
        let count = now.iter().filter(|print| **print == now[place]).count();
        if was.len() == count {
            let nth = now[..place].iter().filter(|print| **print == now[place]).count();
            check_equal(was[nth], back, found, wrong);
        } else if let [first, ..] = was[..] {
            // Of those that keep the same any may be left.
            let same = |other: &&Value| all_kept(other) == all_kept(first);
            let none = Value::Null;
            let expected = if count < was.len() && was.iter().all(same) { first } else { &none };
            check_equal_or_less(expected, back, wrong);
        } else {
            let origin = before.iter().find(|before| {
                item.get(ORIGIN).is_some() && before.get(ORIGIN) == item.get(ORIGIN)
            });
            match origin {
                Some(origin) => check_value(origin, item, back, Found::Perhaps, wrong),
                None => check_equal_or_less(&Value::Null, back, wrong),
            }
        }
    }
}

/// An item that nobody touched.
fn check_equal(before: &Value, back: &Value, found: Found, wrong: &mut Wrong) {
    check_kept(before, back, found, wrong);
    match inside(before) {
        Value::Object(members) => {
            for (name, value) in members {
                check_equal(value, &back[name], found, wrong);
            }
        }
        Value::Array(list) => {
            for (value, back) in list.iter().zip(items(back)) {
                check_equal(value, back, found, wrong);
            }
        }
        _ => {}
    }
}

fn check_equal_or_less(before: &Value, back: &Value, wrong: &mut Wrong) {
    match back {
        Value::Object(members) => {
            check_kept(before, back, Found::Perhaps, wrong);
            for (name, back) in members {
                check_equal_or_less(before.get(name).unwrap_or(&Value::Null), back, wrong);
            }
        }
        Value::Array(list) => {
            for (place, back) in list.iter().enumerate() {
                let before = inside(before).get(place).unwrap_or(&Value::Null);
                check_equal_or_less(before, back, wrong);
            }
        }
        _ => {}
    }
}

fn check_kept(before: &Value, back: &Value, found: Found, wrong: &mut Wrong) {
    let (expected, back) = (kept(before), kept(back));
    if expected != back && (found == Found::Surely || !back.is_null()) {
        wrong.push(format!("{back} and not {expected}"));
    }
}

/// A value of which is known what it was.
fn check_value(before: &Value, after: &Value, back: &Value, found: Found, wrong: &mut Wrong) {
    check_kept(before, back, found, wrong);
    if let Some(row) = after.get(ROW) {
        check_list(&before[ROW], row, back, found, wrong);
    }
    for name in ["items", "leaves", "rows"] {
        if let Some(after) = after.get(name) {
            check_list(&before[name], after, &back[name], found, wrong);
        }
    }
    for (item, back) in items(&after["slots"]).iter().zip(items(&back["slots"])) {
        let before = items(&before["slots"]).iter().find(|slot| slot["name"] == item["name"]);
        match before {
            Some(before) => check_value(before, item, back, found, wrong),
            None => check_equal_or_less(&Value::Null, back, wrong),
        }
    }
    for (key, after) in after["named"].as_object().into_iter().flatten() {
        check_list(&before["named"][key], after, &back["named"][key], found, wrong);
    }
}

const ALL: &[What] = &[
    What::Delete,
    What::Swap,
    What::Move,
    What::Insert,
    What::Double,
    What::Change,
    What::Change,
    What::Change,
    What::Unset,
];

fn edited(before: &Value, edits: &[Edit]) -> Value {
    let (mut after, mut fresh) = (before.clone(), 0);
    for edit in edits {
        apply(&mut after, edit, &mut fresh);
    }
    after
}

proptest! {
    #![proptest_config(config())]

    /// On no other item than the one it came from, and on each that nobody touched and that is equal to as many as before.
    #[test]
    fn what_is_kept_finds_its_item(
        before in chart(), edits in prop::collection::vec(edit(ALL), 0..6), served in any::<bool>(),
    ) {
        let after = edited(&before, &edits);
        let (back, _, there) = journey(&before, &after, served);
        let mut wrong = Vec::new();
        check_value(&before, &after, &back, Found::Surely, &mut wrong);
        prop_assert!(wrong.is_empty(), "{}: {}\nby {}", wrong.join(", "), back, there);
    }

    /// A single edit in place loses nothing, as long as something is left by which the item can be known.
    #[test]
    fn a_single_edit_loses_nothing(
        before in chart(), edit in edit(&[What::Change]), served in any::<bool>(),
    ) {
        let mut after = before.clone();
        let changed = apply(&mut after, &edit, &mut 0);
        prop_assume!(changed.is_some_and(|(list, place)| can_be_found(&before, &after, &list, place)));
        let (back, converted, there) = journey(&before, &after, served);
        let mut wrong = Vec::new();
        check_equal(&after, &back, Found::Surely, &mut wrong);
        prop_assert!(wrong.is_empty(), "{}: {}\nby {}", wrong.join(", "), back, there);
        prop_assert!(converted.unrestored.is_empty(), "{:?}", converted.unrestored);
    }
}
