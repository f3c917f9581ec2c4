//! What is declared beside a type is in the plan and in the schema.

use std::collections::{BTreeMap, BTreeSet};

use crd_conv::{
    __private::{Fill, Nested, Rule, Shape},
    ResourceType, UpgradeFrom, Versioned,
    crd::CrdOptions,
};
use crd_conv_tests::served::schema;
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
    #[versioned(int_or_string, default = "80%")]
    port: Option<PortNumber>,
    #[versioned(preserve_unknown_fields)]
    raw: Option<Value>,
    #[versioned(list_type = "set", default = NO_NAMES)]
    names: BTreeSet<String>,
    #[versioned(list_type = "atomic")]
    #[serde(default)]
    words: Vec<String>,
    #[versioned(map_type = "atomic")]
    #[serde(default)]
    selector: BTreeMap<String, String>,
    #[versioned(default = 3, nullable = false)]
    #[serde(default = "three", skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    #[versioned(default = 3)]
    #[serde(with = "text")]
    #[schemars(with = "String")]
    limit: i64,
}

const NO_NAMES: BTreeSet<String> = BTreeSet::new();

#[expect(clippy::unnecessary_wraps, reason = "serde wants the field's type")]
fn three() -> Option<i64> {
    Some(3)
}

/// A number in quotes.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(super) fn serialize<S: Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum PortNumber {
    Number(u16),
    Name(String),
}

impl Fill<PortNumber> for &str {
    fn into_value(self) -> PortNumber {
        PortNumber::Name(self.to_owned())
    }
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = Older, removed(port, raw, names, words, selector, count, limit))]
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
        .filter_map(|rule| match rule {
            Rule::Kept { older, newer, .. } => Some((
                newer.rust,
                [older.list_keys, newer.list_keys],
                [older.nullable, newer.nullable],
            )),
            _ => None,
        })
        .collect();
    assert!(found.contains(&("items", [&["id"], &["id"]], [false, false])));
    assert!(found.contains(&("note", [&[], &[]], [false, true])));
    assert!(found.contains(&("size", [&[], &[]], [true, false])));
    let field = |rust: &str| {
        Older::FIELDS.iter().find(|facts| facts.field.rust == rust).expect("the field").field
    };
    assert!(field("raw").preserve_unknown_fields);
    assert!(!field("port").preserve_unknown_fields);
}

fn spec(version: &str) -> Value {
    schema::<Gadget>(version)["properties"]["spec"]["properties"].clone()
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
    assert_eq!(
        older["port"],
        json!({"default": "80%", "nullable": true, "x-kubernetes-int-or-string": true})
    );
    assert_eq!(
        older["raw"],
        json!({"nullable": true, "x-kubernetes-preserve-unknown-fields": true})
    );
    assert_eq!(
        older["names"],
        json!({"default": [], "type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"})
    );
    assert_eq!(older["words"]["x-kubernetes-list-type"], "atomic");
    assert_eq!(older["selector"]["x-kubernetes-map-type"], "atomic");
    assert_eq!(older["count"], json!({"default": 3, "type": "integer", "format": "int64"}));
    assert_eq!(older["limit"]["default"], "3");
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
            #[allow(dead_code, reason = "some lists hold something else")]
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

            let error = ResourceType::of::<Gadget>().crd(&CrdOptions::new()).expect_err("a mistake");
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
        => "has the keys [\"key\"] from `list_map_keys`, and `x-kubernetes-list-map-keys` is [\"id\"]"
    a_set_of_structs { key: String } #[versioned(list_type = "set")] Vec<Item>
        => "has the list type `set`, but its items aren't plain values"
    a_set_that_may_hold_null { key: String } #[versioned(list_type = "set")] Vec<Option<String>>
        => "has the list type `set`, but its items aren't plain values"
    two_list_types { key: String } #[versioned(list_type = "set")]
        #[schemars(extend("x-kubernetes-list-type" = "atomic"))] Vec<String>
        => "is declared with `x-kubernetes-list-type`: \"set\", and its type has the value \"atomic\""
    a_list_type_of_a_string { key: String } #[versioned(list_type = "set")] String
        => "has the list type `set`, but isn't a list"
    a_map_type_of_a_list { key: String } #[versioned(map_type = "atomic")] Vec<String>
        => "has a `map_type`, but isn't a struct or a map"
    a_list_or_string { key: String } #[versioned(int_or_string)] Vec<String>
        => "is an integer or a string, and has fields or items"
    two_defaults { key: String } #[versioned(default = 3)] #[serde(default)] i64
        => "`.spec.list` (Rust type `Spec`) has the default 3 from `#[versioned(default = …)]` and 0 from `#[serde(default)]`"
    two_defaults_one_left_out { key: String } #[versioned(default = "x")]
        #[serde(default, skip_serializing_if = "String::is_empty")] String
        => "has the default \"x\" from `#[versioned(default = …)]` and \"\" from `#[serde(default)]`"
    a_default_that_is_no_value_of_the_enum { key: String } #[versioned(default = "x")]
        #[schemars(extend("enum" = ["a", "b"]))] String
        => "has the default \"x\", which isn't among the enum's values"
}

#[test]
fn the_fill_is_the_declared_default() {
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    struct Old {
        #[versioned(default = 1)]
        gone: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Old, removed(gone = 2))]
    struct New {
        #[versioned(added(value = 3), default = 4)]
        come: i64,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gadgets", scope = "Cluster"))]
    enum Gadget {
        V1alpha1 {
            spec: Old,
        },
        #[versioned(storage)]
        V1 {
            spec: New,
        },
    }

    let error = ResourceType::of::<Gadget>().crd(&CrdOptions::new()).expect_err("two mistakes");
    let error = error.to_string();
    let gone =
        "`.spec.gone` of `v1alpha1` has the default 1 in the schema and the value 2 in the mapping";
    let come =
        "`.spec.come` of `v1` has the default 4 in the schema and the value 3 in the mapping";
    assert!(error.contains(gone) && error.contains(come), "{error}");
}
