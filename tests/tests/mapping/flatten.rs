//! What serde flattens, by example.

use std::collections::BTreeMap;

use crd_conv::{
    ResourceType, Versioned,
    cli::{Cli, Streams},
    downgrade, upgrade,
};
use crd_conv_tests::served::schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    pub(super) struct Spec {
        pub(super) timeout: Option<i64>,
        pub(super) name: String,
        #[serde(flatten)]
        pub(super) common: Common,
        pub(super) bag: Bag,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    #[serde(rename_all = "camelCase")]
    pub(super) struct Common {
        pub(super) time_zone: String,
        #[versioned(list_map_keys(name))]
        pub(super) ports: Vec<Port>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    pub(super) struct Port {
        pub(super) name: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    pub(super) struct Bag {
        pub(super) label: String,
        pub(super) first: Option<Port>,
        #[serde(flatten)]
        #[versioned(preserve_unknown_fields)]
        pub(super) rest: BTreeMap<String, Port>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    #[versioned(
        from = super::v1alpha1::Spec,
        moved(timeout => checks.timeout),
    )]
    pub(super) struct Spec {
        #[serde(flatten)]
        pub(super) checks: Checks,
        pub(super) name: String,
        #[serde(flatten)]
        #[versioned(renamed_from = common)]
        pub(super) shared: Common,
        pub(super) bag: Bag,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    pub(super) struct Checks {
        pub(super) timeout: Option<i64>,
        #[versioned(default = 5)]
        pub(super) interval: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::Common)]
    pub(super) struct Common {
        #[versioned(renamed_from = time_zone)]
        pub(super) zone: String,
        #[versioned(list_map_keys(name))]
        pub(super) ports: Vec<Port>,
        #[versioned(added)]
        pub(super) owner: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    #[versioned(from = super::v1alpha1::Port)]
    pub(super) struct Port {
        pub(super) name: String,
        #[versioned(added(value = 80))]
        pub(super) number: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
    #[versioned(from = super::v1alpha1::Bag)]
    pub(super) struct Bag {
        #[versioned(renamed_from = label)]
        pub(super) title: String,
        pub(super) first: Option<super::v1alpha1::Port>,
        #[serde(flatten)]
        #[versioned(preserve_unknown_fields)]
        pub(super) rest: BTreeMap<String, Port>,
        #[versioned(added(value = 1))]
        pub(super) number: i64,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
enum Gadget {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

fn object(version: &str, annotations: &Value, spec: &Value) -> Value {
    let mut metadata = json!({ "name": "a" });
    if *annotations != json!({}) {
        metadata["annotations"] = annotations.clone();
    }
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Gadget",
        "metadata": metadata,
        "spec": spec,
    })
}

fn convert(object: &Value, to: &str) -> Value {
    let converted = ResourceType::of::<Gadget>().convert(object.to_string().as_bytes(), to);
    let converted = converted.expect("it converts");
    assert!(converted.unrestored.is_empty(), "{:?}", converted.unrestored);
    serde_json::from_str(&converted.json).expect("JSON")
}

#[test]
fn fields_stand_beside_each_other() {
    let older = object(
        "v1alpha1",
        &json!({}),
        &json!({ "timeout": 3, "name": "n", "timeZone": "UTC", "ports": [{ "name": "http" }], "bag": { "label": "l" } }),
    );
    let newer = object(
        "v1",
        &json!({}),
        &json!({
            "timeout": 3, "interval": 5, "name": "n", "zone": "UTC", "ports": [{ "name": "http", "number": 80 }],
            "bag": { "title": "l", "number": 1 },
        }),
    );
    assert_eq!(convert(&older, "v1"), newer);
    assert_eq!(convert(&newer, "v1alpha1"), older);
}

/// The annotations are called after the fields' places in JSON.
#[test]
fn what_is_kept_is_named_without_the_flattened_field() {
    let spec = json!({
        "name": "n", "interval": 9, "zone": "UTC", "owner": "me", "ports": [{ "name": "http", "number": 81 }],
        "bag": { "title": "l", "number": 1 },
    });
    let newer = object("v1", &json!({}), &spec);
    let older = convert(&newer, "v1alpha1");
    let annotations = older["metadata"]["annotations"].as_object().expect("annotations");
    let keys: Vec<_> = annotations.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "conversion.example.com/v1.spec.interval",
            "conversion.example.com/v1.spec.owner",
            "conversion.example.com/v1.spec.ports.number",
        ]
    );
    assert_eq!(convert(&older, "v1"), newer);
}

/// A name that a version knows isn't the map's, though the other version's map may have it.
#[test]
fn a_flattened_map_has_what_no_field_has() {
    let bag =
        |bag: Value| json!({ "name": "n", "interval": 5, "zone": "UTC", "ports": [], "bag": bag });
    let newer = object(
        "v1",
        &json!({}),
        &bag(json!({
            "title": "l", "number": 1, "first": { "name": "a", "number": 9 }, "a": { "name": "a", "number": 80 }, "b": { "name": "b", "number": 7 },
            "label": { "name": "c", "number": 8 },
        })),
    );
    let older = convert(&newer, "v1alpha1");
    assert_eq!(
        older["spec"]["bag"],
        json!({ "label": "l", "first": { "name": "a", "number": 9 }, "a": { "name": "a" }, "b": { "name": "b" } })
    );
    let annotations = older["metadata"]["annotations"].as_object().expect("annotations");
    let kept: Vec<_> = annotations.values().map(|value| value.as_str().unwrap()).collect();
    assert_eq!(
        kept,
        [
            r#"{"format":1,"peer":"v1alpha1","entries":[{"at":["b"],"keep":{"number":7}}]}"#,
            r#"{"format":1,"peer":"v1alpha1","keep":{"label":{"name":"c","number":8}}}"#,
        ]
    );
    assert_eq!(convert(&older, "v1"), newer);

    let older = object(
        "v1alpha1",
        &json!({}),
        &json!({
            "name": "n", "timeZone": "UTC", "ports": [],
            "bag": { "label": "l", "first": { "name": "a" }, "title": { "name": "a" }, "number": { "name": "b" }, "x": { "name": "x" }, "y": 7 },
        }),
    );
    let newer = convert(&older, "v1");
    assert_eq!(
        newer["spec"]["bag"],
        json!({ "title": "l", "first": { "name": "a" }, "number": 1, "x": { "name": "x", "number": 80 }, "y": 7 })
    );
    assert_eq!(convert(&newer, "v1alpha1"), older);
}

#[test]
fn values_of_rust() {
    let port = |name: &str| v1alpha1::Port { name: name.to_owned() };
    let older = v1alpha1::Spec {
        timeout: None,
        name: "n".to_owned(),
        common: v1alpha1::Common { time_zone: "UTC".to_owned(), ports: vec![port("http")] },
        bag: v1alpha1::Bag {
            label: "l".to_owned(),
            first: None,
            rest: BTreeMap::from([("a".to_owned(), port("b"))]),
        },
    };
    let mut newer = upgrade::<v1::Spec>(&older).expect("it upgrades").value;
    assert_eq!((newer.checks.timeout, newer.checks.interval), (None, 5));
    assert_eq!((newer.shared.zone.as_str(), newer.shared.ports[0].number), ("UTC", 80));
    assert_eq!(newer.bag.rest["a"], v1::Port { name: "b".to_owned(), number: 80 });
    assert_eq!(downgrade::<v1alpha1::Spec>(&newer).expect("it downgrades").value, older);
    newer.shared.owner = Some("me".to_owned());
    let down = downgrade::<v1alpha1::Spec>(&newer).expect("it downgrades");
    assert_eq!(down.value, older);
    assert!(!down.complement.is_empty());
}

#[test]
fn the_schema_has_what_is_declared_in_flattened_structs() {
    let spec = |version| schema::<Gadget>(version)["properties"]["spec"]["properties"].clone();
    let newer = spec("v1");
    assert_eq!(newer["interval"]["default"], 5);
    assert_eq!(newer["ports"]["x-kubernetes-list-map-keys"], json!(["name"]));
    assert_eq!(newer["bag"]["x-kubernetes-preserve-unknown-fields"], true);
    assert_eq!(newer["bag"]["additionalProperties"], Value::Null);
    let names: Vec<_> = newer.as_object().expect("properties").keys().cloned().collect();
    assert_eq!(names, ["bag", "interval", "name", "owner", "ports", "timeout", "zone"]);
}

/// Fields at the object's root, and a struct that is introduced around fields that keep their names: nothing changes.
mod at_the_root {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    struct Older {
        size: i64,
        color: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    struct Looks {
        color: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Older, moved(color => looks.color))]
    struct Newer {
        size: i64,
        #[serde(flatten)]
        looks: Looks,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Newer, moved(looks.color => colour))]
    struct Newest {
        size: i64,
        colour: Option<String>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "widgets", scope = "Cluster"))]
    enum Same {
        V1alpha1(Older),
        #[versioned(storage)]
        V1(Newer),
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "widgets", scope = "Cluster"))]
    enum Widget {
        V1alpha1(Older),
        V1beta1(Newer),
        #[versioned(storage)]
        V1(Newest),
    }

    #[test]
    fn nothing_changes() {
        let crd =
            ResourceType::of::<Same>().crd(&crd_conv::crd::CrdOptions::new()).expect("no webhook");
        assert!(crd.to_yaml().expect("YAML").contains("strategy: None"));
    }

    #[test]
    fn a_field_leaves_a_flattened_struct() {
        let older = r#"{ "apiVersion":"example.com/v1alpha1","kind":"Widget","metadata":{},"size":1.0,"color":"a" }"#;
        let resource = ResourceType::of::<Widget>();
        let newest = resource.convert(older.as_bytes(), "v1").expect("it converts").json;
        assert_eq!(newest, older.replace("v1alpha1", "v1").replace("color", "colour"));
        assert_eq!(
            resource.convert(newest.as_bytes(), "v1alpha1").expect("it converts").json,
            older
        );
    }
}

#[test]
fn explained_as_in_json() {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    Cli::new([ResourceType::of::<Gadget>()]).run_with(["gadget", "explain"], &mut streams);
    let explained = String::from_utf8(stdout).expect("text");
    for (older, newer, mapping) in [
        (".spec.timeout: Option<i64>", ".spec.timeout: Option<i64>", "kept"),
        ("", ".spec.interval: i64", "added, value 5 conversion.example.com/v1.spec.interval"),
        (".spec.timeZone: String", ".spec.zone: String", "renamed"),
        (".spec.bag.*: BTreeMap<String, Port>", ".spec.bag.*: BTreeMap<String, Port>", "kept"),
        (
            "",
            ".spec.bag.*.number: i64",
            "added, value 80 conversion.example.com/v1.spec.bag.-.number-2999d13325552ef8",
        ),
    ] {
        let expected = [older, newer, mapping].join(" ");
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            explained.lines().any(|found| line(found) == expected.trim()),
            "{expected}: {explained}"
        );
    }
}
