//! Structs that are made anew for a moved value, and hold converted fields with defaults.

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Versioned};
use crd_conv_tests::carried::essence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        phase: Option<String>,
        #[serde(default)]
        ports: Vec<i64>,
        // Of it comes another one back.
        #[versioned(default = 1)]
        #[schemars(range(min = 0, max = 2))]
        level: i64,
        // A default that only the newer version has.
        weight: Option<i64>,
        #[serde(default)]
        owner: String,
        front: Option<Front>,
        back: Option<Back>,
        #[serde(default)]
        inner: Inner,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Front {
        color: Option<String>,
        #[serde(default)]
        ports: Vec<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Back {
        #[serde(default)]
        ports: Vec<i64>,
        weight: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Inner {
        #[versioned(default = 1)]
        #[schemars(range(min = 0, max = 2))]
        level: i64,
    }

    impl Default for Inner {
        fn default() -> Self {
            Self { level: 1 }
        }
    }
}

mod v2 {
    use super::*;
    use crd_conv::with::{Each, Table, Wrapped};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        moved(front.color => back.color),
        removed(phase, owner),
    )]
    pub(super) struct Spec {
        #[serde(default)]
        #[versioned(with = Each(Wrapped("number")))]
        ports: Vec<Port>,
        #[versioned(with = Table(&[(0, "Low"), (1, "Low"), (2, "High")]))]
        level: Level,
        #[versioned(default = 3)]
        weight: Option<i64>,
        front: Option<Front>,
        back: Option<Back>,
        #[serde(default)]
        inner: Inner,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Status {
        phase: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Front, removed(color))]
    pub(super) struct Front {
        #[serde(default)]
        #[versioned(with = Each(Wrapped("number")))]
        ports: Vec<Port>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Back)]
    pub(super) struct Back {
        #[versioned(added)]
        color: Option<String>,
        #[serde(default)]
        #[versioned(with = Each(Wrapped("number")))]
        ports: Vec<Port>,
        #[versioned(default = 3)]
        weight: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Inner)]
    pub(super) struct Inner {
        #[versioned(with = Table(&[(0, "Low"), (1, "Low"), (2, "High")]))]
        level: Level,
    }

    impl Default for Inner {
        fn default() -> Self {
            Self { level: Level::Low }
        }
    }

    #[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
    pub(super) struct Port {
        number: i64,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) enum Level {
        Low,
        High,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "ships", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Ship {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage, moved(spec.phase => status.phase))]
    V2 {
        spec: v2::Spec,
        #[versioned(added)]
        status: Option<v2::Status>,
    },
}

crd_conv::laws!(Ship);

fn convert(object: &str, to: &str) -> String {
    let converted = ResourceType::of::<Ship>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

/// What it is in the other version; on the way back it is the same.
#[track_caller]
fn there_and_back(version: &str, stanzas: &str) -> Tree {
    let object = format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Ship","metadata":{{}},{stanzas}}}"#
    );
    let to = if version == "v1" { "v2" } else { "v1" };
    let there = convert(&object, to);
    assert_eq!(essence(&convert(&there, version)), essence(&object), "via {there}");
    Tree::read(&there)
}

#[test]
fn what_is_made_anew_has_the_defaults_and_goes_again() {
    let there = there_and_back("v2", r#""status":{"phase":"Up"}"#);
    let made = r#"{"phase":"Up","ports":[],"level":1,"owner":"","inner":{"level":1}}"#;
    assert_eq!(there.at(&["spec"]), Some(&Tree::read(made)));
    let absent = there.at(&["metadata", "annotations", "conversion.example.com/v2.spec"]);
    assert_eq!(absent, Some(&Tree::Text(r#"{"format":1,"peer":"v1","keep":{}}"#.to_owned())));
    let there = there_and_back("v1", r#""spec":{"front":{"color":"red"}}"#);
    let made = r#"{"color":"red","ports":[],"weight":3}"#;
    assert_eq!(there.at(&["spec", "back"]), Some(&Tree::read(made)));
}

#[test]
fn what_was_there_stays() {
    for spec in [
        r#"{"weight":3}"#,
        r#"{"weight":3,"ports":[]}"#,
        r#"{"weight":3,"ports":[{"number":1}]}"#,
        r#"{"weight":3,"level":"Low"}"#,
        r#"{"weight":3,"level":"High"}"#,
        r#"{"weight":3,"ports":[],"level":"Low"}"#,
        r#"{"weight":3,"ports":[],"level":"Low","inner":{"level":"Low"}}"#,
        r#"{"weight":4}"#,
    ] {
        there_and_back("v2", &format!(r#""status":{{"phase":"Up"}},"spec":{spec}"#));
    }
    for front in [r#"{"color":"red","ports":[]}"#, r#"{"color":"red","ports":[7]}"#] {
        for back in ["{}", "null", r#"{"ports":[]}"#, r#"{"ports":[7]}"#, r#"{"weight":3}"#] {
            there_and_back("v1", &format!(r#""spec":{{"front":{front},"back":{back}}}"#));
        }
    }
}

/// What an entry restores is as in a new object: that says nothing of whether there was one.
#[test]
fn what_is_restored_stays() {
    let old = r#"{"apiVersion":"example.com/v1","kind":"Ship","metadata":{},"spec":{"level":1,"ports":[]}}"#;
    let new = Tree::read(&convert(old, "v2"));
    assert_eq!(new.at(&["status"]), None);
    let mut edited = new;
    let status = Tree::read(r#"{"phase":"Up"}"#);
    edited.members_mut().unwrap().insert("status".to_owned(), status);
    let edited = edited.write();
    let back = convert(&edited, "v1");
    assert_eq!(Tree::read(&back).at(&["spec", "level"]), Some(&Tree::read("1")));
    assert_eq!(essence(&convert(&back, "v2")), essence(&edited), "via {back}");
}
