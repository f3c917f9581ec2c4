//! Fields that move, and that a converter changes on the way.

use crd_conv::{
    Converted, ResourceType, UnrestoredReason, Versioned,
    explanation::Mapping,
    with::{GoDuration, Inverse},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        timeout: Option<String>,
        grace: Option<String>,
        interval: Option<String>,
        period: Option<String>,
        #[serde(default)]
        pause: Option<Pause>,
        delay: Option<String>,
        probe: Probe,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pause {
        seconds: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Probe {
        url: Option<String>,
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
        // An `Option` at one end only.
        moved(interval => every.seconds, with = GoDuration::SECONDS, fallback(upgrade = 60, downgrade = "1m")),
        moved(
            period => each.seconds,
            with = GoDuration::SECONDS,
            refuses(upgrade = "the controller reports it", downgrade = "no time is that long"),
        ),
        moved(
            pause.seconds => pause,
            with = Inverse(GoDuration::SECONDS),
            fallback(upgrade = _, downgrade = 1),
        ),
        moved(
            delay => probe.delay,
            with = GoDuration::SECONDS,
            fallback(upgrade = 5, downgrade = _),
        ),
        moved(grace => stop.seconds, with = GoDuration::SECONDS, fallback(upgrade = _, downgrade = _)),
    )]
    pub(super) struct Spec {
        checks: Option<Checks>,
        stop: Option<Stop>,
        every: Option<Every>,
        each: Option<Every>,
        pause: Option<String>,
        probe: Probe,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Every {
        seconds: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Probe)]
    pub(super) struct Probe {
        url: Option<String>,
        #[versioned(added(value = 3))]
        delay: i64,
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
fn an_explanation_has_one_row() {
    let hops = ResourceType::of::<Job>().explanation();
    let mut rows = hops[0]
        .rows
        .iter()
        .filter(|row| row.older.iter().any(|value| value.path.to_string() == ".spec.timeout"));
    let (Some(row), None) = (rows.next(), rows.next()) else { panic!("{hops:?}") };
    assert_eq!(row.newer[0].to_string(), ".spec.checks.seconds: Option<i64>");
    assert!(matches!(row.mapping, Mapping::Converted { by: "GoDuration::SECONDS", .. }), "{row:?}");
    assert_eq!(
        row.annotations,
        ["conversion.example.com/v1.spec.timeout", "conversion.example.com/v2.spec.checks.seconds"]
    );
}

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

/// A converter of the contents is enough for an `Option` that moves to a required field.
#[test]
fn one_end_may_be_an_option() {
    for (from, to, spec, other) in [
        ("v1", "v2", r#"{"interval":"1m0s"}"#, r#"{"every":{"seconds":60}}"#),
        ("v2", "v1", r#"{"every":{"seconds":90}}"#, r#"{"interval":"1m30s"}"#),
        ("v1", "v2", r#"{"pause":{"seconds":60}}"#, r#"{"pause":"1m0s"}"#),
        ("v2", "v1", r#"{"pause":"1m0s"}"#, r#"{"pause":{"seconds":60}}"#),
        ("v2", "v1", r#"{"probe":{"delay":7}}"#, r#"{"probe":{},"delay":"7s"}"#),
    ] {
        let object = self::object(from, "{}", spec);
        let there = convert(&object, to).json;
        assert_eq!(there, self::object(to, "{}", other));
        assert_eq!(convert(&there, from).json, object);
    }
}

/// A null has no counterpart where the converter needs a value. It's kept, and stops no conversion.
#[test]
fn a_null_without_a_fallback() {
    let older = object("v1", "{}", r#"{"period":null,"probe":{}}"#);
    let there = convert(&older, "v2").json;
    assert!(there.ends_with(r#""spec":{"probe":{"delay":3}}}"#), "{there}");
    assert_eq!(convert(&there, "v1").json, object("v1", "{}", r#"{"probe":{},"period":null}"#));
}

/// What is absent isn't converted: the newer version shows what it shows for any new field.
#[test]
fn absent_at_a_required_end() {
    let there = convert(&object("v1", "{}", r#"{"probe":{}}"#), "v2").json;
    assert!(there.ends_with(r#""spec":{"probe":{"delay":3}}}"#), "{there}");
    assert_eq!(convert(&there, "v1").json, object("v1", "{}", r#"{"probe":{}}"#));
}

/// Into a flattened struct and out of one. In JSON, such a value stays where it is.
mod flat {
    use super::*;

    mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(in super::super) struct Spec {
            timeout: Option<String>,
            delay: Option<String>,
            #[serde(default)]
            level: i64,
            #[serde(flatten)]
            common: Common,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(in super::super) struct Common {
            name: Option<String>,
            pause: Option<String>,
        }
    }

    mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
            from = super::v1::Spec,
            moved(
                timeout => common.timeout_seconds,
                with = GoDuration::SECONDS,
                fallback(upgrade = _, downgrade = _),
            ),
            moved(level => common.level),
            moved(
                delay => common.delay,
                with = GoDuration::SECONDS,
                fallback(upgrade = 0, downgrade = _),
            ),
            moved(
                common.pause => pause,
                with = GoDuration::SECONDS,
                fallback(upgrade = _, downgrade = _),
            ),
        )]
        pub(in super::super) struct Spec {
            #[serde(flatten)]
            common: Common,
            pause: Option<i64>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Common, removed(pause))]
        pub(in super::super) struct Common {
            name: Option<String>,
            #[versioned(added)]
            timeout_seconds: Option<i64>,
            #[versioned(added)]
            #[serde(default)]
            delay: i64,
            #[versioned(added)]
            #[serde(default)]
            level: i64,
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

    #[test]
    fn it_changes_in_place() {
        let older = object("v1", "{}", r#"{"timeout":"1m0s","pause":"1s","delay":"2s","level":3}"#);
        let there = ResourceType::of::<Job>().convert(older.as_bytes(), "v2").unwrap().json;
        let spec = r#"{"timeout_seconds":60,"pause":1,"delay":2,"level":3}"#;
        assert_eq!(there, object("v2", "{}", spec));
        let back = ResourceType::of::<Job>().convert(there.as_bytes(), "v1").unwrap().json;
        assert_eq!(back, older);
    }
}
