//! The bugs that converters of real projects were shipped with, one test each.

use std::collections::BTreeMap;

use crd_conv::crd::{CrdOptions, Webhook};
use crd_conv::{
    ConvertError, Converted, Converter, ResourceType, Reviewer, UnrestoredReason, Versioned,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Spec {
        algorithm: Option<Algorithm>,
        host_port: Option<String>,
        zone: Option<String>,
        owner: Option<String>,
        limit: Option<i64>,
        pools: Option<Vec<Pool>>,
        probe: Option<Probe>,
        labels: Option<BTreeMap<String, String>>,
        options: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum Algorithm {
        #[serde(rename = "rsa")]
        Rsa,
        #[serde(rename = "rsa-2048")]
        Rsa2048,
        #[serde(rename = "ecdsa")]
        Ecdsa,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Pool {
        name: String,
        weight: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Probe {
        path: String,
        retries: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Status {
        ready: Option<bool>,
        message: Option<String>,
    }
}

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1alpha1::Spec,
        removed(owner),
        map(host_port <=> (host, port), with = HostPort),
    )]
    pub(crate) struct Spec {
        algorithm: Option<Algorithm>,
        host: Option<String>,
        port: Option<i32>,
        #[versioned(renamed_from = zone, with = OneZone)]
        zones: Option<Vec<String>>,
        #[versioned(with = Narrow)]
        limit: Option<i32>,
        pools: Option<Vec<Pool>>,
        probe: Option<Probe>,
        labels: Option<BTreeMap<String, String>>,
        #[versioned(with = Parsed)]
        options: Option<BTreeMap<String, i64>>,
        #[versioned(added)]
        grace: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Algorithm, removed(Rsa2048 = Rsa))]
    pub(crate) enum Algorithm {
        #[serde(rename = "RSA")]
        Rsa,
        #[serde(rename = "ECDSA")]
        Ecdsa,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Pool, removed(weight))]
    pub(crate) struct Pool {
        name: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Probe, removed(retries))]
    pub(crate) struct Probe {
        path: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Status, removed(message))]
    pub(crate) struct Status {
        ready: Option<bool>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::Spec)]
    pub(crate) struct Spec {
        algorithm: Option<super::v1beta1::Algorithm>,
        host: Option<String>,
        port: Option<i32>,
        zones: Option<Vec<String>>,
        limit: Option<i32>,
        pools: Option<Vec<super::v1beta1::Pool>>,
        probe: Option<super::v1beta1::Probe>,
        labels: Option<BTreeMap<String, String>>,
        options: Option<BTreeMap<String, i64>>,
        #[versioned(renamed_from = grace)]
        grace_seconds: Option<i64>,
        #[versioned(added)]
        history: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "keepers", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Keeper {
    V1alpha1 {
        spec: v1alpha1::Spec,
        status: Option<v1alpha1::Status>,
    },
    #[versioned(storage)]
    V1beta1 {
        spec: v1beta1::Spec,
        status: Option<v1beta1::Status>,
    },
    V1 {
        spec: v1::Spec,
        status: Option<v1beta1::Status>,
    },
}

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

struct HostPort;

impl Converter<Option<String>, (Option<String>, Option<i32>)> for HostPort {
    fn upgrade(
        &self,
        older: Option<String>,
    ) -> Result<(Option<String>, Option<i32>), ConvertError> {
        let Some(older) = older else { return Ok((None, None)) };
        let (host, port) = older.split_once(':').ok_or("expected `host:port`")?;
        Ok((Some(host.to_owned()), Some(port.parse()?)))
    }

    fn downgrade(
        &self,
        (host, port): (Option<String>, Option<i32>),
    ) -> Result<Option<String>, ConvertError> {
        let port = port.map_or(String::new(), |port| port.to_string());
        Ok(host.map(|host| format!("{host}:{port}")))
    }
}

/// The first of several zones.
struct OneZone;

impl Converter<Option<String>, Option<Vec<String>>> for OneZone {
    fn upgrade(&self, older: Option<String>) -> Result<Option<Vec<String>>, ConvertError> {
        Ok(older.map(|zone| vec![zone]))
    }

    fn downgrade(&self, newer: Option<Vec<String>>) -> Result<Option<String>, ConvertError> {
        Ok(newer.and_then(|zones| zones.into_iter().next()))
    }
}

/// Clamps.
struct Narrow;

impl Converter<i64, i32> for Narrow {
    fn upgrade(&self, older: i64) -> Result<i32, ConvertError> {
        Ok(i32::try_from(older).unwrap_or(if older < 0 { i32::MIN } else { i32::MAX }))
    }

    fn downgrade(&self, newer: i32) -> Result<i64, ConvertError> {
        Ok(newer.into())
    }
}

/// A text of JSON.
struct Parsed;

impl Converter<String, BTreeMap<String, i64>> for Parsed {
    fn upgrade(&self, older: String) -> Result<BTreeMap<String, i64>, ConvertError> {
        Ok(serde_json::from_str(&older)?)
    }

    fn downgrade(&self, newer: BTreeMap<String, i64>) -> Result<String, ConvertError> {
        Ok(serde_json::to_string(&newer)?)
    }
}

fn object(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Keeper",
        "metadata": { "name": "k" },
        "spec": spec,
    })
}

fn try_convert(object: &Value, to: &str) -> Result<Converted, crd_conv::ConversionError> {
    ResourceType::of::<Keeper>().convert(object.to_string().as_bytes(), to)
}

#[track_caller]
fn convert(object: &Value, to: &str) -> Value {
    let converted = try_convert(object, to).unwrap_or_else(|error| panic!("{error}"));
    serde_json::from_str(&converted.json).expect("JSON")
}

/// There and back by way of a version, without an edit.
#[track_caller]
fn returns(object: &Value, by: &str) {
    let version = object["apiVersion"].as_str().and_then(|text| text.split_once('/'));
    let (_, home) = version.expect("invalid test case: a version");
    let there = convert(object, by);
    assert_eq!(&convert(&there, home), object, "by way of {there}");
}

fn annotations(object: &Value) -> Vec<&String> {
    object["metadata"]["annotations"]
        .as_object()
        .map(|all| all.keys().collect())
        .unwrap_or_default()
}

#[test]
fn catalogue_01_a_field_that_only_the_newer_version_has_comes_back() {
    for spec in [json!({ "history": 3 }), json!({ "history": 0 }), json!({})] {
        returns(&object("v1", &spec), "v1beta1");
        returns(&object("v1", &spec), "v1alpha1");
    }
}

#[test]
fn catalogue_02_each_of_several_enum_values_comes_back() {
    for value in ["rsa", "rsa-2048", "ecdsa"] {
        returns(&object("v1alpha1", &json!({ "algorithm": value })), "v1");
    }
    let shown = |value| convert(&object("v1alpha1", &json!({ "algorithm": value })), "v1");
    assert_eq!(
        shown("rsa")["spec"],
        shown("rsa-2048")["spec"],
        "invalid test case: two become one"
    );
}

#[test]
fn catalogue_03_no_direction_is_forgotten() {
    let full = json!({
        "algorithm": "rsa", "hostPort": "a:1", "zone": "z", "owner": "o", "limit": 1,
        "pools": [{ "name": "p", "weight": 1 }], "probe": { "path": "/", "retries": 2 },
        "labels": { "a": "b" }, "options": "{\"a\":1}",
    });
    for to in VERSIONS {
        let there = convert(&object("v1alpha1", &full), to);
        for then in VERSIONS {
            assert_eq!(convert(&there, then), convert(&object("v1alpha1", &full), then), "{to}");
        }
    }
}

#[test]
fn catalogue_04_what_a_client_deleted_does_not_resurrect() {
    let old =
        object("v1alpha1", &json!({ "probe": { "path": "/a", "retries": 7 }, "hostPort": "a:01" }));
    let mut newer = convert(&old, "v1beta1");
    let spec = newer["spec"].as_object_mut().expect("a struct");
    for deleted in ["probe", "host", "port"] {
        assert!(spec.remove(deleted).is_some(), "invalid test case: {deleted}");
    }
    let mut older = convert(&newer, "v1alpha1");
    assert_eq!(older["spec"], json!({}));
    assert_eq!(annotations(&older), Vec::<&String>::new());
    // A fresh one has nothing of the old one.
    older["spec"] = json!({ "probe": { "path": "/a" }, "hostPort": "a:1" });
    let newer = convert(&older, "v1beta1");
    assert_eq!(newer["spec"], json!({ "probe": { "path": "/a" }, "host": "a", "port": 1 }));
    assert_eq!(convert(&newer, "v1alpha1"), older);
}

#[test]
fn catalogue_05_what_belongs_to_an_item_follows_it() {
    let pool = |name: &str, weight: i64| json!({ "name": name, "weight": weight });
    let pools = json!({ "pools": [pool("p", 1), pool("q", 2), pool("r", 3)] });
    let there = convert(&object("v1alpha1", &pools), "v1beta1");
    let named = |name: &str| json!({ "name": name });
    let of = |name: &str| ["p", "q", "r"].iter().position(|known| *known == name);
    for names in [
        &["r", "q", "p"][..],
        &["q", "r", "p"],
        &["new", "p", "q", "r"],
        &["p", "new", "q", "new", "r"],
        &["q", "r"],
        &["r", "new"],
        &[],
    ] {
        let mut edited = there.clone();
        edited["spec"]["pools"] = names.iter().map(|name| named(name)).collect();
        let back = convert(&edited, "v1alpha1");
        for (name, pool) in names.iter().zip(back["spec"]["pools"].as_array().expect("a list")) {
            let weight = of(name).map_or(Value::Null, |place| json!(place + 1));
            assert_eq!((&pool["name"], &pool["weight"]), (&json!(name), &weight), "{names:?}");
        }
    }
}

#[test]
fn catalogue_06_a_text_that_cannot_be_parsed_never_becomes_empty_data() {
    for text in ["", "{", "null", "[]", "{\"a\":\"b\"}"] {
        let given = object("v1alpha1", &json!({ "options": text }));
        let error = try_convert(&given, "v1beta1").expect_err(text).to_string();
        assert!(error.contains("spec.options") && error.contains("Keeper"), "{error}");
    }
}

#[test]
fn catalogue_07_an_edit_costs_its_siblings_nothing() {
    let spec =
        json!({ "hostPort": "a:01", "owner": "o", "algorithm": "rsa-2048", "limit": 1_i64 << 40 });
    let there = convert(&object("v1alpha1", &spec), "v1beta1");
    assert_eq!(annotations(&there).len(), 4, "invalid test case: {there}");
    for (field, edit, home, shown) in [
        ("port", json!(2), "hostPort", json!("a:2")),
        ("algorithm", json!("ECDSA"), "algorithm", json!("ecdsa")),
        ("limit", json!(5), "limit", json!(5)),
    ] {
        let mut edited = there.clone();
        edited["spec"][field] = edit;
        let mut expected = spec.clone();
        expected[home] = shown;
        assert_eq!(convert(&edited, "v1alpha1")["spec"], expected, "{field}");
    }
}

#[test]
fn catalogue_08_a_list_may_be_empty_or_have_more_than_one_item() {
    for zones in [json!([]), json!(["a"]), json!(["a", "b", "c"])] {
        returns(&object("v1beta1", &json!({ "zones": zones })), "v1alpha1");
    }
}

#[test]
fn catalogue_09_the_source_is_not_touched() {
    let text = object("v1alpha1", &json!({ "owner": "o", "hostPort": "a:01" })).to_string();
    let bytes = text.clone().into_bytes();
    let keepers = ResourceType::of::<Keeper>();
    let first = keepers.convert(&bytes, "v1").expect("converts").json;
    let second = keepers.convert(&bytes, "v1").expect("converts").json;
    assert_eq!((bytes, first), (text.into_bytes(), second));
}

#[test]
fn catalogue_10_empty_null_and_absent_are_different() {
    for pools in [json!([]), Value::Null, json!([{ "name": "p" }])] {
        returns(&object("v1alpha1", &json!({ "pools": pools })), "v1");
    }
    for labels in [json!({}), Value::Null, json!({ "a": "" })] {
        returns(&object("v1alpha1", &json!({ "labels": labels })), "v1");
        let there = convert(&object("v1alpha1", &json!({ "labels": labels })), "v1");
        assert_eq!(there["spec"]["labels"], labels);
    }
    returns(&object("v1alpha1", &json!({ "zone": "", "owner": null, "options": "{}" })), "v1");
    returns(&object("v1alpha1", &json!({})), "v1");
}

#[test]
fn catalogue_11_the_group_counts_and_so_does_the_whole_version() {
    let mut foreign = object("v1alpha1", &json!({ "owner": "o" }));
    for other in [
        "other.com/v1alpha1",
        "v1alpha1",
        "example.com",
        "example.com/v1alpha1/v1",
        "example.com/v1alpha10",
    ] {
        foreign["apiVersion"] = json!(other);
        assert!(try_convert(&foreign, "v1").is_err(), "{other}");
    }
    let review = |desired: &str| {
        let request = json!({
            "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
            "request": { "uid": "1", "desiredAPIVersion": desired, "objects": [object("v1alpha1", &json!({}))] },
        });
        let reviewer = Reviewer::new([ResourceType::of::<Keeper>()]);
        reviewer.review(request.to_string().as_bytes()).expect("an answer").failure
    };
    assert_eq!(review("example.com/v1"), None);
    for other in ["other.com/v1", "v1", "example.com/v2", "example.com/v1/v1"] {
        assert!(review(other).is_some(), "{other}");
    }
}

#[test]
fn catalogue_12_other_directions_leave_a_kept_value_alone() {
    let old = object("v1alpha1", &json!({ "owner": "o", "probe": { "path": "/", "retries": 1 } }));
    let mut stored = convert(&old, "v1beta1");
    for _ in 0..3 {
        stored = convert(&convert(&stored, "v1"), "v1beta1");
    }
    assert_eq!(convert(&stored, "v1alpha1"), old);
}

#[test]
fn catalogue_13_only_what_is_lost_is_kept_and_it_does_not_grow() {
    let long = "x".repeat(10_000);
    let given = json!({ "owner": "o", "labels": { "long": long } });
    let mut given = object("v1alpha1", &given);
    given["status"] = json!({ "ready": true });
    let first = convert(&given, "v1");
    let carried = first["metadata"]["annotations"].to_string();
    assert!(
        carried.len() < 200 && !carried.contains("xxx") && !carried.contains("ready"),
        "{carried}"
    );
    let mut object = first.clone();
    for to in ["v1beta1", "v1alpha1", "v1beta1", "v1"].iter().cycle().take(20) {
        object = convert(&object, to);
    }
    assert_eq!(object, first);
}

#[test]
fn catalogue_14_only_what_is_about_the_status_is_kept_in_it_and_nothing_invents_one() {
    let given = object("v1alpha1", &json!({ "owner": "o", "limit": 1_i64 << 40 }));
    for to in ["v1beta1", "v1"] {
        assert_eq!(convert(&given, to).get("status"), None);
    }
    let mut with_status = given.clone();
    with_status["status"] = json!({ "ready": true, "message": "m" });
    let mut there = convert(&with_status, "v1beta1");
    let key = "conversion.example.com/v1alpha1.status.message";
    assert!(there["metadata"]["annotations"].get(key).is_none(), "{there}");
    let kept = there["status"]["conversionEntries"].take();
    let kept = kept.as_object().expect("entries");
    assert!(kept.len() == 1 && kept.contains_key(key), "{kept:?}");
    // A controller overwrites the status, and a create throws it away.
    there["status"] = json!({ "ready": false });
    let back = convert(&there, "v1alpha1");
    assert_eq!(back["spec"], given["spec"]);
    there.as_object_mut().expect("an object").remove("status");
    assert_eq!(convert(&there, "v1alpha1"), given);
}

#[test]
fn catalogue_15_a_number_never_wraps() {
    let given = object("v1alpha1", &json!({ "limit": 5_000_000_000_i64 }));
    let there = convert(&given, "v1beta1");
    assert_eq!(there["spec"]["limit"], json!(i32::MAX));
    assert_eq!(convert(&there, "v1alpha1"), given);
}

#[test]
fn catalogue_16_unknown_fields_stay() {
    let spec = json!({
        "hostPort": "a:1", "new": { "from": ["a", "later", "release"] },
        "pools": [{ "name": "p", "weight": 1, "new": true }],
    });
    let mut given = object("v1alpha1", &spec);
    given["scale"] = json!(1);
    returns(&given, "v1");
    let there = convert(&given, "v1");
    assert_eq!(there["spec"]["new"], spec["new"]);
    assert_eq!(there["spec"]["pools"][0]["new"], json!(true));
}

#[test]
fn catalogue_17_a_value_that_no_rule_reads_may_be_of_any_type() {
    let spec = json!({ "labels": { "a": 1 }, "pools": "none", "probe": [1], "hostPort": "a:1" });
    returns(&object("v1alpha1", &spec), "v1");
}

#[test]
fn catalogue_18_a_part_of_an_object_converts() {
    let api_version = "example.com/v1alpha1";
    for part in [
        json!({ "apiVersion": api_version, "kind": "Keeper" }),
        json!({ "apiVersion": api_version, "kind": "Keeper", "metadata": {} }),
        json!({ "apiVersion": api_version, "kind": "Keeper", "metadata": {}, "spec": null }),
        json!({ "apiVersion": api_version, "kind": "Keeper", "metadata": {}, "spec": { "pools": [{ "weight": 1 }], "probe": {} } }),
        json!({ "apiVersion": api_version, "kind": "Keeper", "metadata": {}, "status": { "message": "m" } }),
    ] {
        for to in ["v1beta1", "v1"] {
            let back = convert(&convert(&part, to), "v1alpha1");
            assert_eq!((&back["spec"], &back["status"]), (&part["spec"], &part["status"]));
        }
    }
}

#[test]
fn catalogue_19_the_conversion_stanza_is_not_forgotten() {
    let keepers = ResourceType::of::<Keeper>();
    let error = keepers.crd(&CrdOptions::new()).expect_err("there are rules").to_string();
    assert!(error.contains("webhook"), "{error}");
    let crd = keepers.crd(&CrdOptions::new().webhook(Webhook::service("ns", "keepers")));
    let crd = serde_json::to_value(crd.expect("a webhook is named")).expect("JSON");
    assert_eq!(crd["spec"]["conversion"]["strategy"], json!("Webhook"));
}

#[test]
fn catalogue_20_absent_stays_absent_and_an_integer_an_integer() {
    let text = r#"{"apiVersion":"example.com/v1alpha1","kind":"Keeper","metadata":{},"spec":{"limit":9007199254740993,"hostPort":"a:1","pools":[{"name":"p","weight":12345678901234567890}]}}"#;
    let keepers = ResourceType::of::<Keeper>();
    for to in ["v1beta1", "v1"] {
        let there = keepers.convert(text.as_bytes(), to).expect("converts");
        assert_eq!(there.unrestored.count(UnrestoredReason::Edited), 0);
        let back = keepers.convert(there.json.as_bytes(), "v1alpha1").expect("converts");
        assert!(
            back.json.contains("9007199254740993") && back.json.contains("12345678901234567890")
        );
        assert!(!there.json.contains("null") && !back.json.contains("null"), "{}", there.json);
        assert!(!back.json.contains(".0"), "{}", back.json);
    }
}
