//! A version inserted between two others.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crd_conv::{ConvertError, Converter, UnrestoredReason, Versioned};
use proptest::{collection::vec, option, prelude::*, sample::select};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Release, assert_same, assert_unrestored, carrier, object};

/// `Host:0080` becomes `host` and 80; nothing of the way it was written is left.
struct Address;

impl Converter<String, (String, i64)> for Address {
    fn upgrade(&self, older: String) -> Result<(String, i64), ConvertError> {
        let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_lowercase(), port.parse()?))
    }
    fn downgrade(&self, (host, port): (String, i64)) -> Result<String, ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        address: Option<String>,
        owner: Option<String>,
        mode: Option<Mode>,
        keyed: Vec<Port>,
        loose: Vec<Port>,
        pools: BTreeMap<String, Port>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Mode {
        Fast,
        Slow,
        Odd,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Port {
        pub(super) name: String,
        zone: Option<String>,
    }
}

/// What both the new version and the newest one have where the mapping is on the older hop.
mod shared {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Mode, removed(Odd = Slow))]
    pub(super) enum Mode {
        Fast,
        Slow,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Port, removed(zone))]
    pub(super) struct Port {
        name: String,
        #[versioned(added)]
        weight: Option<i64>,
    }
}

/// The first release: `v1` and `v3`.
mod first {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        removed(owner),
        map(address <=> (host, port), with = super::OptionalAddress),
    )]
    pub(super) struct Spec {
        host: Option<String>,
        port: Option<i64>,
        mode: Option<shared::Mode>,
        #[versioned(list_map_keys(name))]
        keyed: Vec<shared::Port>,
        loose: Vec<shared::Port>,
        pools: BTreeMap<String, shared::Port>,
        #[versioned(added)]
        limit: Option<i64>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(super) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V3 {
            spec: Spec,
        },
    }
}

/// Nothing where one of the two is missing.
struct OptionalAddress;

impl Converter<Option<String>, (Option<String>, Option<i64>)> for OptionalAddress {
    fn upgrade(
        &self,
        older: Option<String>,
    ) -> Result<(Option<String>, Option<i64>), ConvertError> {
        let both = older.map(|older| Address.upgrade(older)).transpose()?;
        Ok(both.map_or((None, None), |(host, port)| (Some(host), Some(port))))
    }
    fn downgrade(
        &self,
        newer: (Option<String>, Option<i64>),
    ) -> Result<Option<String>, ConvertError> {
        match newer {
            (Some(host), Some(port)) => Address.downgrade((host, port)).map(Some),
            _ => Ok(None),
        }
    }
}

/// The second release has `v2`, and the mapping is between `v1` and that.
mod older_hop {
    use super::*;

    mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
            from = super::v1::Spec,
            removed(owner),
            map(address <=> (hostname, port), with = super::OptionalAddress),
        )]
        pub(in super::super) struct Spec {
            hostname: Option<String>,
            port: Option<i64>,
            mode: Option<shared::Mode>,
            #[versioned(list_map_keys(name))]
            keyed: Vec<shared::Port>,
            loose: Vec<shared::Port>,
            #[versioned(renamed_from = pools)]
            groups: BTreeMap<String, shared::Port>,
            #[versioned(added)]
            maximum: Option<i64>,
        }
    }

    mod v3 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v2::Spec)]
        pub(in super::super) struct Spec {
            #[versioned(renamed_from = hostname)]
            host: Option<String>,
            port: Option<i64>,
            mode: Option<shared::Mode>,
            #[versioned(list_map_keys(name))]
            keyed: Vec<shared::Port>,
            loose: Vec<shared::Port>,
            #[versioned(renamed_from = groups)]
            pools: BTreeMap<String, shared::Port>,
            #[versioned(renamed_from = maximum)]
            limit: Option<i64>,
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

/// The second release has `v2`, and the mapping is between that and `v3`.
mod newer_hop {
    use super::*;

    mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Spec)]
        pub(in super::super) struct Spec {
            #[versioned(renamed_from = address)]
            endpoint: Option<String>,
            #[versioned(renamed_from = owner)]
            contact: Option<String>,
            mode: Option<v1::Mode>,
            keyed: Vec<v1::Port>,
            loose: Vec<v1::Port>,
            #[versioned(renamed_from = pools)]
            groups: BTreeMap<String, v1::Port>,
        }
    }

    mod v3 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
            from = super::v2::Spec,
            removed(contact),
            map(endpoint <=> (host, port), with = super::OptionalAddress),
        )]
        pub(in super::super) struct Spec {
            host: Option<String>,
            port: Option<i64>,
            mode: Option<shared::Mode>,
            #[versioned(list_map_keys(name))]
            keyed: Vec<shared::Port>,
            loose: Vec<shared::Port>,
            #[versioned(renamed_from = groups)]
            pools: BTreeMap<String, shared::Port>,
            #[versioned(added)]
            limit: Option<i64>,
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

/// The second release has `v2`, which converts on both hops.
mod both_hops {
    use super::*;

    mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
            from = super::v1::Spec,
            map(address <=> endpoint, with(upgrade = lower, downgrade = same)),
        )]
        pub(in super::super) struct Spec {
            endpoint: Option<String>,
            owner: Option<String>,
            mode: Option<v1::Mode>,
            keyed: Vec<v1::Port>,
            loose: Vec<v1::Port>,
            pools: BTreeMap<String, v1::Port>,
        }

        fn lower(older: Option<String>) -> Option<String> {
            older.map(|older| older.to_lowercase())
        }
        fn same(newer: Option<String>) -> Option<String> {
            newer
        }
    }

    mod v3 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
            from = super::v2::Spec,
            map(endpoint <=> (host, port), with = super::OptionalAddress),
        )]
        pub(in super::super) struct Spec {
            host: Option<String>,
            port: Option<i64>,
            owner: Option<String>,
            mode: Option<v1::Mode>,
            keyed: Vec<v1::Port>,
            loose: Vec<v1::Port>,
            pools: BTreeMap<String, v1::Port>,
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

static FIRST: LazyLock<Release> = LazyLock::new(Release::of::<first::Gate>);
static OLDER_HOP: LazyLock<Release> = LazyLock::new(Release::of::<older_hop::Gate>);
static NEWER_HOP: LazyLock<Release> = LazyLock::new(Release::of::<newer_hop::Gate>);

fn full_v1() -> Value {
    object(
        "v1",
        json!({
            "address": "Host:0080",
            "owner": "ada",
            "mode": "Odd",
            "keyed": [{ "name": "a", "zone": "z1" }, { "name": "b", "zone": "z2" }],
            "loose": [{ "name": "c", "zone": "z3" }, { "name": "c", "zone": "z4" }],
            "pools": { "p": { "name": "d", "zone": "z5" } },
        }),
    )
}

fn full_v3() -> Value {
    object(
        "v3",
        json!({
            "host": "Host",
            "port": 80,
            "mode": "Fast",
            "keyed": [{ "name": "a", "weight": 1 }, { "name": "b", "weight": 2 }],
            "loose": [{ "name": "c", "weight": 3 }, { "name": "c", "weight": 4 }],
            "pools": { "p": { "name": "d", "weight": 5 } },
            "limit": 7,
        }),
    )
}

/// What the second release shows of what the first one stored, at `v2` too, and what both make of it afterwards.
fn comes_back(second: &Release, before: &Value, stored_in: &str) {
    let first = &*FIRST;
    let home = before["apiVersion"].as_str().unwrap().strip_prefix("example.com/").unwrap();
    for ((way, old), (_, new)) in first.ways().into_iter().zip(second.ways()) {
        let stored = old(before, stored_in);
        assert_same(&new(&stored, home), before, way);
        let between = new(&stored, "v2");
        assert_same(&new(&between, home), before, way);
        // The new form takes the place of the old one.
        let again = new(&between, stored_in);
        assert_eq!(again["spec"], stored["spec"], "{way}");
        assert_same(&new(&new(&again, "v2"), home), before, way);
        assert_same(&new(&again, home), before, way);
        let anew = new(&new(&object(home, before["spec"].clone()), "v2"), stored_in);
        assert_eq!(carrier(&again), carrier(&anew), "{way}");
        assert_unrestored(&second.converted(&stored, home), &[]);
    }
}

#[test]
fn the_mapping_is_on_the_older_hop() {
    let second = &*OLDER_HOP;
    comes_back(second, &full_v1(), "v3");
    comes_back(second, &full_v3(), "v1");
}

#[test]
fn the_mapping_is_on_the_newer_hop() {
    let second = &*NEWER_HOP;
    comes_back(second, &full_v1(), "v3");
    comes_back(second, &full_v3(), "v1");
}

/// An edit at any version wins, and only that.
#[test]
fn edits_win() {
    let first = &*FIRST;
    for (release, host) in [(&*OLDER_HOP, "hostname"), (&*NEWER_HOP, "host")] {
        let stored = first.convert(&full_v1(), "v3");
        let mut expected = full_v1();
        expected["spec"]["address"] = json!("host:81");
        let mut edited = stored.clone();
        edited["spec"]["port"] = json!(81);
        assert_same(&release.convert(&edited, "v1"), &expected, "at v3");
        assert_unrestored(&release.converted(&edited, "v1"), &[(UnrestoredReason::Edited, 1)]);
        if host == "hostname" {
            let mut between = release.convert(&stored, "v2");
            between["spec"]["port"] = json!(81);
            assert_same(&release.convert(&between, "v1"), &expected, "at v2");
        } else {
            let mut between = release.convert(&stored, "v2");
            for gone in ["contact", "mode"] {
                between["spec"].as_object_mut().unwrap().remove(gone);
            }
            between["spec"]["endpoint"] = json!("host:81");
            between["spec"]["keyed"][0].as_object_mut().unwrap().remove("zone");
            let back = release.convert(&release.convert(&between, "v3"), "v2");
            assert_eq!(back["spec"], between["spec"], "nothing comes back to life");
        }
    }
}

/// What the second release has deleted doesn't come back from what the first one wrote.
#[test]
fn what_is_at_home_is_over() {
    let release = &*NEWER_HOP;
    let mut at_home = object("v2", json!({ "loose": [{ "name": "c" }] }));
    let stored = FIRST.convert(&full_v1(), "v3");
    at_home["metadata"] = stored["metadata"].clone();
    let shown = release.convert(&at_home, "v3");
    assert!(carrier(&shown).iter().all(|key| !key.contains("owner")), "{shown}");
    assert_same(&release.convert(&shown, "v2")["spec"], &at_home["spec"], "nothing is restored");
}

/// A release that goes back, and forward again: what was written last counts.
#[test]
fn a_rollback() {
    let first = &*FIRST;
    let second = &*NEWER_HOP;
    let stored = second.convert(&full_v1(), "v3");
    let old = first.convert(&stored, "v1");
    let mut expected = full_v1();
    // The first release doesn't know `v2`, but leaves what is kept for it.
    assert_eq!(old["spec"]["address"], json!("host:80"));
    assert_eq!(carrier(&old), carrier(&stored));
    assert_same(&second.convert(&first.convert(&old, "v3"), "v1"), &expected, "as it was");
    let mut edited = old;
    edited["spec"]["owner"] = json!("bob");
    edited["spec"]["address"] = json!("HOST:80");
    let stored = first.convert(&edited, "v3");
    expected["spec"]["owner"] = json!("bob");
    expected["spec"]["address"] = json!("HOST:80");
    assert_same(&second.convert(&stored, "v1"), &expected, "what was written last");
}

/// Nobody knows what the values of `v3` were at `v2`: the entry stays, and is counted.
#[test]
fn a_converter_on_both_hops() {
    let first = &*FIRST;
    let second = Release::of::<both_hops::Gate>();
    let before = object("v1", json!({ "address": "Host:0080" }));
    let stored = first.convert(&before, "v3");
    let converted = second.converted(&stored, "v1");
    assert!(converted.json.contains(r#""address":"host:80""#), "{}", converted.json);
    assert!(converted.json.contains("v1.spec.address"), "{}", converted.json);
    assert_unrestored(&converted, &[(UnrestoredReason::Ignored, 1)]);
    // Until somebody writes it at `v1`, the first release finds it.
    assert_same(
        &first.convert(&second.convert(&second.convert(&stored, "v2"), "v3"), "v1"),
        &before,
        "rollback",
    );
}

/// An item that isn't there any more: what belongs to it goes if the others are found, and stays if none is.
#[test]
fn items_that_changed() {
    let first = &*FIRST;
    // The newer hop looks for the items, the older one for the rule.
    for (second, ignored) in [(&*OLDER_HOP, 1), (&*NEWER_HOP, 2)] {
        let mut stored = first.convert(&full_v1(), "v3");
        stored["spec"]["keyed"][0]["name"] = json!("other");
        stored["spec"]["loose"] = json!([{ "name": "other" }]);
        let back = second.convert(&stored, "v1");
        assert_eq!(
            back["spec"]["keyed"],
            json!([{ "name": "other" }, { "name": "b", "zone": "z2" }])
        );
        assert_eq!(back["spec"]["loose"], json!([{ "name": "other" }]));
        assert_unrestored(
            &second.converted(&stored, "v1"),
            &[(UnrestoredReason::AnchorGone, 1), (UnrestoredReason::Ignored, ignored)],
        );
        assert_eq!(carrier(&back), ["v1.spec.loose.zone"]);
    }
}

fn some<T: serde::Serialize>(map: &mut Map<String, Value>, name: &str, value: Option<T>) {
    map.extend(value.map(|value| (name.to_owned(), json!(value))));
}

fn ports(field: &'static str) -> impl Strategy<Value = Vec<Value>> {
    vec((select(vec!["a", "b", "c"]), option::of(0..3_i64)), 0..4).prop_map(move |ports| {
        let port = |(name, value): (&str, Option<i64>)| {
            let mut port = json!({ "name": name });
            let value =
                value.map(
                    |value| if field == "zone" { json!(format!("z{value}")) } else { json!(value) },
                );
            some(port.as_object_mut().unwrap(), field, value);
            port
        };
        ports.into_iter().map(port).collect()
    })
}

/// The last of equal names.
fn unique(ports: Vec<Value>) -> Value {
    let by_name: BTreeMap<String, Value> =
        ports.into_iter().map(|port| (port["name"].to_string(), port)).collect();
    by_name.into_values().collect()
}

fn spec(newer: bool) -> impl Strategy<Value = Value> {
    let field = if newer { "weight" } else { "zone" };
    let host = option::of(select(vec!["host", "Host", "HOST"]));
    let port = option::of(select(vec!["80", "0080", "81"]));
    let mode =
        option::of(select(if newer { vec!["Fast", "Slow"] } else { vec!["Fast", "Slow", "Odd"] }));
    let lists = (ports(field), ports(field), ports(field));
    (host, port, mode, option::of(0..3_i64), lists).prop_map(
        move |(host, port, mode, more, (keyed, loose, pools))| {
            let mut spec = Map::new();
            if newer {
                some(&mut spec, "host", host);
                some(&mut spec, "port", port.map(|port| port.parse::<i64>().unwrap()));
                some(&mut spec, "limit", more);
            } else {
                let both = host.zip(port).map(|(host, port)| format!("{host}:{port}"));
                some(&mut spec, "address", both);
                some(&mut spec, "owner", more.map(|more| more.to_string()));
            }
            some(&mut spec, "mode", mode);
            spec.insert("keyed".to_owned(), unique(keyed));
            spec.insert("loose".to_owned(), json!(loose));
            let pools: Map<_, _> =
                pools.into_iter().enumerate().map(|(at, pool)| (format!("p{at}"), pool)).collect();
            spec.insert("pools".to_owned(), json!(pools));
            Value::Object(spec)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn everything_comes_back(older in spec(false), newer in spec(true)) {
        for second in [&*OLDER_HOP, &*NEWER_HOP] {
            comes_back(second, &object("v1", older.clone()), "v3");
            comes_back(second, &object("v3", newer.clone()), "v1");
        }
    }

    /// What comes back of an edited object is what the first release would have given, or nothing.
    #[test]
    fn nothing_comes_to_another_item(before in spec(false), after in spec(true)) {
        let first = &*FIRST;
        let mut stored = first.convert(&object("v1", before), "v3");
        stored["spec"] = after;
        let expected = first.convert(&stored, "v1");
        for second in [&*OLDER_HOP, &*NEWER_HOP] {
            assert_same(&second.convert(&stored, "v1")["spec"], &expected["spec"], "as before");
        }
    }
}
