//! Types that hold themselves: the schema is as deep as is declared, and conversions go on below.

use std::collections::BTreeMap;

use crd_conv::crd::{CrdOptions, Webhook};
use crd_conv::{ResourceType, Versioned, testing::server};
use crd_conv_tests::served::schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Menu {
        pub(crate) title: String,
        #[versioned(recursion_depth = 2)]
        pub(crate) entries: Vec<Menu>,
    }

    /// Each holds the other.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Task {
        pub(crate) size: Option<Value>,
        pub(crate) then: Option<Box<Step>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Step {
        pub(crate) tasks: BTreeMap<String, Task>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Spec {
        pub(crate) menu: Menu,
        #[versioned(recursion_depth = 1)]
        pub(crate) task: Option<Task>,
        /// The spec itself.
        #[versioned(recursion_depth = 1)]
        pub(crate) others: Option<Vec<Spec>>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Menu)]
    pub(crate) struct Menu {
        #[versioned(renamed_from = title)]
        pub(crate) label: String,
        #[versioned(recursion_depth = 2)]
        pub(crate) entries: Vec<Menu>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Task, removed(size))]
    pub(crate) struct Task {
        pub(crate) then: Option<Box<Step>>,
        #[versioned(added)]
        pub(crate) note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Step)]
    pub(crate) struct Step {
        pub(crate) tasks: BTreeMap<String, Task>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(crate) struct Spec {
        pub(crate) menu: Menu,
        #[versioned(recursion_depth = 1)]
        pub(crate) task: Option<Task>,
        #[versioned(recursion_depth = 1)]
        pub(crate) others: Option<Vec<Spec>>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "menus", scope = "Namespaced"))]
enum Menus {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

mod laws {
    crd_conv::laws!(super::Menus);
}

/// How often a field holds itself, and the schema at its end.
fn depth<'s>(mut schema: &'s Value, path: &str) -> (usize, &'s Value) {
    let mut depth = 0;
    while let Some(inner) = schema.pointer(path) {
        schema = inner;
        depth += 1;
    }
    (depth, schema)
}

#[test]
fn schemas_are_as_deep_as_declared() {
    let end = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    for version in ["v1", "v2"] {
        let schema = schema::<Menus>(version);
        let spec = &schema["properties"]["spec"];
        let menu = &spec["properties"]["menu"];
        // The last of them is the end.
        assert_eq!(depth(menu, "/properties/entries/items"), (3, &end));
        let task = &spec["properties"]["task"];
        let path = "/properties/then/properties/tasks/additionalProperties";
        assert_eq!(depth(task, path), (2, &end));
        assert_eq!(depth(spec, "/properties/others/items"), (2, &end));
    }
}

#[test]
fn conversions_go_on_below() {
    let menu = |depth: usize, name: &str| {
        (0..depth).fold(
            json!({name: "0", "entries": []}),
            |menu, _| json!({name: "1", "entries": [menu]}),
        )
    };
    let task = |depth: usize| {
        (0..depth)
            .fold(json!({}), |task, size| json!({"size": size, "then": {"tasks": {"a": task}}}))
    };
    let spec = |name: &str| json!({"menu": menu(6, name), "others": [{"menu": menu(1, name), "others": [{"menu": menu(1, name), "others": [{"menu": menu(1, name)}]}]}]});
    let object = |version: &str, spec: Value| json!({"apiVersion": format!("example.com/{version}"), "kind": "Menus", "metadata": {"name": "a"}, "spec": spec});
    let menus = ResourceType::of::<Menus>();
    let v1 = object("v1", spec("title"));
    let there = menus.convert(v1.to_string().as_bytes(), "v2").expect("it converts").json;
    let there: Value = serde_json::from_str(&there).expect("JSON");
    assert_eq!(there["spec"], spec("label"));

    let mut v1 = v1;
    v1["spec"]["task"] = task(5);
    let there = menus.convert(v1.to_string().as_bytes(), "v2").expect("it converts").json;
    assert!(!there.contains("\"size\":"), "the newer version has none: {there}");
    let back = menus.convert(there.as_bytes(), "v1").expect("it converts").json;
    let back: Value = serde_json::from_str(&back).expect("JSON");
    assert_eq!(back["spec"], v1["spec"]);
}

#[test]
fn the_server_keeps_what_is_below() {
    let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
    let crd = ResourceType::of::<Menus>().crd(&options).expect("a definition");
    let version = crd.spec.versions.iter().find(|version| version.name == "v1").expect("v1");
    let deep =
        r#"{"title":"","entries":[{"title":"","entries":[{"title":"","entries":[{"odd":1}]}]}]}"#;
    let object = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Menus","metadata":{{"name":"a"}},"spec":{{"menu":{deep}}}}}"#
    );
    let stored = server::decode(&object, &version.schema.open_api_v3_schema).expect("it is read");
    let [stored, sent]: [Value; 2] =
        [&stored, &object].map(|text| serde_json::from_str(text).expect("JSON"));
    assert_eq!(stored["spec"], sent["spec"]);
    let shallow =
        object.replace(r#""title":"","entries":[{"odd":1}]"#, r#""odd":1,"title":"","entries":[]"#);
    let stored = server::decode(&shallow, &version.schema.open_api_v3_schema).expect("it is read");
    assert!(!stored.contains("odd"), "unknown fields above the end are pruned: {stored}");
}

/// The newest version is deeper than the others.
mod deeper {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Menu)]
    pub(crate) struct Menu {
        pub(crate) title: String,
        #[versioned(recursion_depth = 3)]
        pub(crate) entries: Vec<Menu>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "menus", scope = "Namespaced"))]
    pub(crate) enum Menus {
        V1 {
            spec: super::v1::Menu,
        },
        #[versioned(storage)]
        V2 {
            spec: Menu,
        },
    }
}

#[test]
fn versions_are_of_one_depth() {
    let refused =
        ResourceType::of::<deeper::Menus>().crd(&CrdOptions::new()).expect_err("two depths");
    let sentences: Vec<String> = refused.errors.iter().map(ToString::to_string).collect();
    let [sentence] = &sentences[..] else { panic!("{sentences:?}") };
    assert!(sentence.starts_with(
        "the schema of `.spec.entries.entries.entries` ends in `v1`, so the API server keeps everything inside; it \
         continues in `v2`"
    ), "{sentence}");
    assert!(sentence.ends_with("write the same `recursion_depth` in both"), "{sentence}");
}
