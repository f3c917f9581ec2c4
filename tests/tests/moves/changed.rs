//! Fields that move, and that a converter changes on the way.

use crd_conv::{Converted, ResourceType, UnrestoredReason, Versioned, with::GoDuration};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        timeout: Option<String>,
        grace: Option<String>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        moved(
            timeout => checks.seconds,
            with = GoDuration::SECONDS,
            refuses(upgrade = "the controller reports it", downgrade = "no time is that long"),
        ),
        moved(grace => stop.seconds, with = GoDuration::SECONDS, fallback(upgrade = _, downgrade = _)),
    )]
    pub(super) struct Spec {
        checks: Option<Checks>,
        stop: Option<Stop>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Checks {
        seconds: Option<i64>,
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Stop {
        seconds: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "jobs", scope = "Namespaced"))]
enum Job {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

crd_conv::laws!(Job);

fn object(version: &str, metadata: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Job","metadata":{metadata},"spec":{spec}}}"#
    )
}

#[track_caller]
fn convert(object: &str, to: &str) -> Converted {
    let converted = ResourceType::of::<Job>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}"))
}

/// Converts a spec of the older version, edits it, and converts it back.
#[track_caller]
fn edited(spec: &str, what: &str, with: &str) -> Converted {
    let there = convert(&object("v1", "{}", spec), "v2").json;
    let edited = there.replacen(what, with, 1);
    assert_ne!(edited, there);
    convert(&edited, "v1")
}

const KEPT: &str = r#"{"annotations":{"conversion.example.com/v1.spec.timeout":"{\"format\":1,\"peer\":\"v2\",\"keep\":{\"timeout\":\"10m\"},\"guard\":{\"seconds\":600}}"}}"#;

#[test]
fn a_value_changes_and_comes_back() {
    let older = object("v1", "{}", r#"{"timeout":"10m"}"#);
    let there = convert(&older, "v2").json;
    assert_eq!(there, object("v2", KEPT, r#"{"checks":{"seconds":600}}"#));
    let back = convert(&there, "v1");
    assert_eq!(back.json, older);
    assert!(back.unrestored.is_empty());

    // The way back makes this value again, so nothing is kept.
    let older = object("v1", "{}", r#"{"timeout":"10m0s"}"#);
    let there = convert(&older, "v2").json;
    assert_eq!(there, object("v2", "{}", r#"{"checks":{"seconds":600}}"#));
    assert_eq!(convert(&there, "v1").json, older);
}

#[test]
fn a_value_comes_back_next_to_an_edit() {
    let back =
        edited(r#"{"timeout":"10m"}"#, r#""seconds":600"#, r#""seconds":600,"url":"http://a""#);
    assert!(back.json.contains(r#""spec":{"timeout":"10m"}"#), "{}", back.json);
    assert!(back.unrestored.is_empty());
}

#[test]
fn an_edit_wins() {
    let back = edited(r#"{"timeout":"10m"}"#, r#""seconds":600"#, r#""seconds":700"#);
    assert_eq!(back.json, object("v1", "{}", r#"{"timeout":"11m40s"}"#));
    assert_eq!(back.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::Edited, 1)]);
}

#[test]
fn a_client_removes_the_struct() {
    let back = edited(r#"{"timeout":"10m"}"#, r#"{"checks":{"seconds":600}}"#, "{}");
    assert_eq!(back.json, object("v1", "{}", "{}"));
    assert_eq!(back.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::Edited, 1)]);
}

#[test]
fn nothing_moves_where_nothing_is() {
    let older = object("v1", "{}", "{}");
    let there = convert(&older, "v2").json;
    assert_eq!(there, object("v2", "{}", "{}"));
    assert_eq!(convert(&there, "v1").json, older);
}

#[test]
fn a_refused_value_comes_back() {
    let older = object("v1", "{}", r#"{"grace":"soon"}"#);
    let there = convert(&older, "v2");
    assert!(there.json.ends_with(r#""spec":{}}"#), "{}", there.json);
    let back = convert(&there.json, "v1");
    assert_eq!(back.json, older);
    assert!(back.unrestored.is_empty());
}

#[test]
fn without_a_fallback_the_error_names_the_field() {
    let older = object("v1", "{}", r#"{"timeout":"soon"}"#);
    let error = ResourceType::of::<Job>().convert(older.as_bytes(), "v2").err();
    let error = error.expect("`soon` isn't a duration").to_string();
    assert!(error.contains("spec.timeout"), "{error}");
}
