//! Values that move inside a struct that serde flattens.

use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        own: String,
        #[serde(flatten)]
        common: Common,
        items: Vec<Item>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Common {
        timeout: Option<i64>,
        log: Log,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Log {
        level: Option<String>,
        path: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Item {
        key: String,
        #[serde(flatten)]
        common: Common,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(super) struct Spec {
        own: String,
        #[serde(flatten)]
        common: Common,
        items: Vec<Item>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Common,
        moved(timeout => checks.timeout, log.level => level),
    )]
    pub(super) struct Common {
        checks: Option<Checks>,
        log: Log,
        level: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Checks {
        timeout: Option<i64>,
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Log, removed(level))]
    pub(super) struct Log {
        path: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Item)]
    pub(super) struct Item {
        key: String,
        #[serde(flatten)]
        common: Common,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "flats", scope = "Namespaced"))]
enum Flat {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

crd_conv::laws!(Flat);

#[test]
fn they_move_as_in_the_struct_around_it() {
    let flats = ResourceType::of::<Flat>();
    let old = r#"{"apiVersion":"example.com/v1","kind":"Flat","metadata":{"name":"a"},"spec":{"own":"a","timeout":3,"log":{"level":"debug"},"items":[{"key":"b","timeout":4,"log":{}}]}}"#;
    let new = flats.convert(old.as_bytes(), "v2").expect("it converts").json;
    let new: serde_json::Value = serde_json::from_str(&new).expect("it is JSON");
    let spec = serde_json::json!({
        "own": "a",
        "checks": {"timeout": 3},
        "log": {},
        "level": "debug",
        "items": [{"key": "b", "checks": {"timeout": 4}, "log": {}}],
    });
    assert_eq!((&new["spec"], &new["metadata"]), (&spec, &serde_json::json!({"name": "a"})));
}
