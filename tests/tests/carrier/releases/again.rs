//! A field that a version took out, and a later one has again: two fields, since nothing says that they are one.

use std::sync::LazyLock;

use crd_conv::{UnrestoredReason, Versioned};
use proptest::{option, prelude::*, sample::select};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Release, assert_same, assert_unrestored, object};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        owner: Option<String>,
        limit: Option<i64>,
        size: Option<i64>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, removed(owner, limit))]
    pub(super) struct Spec {
        size: Option<i64>,
    }
}

mod v3 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Spec)]
    pub(super) struct Spec {
        #[versioned(added)]
        owner: Option<String>,
        /// Of another type than before.
        #[versioned(added)]
        limit: Option<String>,
        size: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
enum Gate {
    V1 {
        spec: v1::Spec,
    },
    V2 {
        spec: v2::Spec,
    },
    #[versioned(storage)]
    V3 {
        spec: v3::Spec,
    },
}

static GATE: LazyLock<Release> = LazyLock::new(Release::of::<Gate>);

#[test]
fn the_two_have_nothing_to_do_with_each_other() {
    let release = &*GATE;
    let before = object("v1", json!({ "owner": "ada", "limit": 3, "size": 1 }));
    for (way, convert) in release.ways() {
        let mut there = convert(&before, "v3");
        assert_eq!(there["spec"], json!({ "size": 1 }), "{way}");
        there["spec"]["owner"] = json!("grace");
        let back = convert(&there, "v1");
        assert_eq!(back["spec"], before["spec"], "{way}");
        assert_same(&convert(&back, "v3"), &there, way);
        assert_unrestored(&release.converted(&there, "v1"), &[]);
    }
}

fn spec(newer: bool) -> impl Strategy<Value = Value> {
    let fields =
        (option::of(select(vec!["ada", "grace"])), option::of(0..3_i64), option::of(0..3_i64));
    fields.prop_map(move |(owner, limit, size)| {
        let limit = limit.map(|limit| if newer { json!(limit.to_string()) } else { json!(limit) });
        let fields = [
            ("owner", owner.map(|owner| json!(owner))),
            ("limit", limit),
            ("size", size.map(|size| json!(size))),
        ];
        let there = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(there.collect::<Map<_, _>>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn both_come_back_on_every_way(older in spec(false), newer in spec(true)) {
        let release = &*GATE;
        for (way, convert) in release.ways() {
            let before = object("v1", older.clone());
            let mut there = convert(&before, "v3");
            assert_same(&convert(&convert(&before, "v2"), "v3"), &there, way);
            assert_same(&convert(&there, "v1"), &before, way);
            // A client at the newest version replaces all that it sees.
            there["spec"].clone_from(&newer);
            let back = convert(&there, "v1");
            let mut expected = older.clone();
            expected.as_object_mut().unwrap().remove("size");
            if let Some(size) = newer.get("size") {
                expected["size"] = size.clone();
            }
            assert_same(&back["spec"], &expected, way);
            assert_same(&convert(&convert(&there, "v2"), "v1"), &back, way);
            assert_same(&convert(&back, "v3"), &there, way);
        }
    }
}

/// The same field in all three: what says that it is one is that the version between has it, too.
#[test]
fn an_entry_is_of_no_use_to_the_other_one() {
    let release = &*GATE;
    let stored = release.convert(&object("v1", json!({ "owner": "ada" })), "v3");
    let mut at_home = release.convert(&stored, "v2");
    at_home["apiVersion"] = json!("example.com/v1");
    assert_eq!(release.converted(&at_home, "v3").unrestored.count(UnrestoredReason::AtHome), 1);
}
