//! A value that moves out of a stanza: what else the stanza holds, and what stands beside it.

use std::collections::BTreeMap;

use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        phase: Option<String>,
        #[serde(default)]
        places: BTreeMap<String, Leg>,
        #[serde(default)]
        legs: Vec<Leg>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Leg {
        weight: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Mark {
        Plain,
        Fragile,
        Heavy,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, removed(phase))]
    pub(super) struct Spec {
        #[serde(default)]
        places: BTreeMap<String, Leg>,
        #[serde(default)]
        legs: Vec<Leg>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Leg)]
    pub(super) struct Leg {
        weight: i64,
        #[versioned(added)]
        toll: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Status {
        phase: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Mark, removed(Fragile = Plain))]
    pub(super) enum Mark {
        Plain,
        Heavy,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "parcels", scope = "Namespaced"))]
enum Parcel {
    V1 {
        spec: v1::Spec,
        marks: Option<BTreeMap<String, v1::Mark>>,
    },
    #[versioned(storage, moved(spec.phase => status.phase))]
    V2 {
        spec: v2::Spec,
        marks: Option<BTreeMap<String, v2::Mark>>,
        #[versioned(added)]
        status: Option<v2::Status>,
    },
}

crd_conv::laws!(Parcel);

fn returned(stanzas: &str) -> String {
    let parcels = ResourceType::of::<Parcel>();
    let object = format!(r#"{{"apiVersion":"example.com/v1","kind":"Parcel",{stanzas}}}"#);
    let there = parcels.convert(object.as_bytes(), "v2").expect("there").json;
    assert!(there.contains(r#""status":{"phase":"a"}"#), "invalid test case: {there}");
    parcels.convert(there.as_bytes(), "v1").expect("back").json
}

#[test]
fn what_holds_items_needs_no_entry_to_be_there() {
    for held in [r#""places":{"a":{"weight":0}},"legs":[]"#, r#""places":{},"legs":[{"weight":0}]"#]
    {
        let back = returned(&format!(r#""spec":{{"phase":"a",{held}}}"#));
        assert!(!back.contains("conversion.example.com"), "an entry is left over: {back}");
    }
}

#[test]
fn what_goes_with_a_moved_value_takes_no_enum_s_entry_along() {
    for spec in [r#"{"phase":"a"}"#, r#"{"phase":"a","places":{},"legs":[]}"#] {
        let back = returned(&format!(r#""spec":{spec},"marks":{{"b":"Fragile"}}"#));
        assert!(back.contains(r#""marks":{"b":"Fragile"}"#), "{spec}: {back}");
    }
}
