//! A version taken out from between two others.

use std::collections::BTreeMap;

use crd_conv::{UnrestoredReason, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Release, assert_same, assert_unrestored, carrier, object};

fn lower(name: Option<String>) -> Option<String> {
    name.map(|name| name.to_lowercase())
}
fn same(name: Option<String>) -> Option<String> {
    name
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        name: Option<String>,
        alias: Option<String>,
        owner: Option<String>,
        pools: BTreeMap<String, Port>,
        keyed: Vec<Port>,
        loose: Vec<Port>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Port {
        name: String,
        zone: Option<String>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        removed(owner),
        map(name <=> title, with(upgrade = lower, downgrade = same)),
        map(alias <=> nick, with(upgrade = lower, downgrade = same)),
    )]
    pub(super) struct Spec {
        title: Option<String>,
        nick: Option<String>,
        pools: BTreeMap<String, Port>,
        #[versioned(list_map_keys(name))]
        keyed: Vec<Port>,
        loose: Vec<Port>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Port, removed(zone))]
    pub(super) struct Port {
        name: String,
    }
}

mod with_v2 {
    use super::*;

    mod v3 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v2::Spec)]
        pub(in super::super) struct Spec {
            title: Option<String>,
            #[versioned(renamed_from = nick)]
            handle: Option<String>,
            pools: BTreeMap<String, v2::Port>,
            #[versioned(list_map_keys(name))]
            keyed: Vec<v2::Port>,
            loose: Vec<v2::Port>,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(super) enum Gate {
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
}

mod without {
    use super::*;

    mod v3 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
            from = super::v1::Spec,
            removed(owner),
            map(name <=> title, with(upgrade = lower, downgrade = same)),
            map(alias <=> handle, with(upgrade = lower, downgrade = same)),
        )]
        pub(in super::super) struct Spec {
            title: Option<String>,
            handle: Option<String>,
            pools: BTreeMap<String, v2::Port>,
            #[versioned(list_map_keys(name))]
            keyed: Vec<v2::Port>,
            loose: Vec<v2::Port>,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(super) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V3 {
            spec: v3::Spec,
        },
    }
}

fn full() -> Value {
    let port = json!({ "name": "a", "zone": "z" });
    let pools = json!({ "p": port });
    object("v1", json!({ "name": "Ada", "owner": "me", "pools": pools, "keyed": [], "loose": [] }))
}

#[test]
fn what_is_told_by_its_name_comes_back() {
    let (first, second) = (Release::of::<with_v2::Gate>(), Release::of::<without::Gate>());
    for ((way, old), (_, new)) in first.ways().into_iter().zip(second.ways()) {
        let stored = old(&full(), "v3");
        assert_same(&new(&stored, "v1"), &full(), way);
        let again = new(&new(&stored, "v1"), "v3");
        assert_eq!(again["spec"], stored["spec"], "{way}");
        assert_same(&new(&again, "v1"), &full(), way);
        // A rollback.
        assert_same(&old(&again, "v1"), &full(), way);
        assert_unrestored(&second.converted(&stored, "v1"), &[]);
    }
}

/// Nobody knows whether `handle` is what `nick` was, and whether an edit or `v2` made another title of it.
#[test]
fn what_nobody_can_tell_stays() {
    let (first, second) = (Release::of::<with_v2::Gate>(), Release::of::<without::Gate>());
    let mut before = full();
    before["spec"]["alias"] = json!("AL");
    let mut stored = first.convert(&before, "v3");
    stored["spec"]["title"] = json!("grace");
    let shown = second.convert(&stored, "v1");
    assert_eq!(shown["spec"]["name"], json!("grace"));
    assert_eq!(shown["spec"]["alias"], json!("al"));
    assert_unrestored(&second.converted(&stored, "v1"), &[(UnrestoredReason::Ignored, 2)]);
    assert_eq!(carrier(&shown), ["v1.spec.alias", "v1.spec.name"]);
}

/// In a list with keys they tell the items apart as before; what an item showed in `v2` nobody knows.
#[test]
fn items() {
    let (first, second) = (Release::of::<with_v2::Gate>(), Release::of::<without::Gate>());
    let mut before = full();
    let ports = json!([{ "name": "a", "zone": "z1" }, { "name": "b", "zone": "z2" }]);
    before["spec"]["keyed"] = ports.clone();
    before["spec"]["loose"] = ports.clone();
    let stored = first.convert(&before, "v3");
    let shown = second.convert(&stored, "v1");
    assert_eq!(shown["spec"]["loose"], json!([{ "name": "a" }, { "name": "b" }]));
    assert!(carrier(&shown).contains(&"v1.spec.loose.zone".to_owned()));
}
