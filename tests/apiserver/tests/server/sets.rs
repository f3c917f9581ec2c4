//! Sets of all kinds of values, with server-side apply: the API server merges lists by the types that their schemas name.

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, refusal, shared};
use serde_json::{Value, json};

const NAMESPACE: &str = "sets";

mod v1 {
    use std::collections::{BTreeMap, BTreeSet, HashSet};

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Spec {
        pub(crate) names: BTreeSet<String>,
        pub(crate) numbers: HashSet<i64>,
        pub(crate) flags: BTreeSet<bool>,
        pub(crate) kinds: BTreeSet<Kind>,
        pub(crate) pairs: BTreeSet<(i32, i32)>,
        pub(crate) lists: BTreeSet<Vec<String>>,
        pub(crate) parts: BTreeSet<Part>,
        pub(crate) wholes: BTreeSet<Whole>,
        pub(crate) maps: BTreeSet<BTreeMap<String, String>>,
        pub(crate) sets: BTreeSet<BTreeSet<String>>,
        pub(crate) by_name: BTreeMap<String, BTreeSet<(i32, i32)>>,
        pub(crate) groups: Vec<Group>,
        pub(crate) maybe: Option<BTreeSet<Vec<i32>>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Kind {
        A,
        B,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Part {
        pub(crate) x: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
    #[versioned(map_type = "atomic")]
    pub(crate) struct Whole {
        pub(crate) x: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Group {
        pub(crate) parts: BTreeSet<Part>,
    }
}

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "sets.example.com", plural = "bags", scope = "Namespaced"))]
#[allow(dead_code, reason = "it is there for its definition")]
enum Bag {
    #[versioned(storage)]
    V1 { spec: v1::Spec },
}

fn spec() -> Value {
    json!({
        "names": ["a", "b"], "numbers": [1, 2], "flags": [true, false], "kinds": ["A", "B"],
        "pairs": [[1, 2], [3, 4]], "lists": [["a"], ["b", "c"]], "parts": [{ "x": "a" }, { "x": "b" }], "wholes": [{ "x": "a" }, { "x": "b" }],
        "maps": [{ "k": "v" }, { "k": "w" }], "sets": [["a"], ["b"]], "by_name": { "n": [[1, 2]] },
        "groups": [{ "parts": [{ "x": "a" }] }], "maybe": [[1]],
    })
}

/// Each list without its first item, and the lists inside of others with one more.
fn changed() -> Value {
    let mut spec = spec();
    for name in [
        "names", "numbers", "flags", "kinds", "pairs", "lists", "parts", "wholes", "maps", "sets",
        "maybe",
    ] {
        spec[name].as_array_mut().expect("a list").remove(0);
    }
    spec["by_name"]["n"] = json!([[1, 2], [5, 6]]);
    spec["groups"][0]["parts"] = json!([{ "x": "a" }, { "x": "b" }]);
    spec
}

/// As `kubectl apply --server-side` does it, without needing kubectl.
#[tokio::test]
async fn objects_with_sets_can_be_applied_and_applied_again() {
    let installed = Installed::new(shared(), Bag::DEFINITION, "sets.example.com").await;
    let bags = installed.objects("v1", NAMESPACE);
    let bag = |spec: Value| bags.object("b", &json!({ "spec": spec }));
    for spec in [spec(), spec(), changed(), changed(), spec()] {
        let applied = bags.apply("one", &bag(spec.clone())).await;
        let applied = applied.unwrap_or_else(|error| panic!("{error}\n{spec}"));
        assert_eq!(applied["spec"], spec);
    }
    // Each item of a set of plain values has an owner of its own, and any other list is one value.
    let two = |fields: Value| bags.object("b", &json!({ "spec": fields }));
    let both = bags.apply("two", &two(json!({ "names": ["c"], "numbers": [3] }))).await;
    let both = both.expect("applied");
    assert_eq!(both["spec"]["names"], json!(["a", "b", "c"]));
    assert_eq!(both["spec"]["numbers"], json!([1, 2, 3]));
    for (name, value) in [("pairs", json!([[7, 8]])), ("parts", json!([{ "x": "z" }]))] {
        let said = refusal(bags.apply("two", &two(json!({ name: value }))).await);
        assert!(said.contains(&format!("conflict with \"one\": .spec.{name}")), "{said}");
    }

    // Who creates or updates such an object owns its fields.
    let created = bags.create(&bags.object("c", &json!({ "spec": spec() }))).await;
    let created = created.expect("created");
    assert!(created["metadata"]["managedFields"].is_array(), "{created}");
    let label = json!({ "metadata": { "labels": { "a": "b" } } });
    let updated = bags.merge_patch("c", &label).await.expect("written");
    assert!(updated["metadata"]["managedFields"].is_array(), "{updated}");

    let manifest = |spec| {
        let mut object = bags.object("k", &json!({ "spec": spec }));
        object["metadata"]["namespace"] = json!("kubectl");
        object
    };
    for spec in [spec(), changed()] {
        super::kubectl::kubectl(&["apply", "--server-side", "-f", "-"], &manifest(spec));
    }
}
