//! What is declared beside a type is in the plan and in the schema.

use std::collections::BTreeMap;

use crd_conv::{
    __private::{Shape, UpgradeFrom},
    Nested, Resource, Rule, Versioned,
    crd::{CrdOptions, Webhook},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Port {
    port_name: String,
    #[serde(default)]
    protocol: String,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Pool {
    #[versioned(list_map_keys(port_name, protocol))]
    ports: Option<Vec<Port>>,
}

/// Not versioned, so its fields are known by their names in JSON only.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Plain {
    id: i64,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Older {
    pools: BTreeMap<String, Vec<Pool>>,
    #[versioned(list_map_keys("id"))]
    #[schemars(extend("x-kubernetes-list-map-keys" = ["id"]))]
    plain: Vec<Plain>,
    #[versioned(nullable = false)]
    note: Option<String>,
    #[versioned(nullable)]
    #[schemars(required)]
    size: i32,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = Older)]
struct Newer {
    pools: BTreeMap<String, Vec<Pool>>,
    #[versioned(renamed_from = plain, list_map_keys("id"))]
    items: Vec<Plain>,
    note: Option<String>,
    size: i32,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
enum Gadget {
    V1alpha1 {
        spec: Older,
    },
    #[versioned(storage)]
    V1 {
        spec: Newer,
    },
}

/// Types that hold lists of themselves may tell the items apart.
#[derive(Versioned, Serialize, Deserialize)]
struct Tree {
    name: String,
    #[versioned(list_map_keys(name))]
    children: Vec<Tree>,
}

#[test]
fn in_the_plan() {
    assert_eq!(Pool::FIELDS[0].field.list_keys, ["portName", "protocol"]);
    assert_eq!(Tree::FIELDS[1].field.list_keys, ["name"]);
    let Nested::Struct(plan) = <Newer as UpgradeFrom<Older>>::plan() else { panic!("structs") };
    let found: Vec<_> = plan
        .rules
        .iter()
        .map(|rule| match rule {
            Rule::Kept { older, newer, .. } => {
                (newer.rust, [older.list_keys, newer.list_keys], [older.nullable, newer.nullable])
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(found.contains(&("items", [&["id"], &["id"]], [false, false])));
    assert!(found.contains(&("note", [&[], &[]], [false, true])));
    assert!(found.contains(&("size", [&[], &[]], [true, false])));
}

fn spec(version: &str) -> Value {
    let options = CrdOptions::new().webhook(Webhook::url("https://example.com/convert"));
    let crd = Resource::of::<Gadget>().crd(&options).expect("a structural schema");
    let crd = crd.to_json().expect("JSON");
    let crd: Value = serde_json::from_str(&crd).expect("JSON");
    let versions = crd["spec"]["versions"].as_array().expect("versions");
    let version = versions.iter().find(|found| found["name"] == version).expect("the version");
    version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"].clone()
}

#[test]
fn in_the_schema() {
    let older = spec("v1alpha1");
    let ports = &older["pools"]["additionalProperties"]["items"]["properties"]["ports"];
    assert_eq!(ports["x-kubernetes-list-type"], "map");
    assert_eq!(ports["x-kubernetes-list-map-keys"], json!(["portName", "protocol"]));
    assert_eq!(older["plain"]["x-kubernetes-list-type"], "map");
    assert_eq!(older["note"]["nullable"], Value::Null);
    assert_eq!(older["size"]["nullable"], true);
    let newer = spec("v1");
    assert_eq!(newer["items"]["x-kubernetes-list-map-keys"], json!(["id"]));
    assert_eq!(newer["note"]["nullable"], true);
}

/// What generation says of a list with these attributes.
macro_rules! refused {
    ($($test:ident { $($item:tt)* } $(#[$attr:meta])* $ty:ty => $says:literal)*) => {$(
        #[test]
        fn $test() {
            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            struct Item { $($item)* }

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            struct Spec {
                $(#[$attr])*
                list: $ty,
            }

            #[derive(Versioned)]
            #[versioned(resource(group = "example.com", plural = "gadgets", scope = "Cluster"))]
            enum Gadget {
                #[versioned(storage)]
                V1 { spec: Spec },
            }

            let error = Resource::of::<Gadget>().crd(&CrdOptions::new()).expect_err("a mistake");
            assert!(error.to_string().contains($says), "{error}");
        }
    )*};
}

refused! {
    optional_key { key: Option<String> } #[versioned(list_map_keys(key))] Vec<Item>
        => "`.spec.list` (Rust type `Spec`) has the key `key`, which may be null in its items"
    key_left_out { #[versioned(nullable = false)] key: Option<String> } #[versioned(list_map_keys(key))] Vec<Item>
        => "has the key `key`, which its items may leave out"
    no_such_key { key: String } #[versioned(list_map_keys("other"))] Vec<Item>
        => "has the key `other`, which isn't a field of its items"
    list_as_key { key: Vec<String> } #[versioned(list_map_keys(key))] Vec<Item>
        => "has the key `key`, which isn't a plain value in its items"
    items_that_may_be_null { key: String } #[versioned(list_map_keys("key"))] Vec<Option<Item>>
        => "its items aren't plain objects"
    a_set { key: String } #[versioned(list_map_keys(key))] #[schemars(extend("x-kubernetes-list-type" = "set"))] Vec<Item>
        => "`x-kubernetes-list-type` is \"set\""
    other_keys { key: String, id: String } #[versioned(list_map_keys(key))]
        #[schemars(extend("x-kubernetes-list-map-keys" = ["id"]))] Vec<Item>
        => "has the keys [\"key\"] by `list_map_keys`, and `x-kubernetes-list-map-keys` is [\"id\"]"
}
