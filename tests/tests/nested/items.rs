//! Entries inside lists and maps: they follow their item, wherever it goes.

use crd_conv::{Converted, ResourceType, UnrestoredReason, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1 {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Spec {
        backends: Vec<Backend>,
        pools: BTreeMap<String, Vec<Backend>>,
        tree: Option<Tree>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Backend {
        name: String,
        zone: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Tree {
        label: String,
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
    }
}

mod v2 {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(crate) struct Spec {
        #[versioned(renamed_from = backends)]
        targets: Vec<Backend>,
        pools: BTreeMap<String, Vec<Backend>>,
        tree: Option<Tree>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Backend, removed(zone))]
    pub(crate) struct Backend {
        name: String,
        #[versioned(added(value = 0))]
        weight: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Tree)]
    pub(crate) struct Tree {
        #[versioned(renamed_from = label)]
        title: String,
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
        #[versioned(added)]
        color: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "routes", scope = "Namespaced"))]
enum Route {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

fn object(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Route",
        "metadata": { "name": "r" },
        "spec": spec,
    })
}

fn convert(object: &Value, to: &str) -> (Value, Converted) {
    let converted = ResourceType::of::<Route>().convert(object.to_string().as_bytes(), to).unwrap();
    (serde_json::from_str(&converted.json).unwrap(), converted)
}

fn weights(list: &Value) -> Vec<(&str, i64)> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| (item["name"].as_str().unwrap(), item["weight"].as_i64().unwrap())).collect()
}

fn p_q_r() -> Value {
    json!([
        { "name": "p", "weight": 1 },
        { "name": "q", "weight": 2 },
        { "name": "r", "weight": 3 },
    ])
}

#[test]
fn weights_follow_their_items() {
    let (mut older, _) = convert(&object("v2", &json!({ "targets": p_q_r() })), "v1");
    assert_eq!(
        older["spec"]["backends"],
        json!([{ "name": "p" }, { "name": "q" }, { "name": "r" }])
    );

    let (same, converted) = convert(&older, "v2");
    assert_eq!(same, object("v2", &json!({ "targets": p_q_r() })));
    assert!(converted.unrestored.is_empty());

    // Reordered, `q` deleted, `s` inserted.
    older["spec"]["backends"] = json!([{ "name": "r" }, { "name": "s" }, { "name": "p" }]);
    let (newer, converted) = convert(&older, "v2");
    assert_eq!(weights(&newer["spec"]["targets"]), [("r", 3), ("s", 0), ("p", 1)]);
    assert_eq!(
        converted.unrestored.iter().collect::<Vec<_>>(),
        [(UnrestoredReason::AnchorGone, 1)]
    );
    assert_eq!(newer["metadata"], json!({ "name": "r" }));
}

#[test]
fn equal_items_pair_in_order_while_their_number_stays() {
    let twins = json!([{ "name": "p", "weight": 1 }, { "name": "p", "weight": 2 }]);
    let (mut older, _) = convert(&object("v2", &json!({ "targets": twins })), "v1");
    let (newer, _) = convert(&older, "v2");
    assert_eq!(newer["spec"]["targets"], twins);

    // With one of the twins gone nobody knows whose weight is whose.
    older["spec"]["backends"] = json!([{ "name": "p" }]);
    let (newer, converted) = convert(&older, "v2");
    assert_eq!(weights(&newer["spec"]["targets"]), [("p", 0)]);
    assert_eq!(converted.unrestored.count(UnrestoredReason::AnchorGone), 2);
}

/// The names and zones of `p`, `q` and `r` on the way back, after an edit of what the version without zones shows.
fn zones(edit: impl FnOnce(&mut Vec<Value>)) -> (Vec<String>, u32) {
    let backends = json!([
        { "name": "p", "zone": "a" },
        { "name": "q", "zone": "b" },
        { "name": "r", "zone": "c" },
    ]);
    let (mut newer, _) = convert(&object("v1", &json!({ "backends": backends })), "v2");
    edit(newer["spec"]["targets"].as_array_mut().unwrap());
    let (older, converted) = convert(&newer, "v1");
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let backends = older["spec"]["backends"].as_array().unwrap().iter();
    let zones = backends.map(|item| text(&item["name"]) + &text(&item["zone"])).collect();
    (zones, converted.unrestored.count(UnrestoredReason::AnchorGone))
}

#[test]
fn an_edited_item_is_found_between_its_neighbours() {
    let found = |zones: [&str; 3]| (zones.map(str::to_owned).to_vec(), 0);
    assert_eq!(zones(|items| items[1]["weight"] = json!(7)), found(["pa", "qb", "rc"]));
    assert_eq!(zones(|items| items[0]["name"] = json!("s")), found(["sa", "qb", "rc"]));
    let both = |items: &mut Vec<Value>| {
        items[0]["weight"] = json!(7);
        items[2]["weight"] = json!(7);
    };
    assert_eq!(zones(both), found(["pa", "qb", "rc"]));
    let longer = |items: &mut Vec<Value>| {
        items[1]["weight"] = json!(7);
        items.push(json!({ "name": "s", "weight": 7 }));
    };
    assert_eq!(zones(longer).0, ["pa", "qb", "rc", "s-"]);
}

#[test]
fn another_item_in_its_place_is_another_item() {
    let lost =
        |zones: &[&str], count| (zones.iter().map(|zone| (*zone).to_owned()).collect(), count);
    // Replaced.
    let other = |items: &mut Vec<Value>| items[1] = json!({ "name": "s", "weight": 7 });
    assert_eq!(zones(other), lost(&["pa", "s-", "rc"], 1));
    // Two edited neighbours.
    let both = |items: &mut Vec<Value>| {
        items[0]["weight"] = json!(7);
        items[1]["weight"] = json!(8);
    };
    assert_eq!(zones(both), lost(&["p-", "q-", "rc"], 2));
    // One inserted next to it.
    let next = |items: &mut Vec<Value>| {
        items[1]["weight"] = json!(7);
        items.insert(1, json!({ "name": "s", "weight": 7 }));
    };
    assert_eq!(zones(next), lost(&["pa", "s-", "q-", "rc"], 1));
    // Edited to what another one is.
    let equal = |items: &mut Vec<Value>| items[1] = items[0].clone();
    assert_eq!(zones(equal), lost(&["p-", "p-", "rc"], 2));
}

#[test]
fn of_items_that_keep_the_same_any_may_go() {
    let twins = json!([{ "name": "p", "weight": 1 }, { "name": "q", "weight": 2 }, { "name": "p", "weight": 1 }]);
    let (older, _) = convert(&object("v2", &json!({ "targets": twins })), "v1");
    let mut fewer = older.clone();
    fewer["spec"]["backends"].as_array_mut().unwrap().remove(0);
    let (newer, converted) = convert(&fewer, "v2");
    assert_eq!(weights(&newer["spec"]["targets"]), [("q", 2), ("p", 1)]);
    assert_eq!(converted.unrestored.count(UnrestoredReason::AnchorGone), 1);

    let mut more = older;
    more["spec"]["backends"].as_array_mut().unwrap().push(json!({ "name": "p" }));
    let (newer, converted) = convert(&more, "v2");
    assert_eq!(weights(&newer["spec"]["targets"]), [("p", 0), ("q", 2), ("p", 0), ("p", 0)]);
    assert_eq!(converted.unrestored.count(UnrestoredReason::AnchorGone), 2);
}

#[test]
fn an_edit_inside_an_inner_list_costs_no_more_than_its_item() {
    let tree = json!({ "title": "root", "children": [
        { "title": "x", "color": "green", "children": [
            { "title": "y", "color": "grey", "children": [{ "title": "v", "color": "white" }] },
            { "title": "z", "color": "black" },
        ]},
        { "title": "u", "color": "red" },
    ]});
    let (mut older, _) = convert(&object("v2", &json!({ "tree": tree })), "v1");
    let inner = &mut older["spec"]["tree"]["children"][0]["children"];
    inner[1]["label"] = json!("w");
    let (newer, converted) = convert(&older, "v2");
    let mut expected = tree.clone();
    let inner = &mut expected["children"][0]["children"];
    inner[1] = json!({ "title": "w" });
    assert_eq!(newer["spec"]["tree"], expected);
    assert_eq!(
        converted.unrestored.iter().collect::<Vec<_>>(),
        [(UnrestoredReason::AnchorGone, 1)]
    );
}

#[test]
fn maps_go_by_their_keys_and_types_may_hold_themselves() {
    let spec = json!({
        "pools": { "a": p_q_r(), "b/\"": p_q_r() },
        "tree": {
            "title": "root", "color": "red", "left": { "title": "left", "color": "blue", "children": [] },
            "children": [{ "title": "x", "color": "green", "children": [{ "title": "y", "color": "grey" }] }],
        },
    });
    let (mut older, _) = convert(&object("v2", &spec), "v1");
    assert_eq!(older["spec"]["tree"]["left"]["label"], "left");
    assert_eq!(older["spec"]["tree"]["children"][0]["children"][0], json!({ "label": "y" }));
    let annotations: Vec<_> =
        older["metadata"]["annotations"].as_object().unwrap().keys().cloned().collect();
    let expected = [
        "pools.weight",
        "tree.children.children.color",
        "tree.children.color",
        "tree.color",
        "tree.left.color",
    ];
    assert_eq!(annotations, expected.map(|path| format!("conversion.example.com/v2.spec.{path}")));
    let (newer, converted) = convert(&older, "v2");
    assert_eq!(newer, object("v2", &spec));
    assert!(converted.unrestored.is_empty());

    let pools = older["spec"]["pools"].as_object_mut().unwrap();
    let moved = pools.remove("a").unwrap();
    pools.insert("c".to_owned(), moved);
    older["spec"]["tree"]["left"] = Value::Null;
    let (newer, converted) = convert(&older, "v2");
    assert_eq!(weights(&newer["spec"]["pools"]["c"]), [("p", 0), ("q", 0), ("r", 0)]);
    assert_eq!(newer["spec"]["pools"]["b/\""], p_q_r());
    assert_eq!(
        converted.unrestored.iter().collect::<Vec<_>>(),
        [(UnrestoredReason::AnchorGone, 4)]
    );
}

#[test]
fn deep_recursion_is_no_recursion() {
    let depth = 4_900;
    let text = format!(
        r#"{{"apiVersion":"example.com/v2","kind":"Route","metadata":{{}},"spec":{{"tree":{}{}}}}}"#,
        r#"{"title":"t","left":"#.repeat(depth) + "null",
        "}".repeat(depth)
    );
    let older = ResourceType::of::<Route>().convert(text.as_bytes(), "v1").unwrap().json;
    assert_eq!(older.matches(r#""label":"t""#).count(), depth);
    assert_eq!(
        ResourceType::of::<Route>().convert(older.as_bytes(), "v2").unwrap().json.len(),
        text.len()
    );
}
