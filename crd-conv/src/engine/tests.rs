//! The engine on plans written by hand.

mod joined;

use crate::__private::{read, write};
use crate::definition::{Definition, Layout, Scope, TypeRef, VersionDefinition};
use crate::plan::{
    By, Conversion, Fault, Field, Indexed, JsonType, Nested, Rule, StructPlan, Values,
};
use crate::{ResourceType, UnrestoredReason};

const fn field(name: &'static str, optional: bool, kind: fn() -> JsonType) -> Field {
    Field::new(name, name, "String", optional, None, optional, kind)
}

const HOST_PORT: Field = field("hostPort", false, || JsonType::STRING);
const HOST: Field = field("host", false, || JsonType::STRING);
const PORT: Field = field("port", false, || JsonType::STRING);
const OWNER: Field = field("owner", true, || JsonType::STRING);
const LIMIT: Field = field("limit", false, || JsonType::INTEGER);

fn split(
    inputs: &[Option<&str>],
    _: Option<&[Option<&str>]>,
    out: &mut Values,
) -> Result<(), Fault> {
    let text: String =
        read(inputs[0].unwrap_or("null")).map_err(|error| Fault::Unreadable(0, error))?;
    let (host, port) =
        text.split_once(':').ok_or_else(|| Fault::Refused("expected `host:port`".into()))?;
    assert!(port != "panic", "no such port");
    out.push(|out| write(host, false, out))?;
    out.push(|out| write(port.trim(), false, out))
}

fn join(
    inputs: &[Option<&str>],
    _: Option<&[Option<&str>]>,
    out: &mut Values,
) -> Result<(), Fault> {
    let [host, port] = [0, 1].map(|index| read::<String>(inputs[index].unwrap_or("null")));
    let text = format!("{}:{}", host.map_err(Fault::Refused)?, port.map_err(Fault::Refused)?);
    out.push(|out| write(&text, false, out))
}

static PLAN: StructPlan = StructPlan::new(
    "v1beta1::CronTab",
    "v1::CronTab",
    &[
        Rule::Converted {
            older: &[HOST_PORT],
            newer: &[HOST, PORT],
            by: By::new("HostPort", Conversion::new(split, None), Conversion::new(join, None)),
        },
        Rule::Kept {
            older: field("cron", false, || JsonType::STRING),
            newer: field("schedule", false, || JsonType::STRING),
            nested: Indexed::NOTHING,
        },
        Rule::Removed { older: OWNER, fill: None },
        Rule::Added { newer: LIMIT, fill: Some(|out| write(&3, false, out)) },
    ],
);

const fn version(name: &'static str) -> VersionDefinition {
    VersionDefinition::new(name, Layout::Root(TypeRef::of::<String>("CronTab")))
        .plan(|| Some(Nested::Struct(&PLAN)))
}

static CRON_TAB: Definition = Definition::new(
    "example.com",
    "CronTab",
    "crontabs",
    Scope::Namespaced,
    &[version("v1beta1"), version("v1")],
);

fn convert(object: &str, to: &str) -> String {
    ResourceType::new(&CRON_TAB).convert(object.as_bytes(), to).unwrap().json
}

fn old(rest: &str) -> String {
    format!(r#"{{"apiVersion":"example.com/v1beta1","kind":"CronTab"{rest}}}"#)
}

fn new(rest: &str) -> String {
    format!(r#"{{"apiVersion":"example.com/v1","kind":"CronTab"{rest}}}"#)
}

#[track_caller]
fn there_and_back(object: &str, between: &str) {
    let up = convert(object, "v1");
    assert_eq!(up, between);
    assert_eq!(convert(&up, "v1beta1"), object);
}

#[test]
fn unnamed_spans_come_out_byte_for_byte() {
    let rest = r#", "metadata": {"name":"a"},
        "hostPort":"h:1", "x": [1.10, 1e400,-0] , "s":"\u0041\/\ud800" "#;
    let up = convert(&old(rest), "v1");
    assert_eq!(
        up,
        new(r#", "metadata": {"name":"a"},
        "host":"h","port":"1", "x": [1.10, 1e400,-0] , "s":"\u0041\/\ud800","limit":3 "#)
    );
    assert_eq!(convert(&up, "v1beta1"), old(rest.trim_end()));
}

#[test]
fn commas_follow_their_members() {
    let tail = r#","metadata":{}"#;
    there_and_back(&old(tail), &new(r#","metadata":{},"limit":3"#));
    let up = convert(r#"{"owner":"me","apiVersion":"example.com/v1beta1","kind":"CronTab"}"#, "v1");
    assert_eq!(
        up,
        r#"{"apiVersion":"example.com/v1","kind":"CronTab","limit":3,"metadata":{"annotations":{"conversion.example.com/v1beta1.owner":"{\"format\":1,\"peer\":\"v1\",\"keep\":{\"owner\":\"me\"}}"}}}"#
    );
    assert_eq!(
        convert(&up, "v1beta1"),
        r#"{"apiVersion":"example.com/v1beta1","kind":"CronTab","metadata":{},"owner":"me"}"#
    );
}

#[test]
fn what_the_older_version_cannot_say_is_kept() {
    let object = new(r#","metadata":{"annotations":{"a":"b"}},"host":"h","limit":5,"port":"1""#);
    let down = convert(&object, "v1beta1");
    let entry = r#""conversion.example.com/v1.limit":"{\"format\":1,\"peer\":\"v1beta1\",\"keep\":{\"limit\":5}}""#;
    assert_eq!(
        down,
        old(&format!(r#","metadata":{{"annotations":{{"a":"b",{entry}}}}},"hostPort":"h:1""#))
    );
    assert_eq!(
        convert(&down, "v1"),
        new(r#","metadata":{"annotations":{"a":"b"}},"host":"h","port":"1","limit":5"#)
    );
}

#[test]
fn a_lossy_converter_returns_exactly_and_edits_win() {
    let object = old(r#","metadata":{"name":"a"},"hostPort":"h: 1""#);
    let up = convert(&object, "v1");
    assert!(up.contains(r#""host":"h","port":"1""#) && up.contains("v1beta1.hostPort"), "{up}");
    assert_eq!(convert(&up, "v1beta1"), object);

    let edited = up.replace(r#""port":"1""#, r#""port":"2""#);
    assert_ne!(edited, up);
    let back = ResourceType::new(&CRON_TAB).convert(edited.as_bytes(), "v1beta1").unwrap();
    assert_eq!(back.json, old(r#","metadata":{"name":"a"},"hostPort":"h:2""#));
    assert_eq!(back.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::Edited, 1)]);
}

#[test]
fn an_incomplete_group_waits_in_the_complement() {
    let object = new(r#","metadata":{"name":"a"},"host":"h""#);
    let down = convert(&object, "v1beta1");
    assert!(!down.contains("hostPort"), "{down}");
    assert_eq!(convert(&down, "v1"), new(r#","metadata":{"name":"a"},"host":"h""#));
}

#[test]
fn an_unknown_field_in_the_way_is_set_aside() {
    let object = old(r#","metadata":{"name":"a"},"limit":{"mine":1},"port":null"#);
    let up = convert(&object, "v1");
    assert!(up.contains(r#","limit":3"#), "{up}");
    assert_eq!(
        convert(&up, "v1beta1"),
        old(r#","metadata":{"name":"a"},"port":null,"limit":{"mine":1}"#)
    );
}

#[test]
fn a_refusal_names_object_versions_field_and_reason() {
    let resource = ResourceType::new(&CRON_TAB);
    let message = |value: &str| {
        let rest = format!(r#","metadata":{{"name":"a","namespace":"n"}},"hostPort":{value}"#);
        resource.convert(old(&rest).as_bytes(), "v1").unwrap_err().to_string()
    };
    let prefix = "can't convert CronTab `n/a` from v1beta1 to v1: `hostPort`: ";
    assert_eq!(message(r#""nonsense""#), format!("{prefix}expected `host:port`"));
    assert_eq!(message(r#""a:panic""#), format!("{prefix}panicked: no such port"));
    assert!(
        message("7").starts_with(&format!("{prefix}invalid type: integer")),
        "{}",
        message("7")
    );
}

#[test]
fn a_refusal_of_an_object_without_a_name_reads_as_a_sentence() {
    let resource = ResourceType::new(&CRON_TAB);
    let message =
        |rest: &str, to: &str| resource.convert(old(rest).as_bytes(), to).unwrap_err().to_string();
    let bad = r#","hostPort":"nonsense""#;
    let prefix = "can't convert a nameless CronTab from v1beta1 to v1: `hostPort`: ";
    // The API server sends parts of objects like these, and objects that it hasn't named yet.
    for metadata in ["", r#","metadata":{}"#, r#","metadata":{"generateName":"a-"}"#] {
        assert!(message(&format!("{metadata}{bad}"), "v1").starts_with(prefix), "{metadata}");
    }
    assert!(message("", "v9").starts_with("can't convert an object without a name: "));
}

#[test]
fn escaped_and_repeated_keys_are_the_same_key() {
    let up = convert(&old(r#","metadata":{},"\u0068ostPort":"h:1""#), "v1");
    assert!(up.contains(r#""host":"h","port":"1""#), "{up}");
    let twice = old(r#","metadata":{},"hostPort":"a:1","hostPort":"b:2""#);
    let up = ResourceType::new(&CRON_TAB).convert(twice.as_bytes(), "v1").unwrap();
    assert_eq!(up.json, new(r#","metadata":{},"host":"b","port":"2","limit":3"#));
    assert_eq!(up.unrestored.count(UnrestoredReason::DuplicateKey), 1);
}

#[test]
fn a_foreign_carrier_is_harmless() {
    let resource = ResourceType::new(&CRON_TAB);
    let with = |value: &str| {
        let mut quoted = String::new();
        crate::json::quote(value, &mut quoted);
        let object = old(&format!(
            r#","metadata":{{"annotations":{{"conversion.example.com/v1.limit":{quoted}}}}}"#
        ));
        resource.convert(object.as_bytes(), "v1").unwrap()
    };
    for (value, reason) in [
        ("", UnrestoredReason::Malformed),
        (r#"{"format":1,"peer":"v1beta1","keep":{"limit":"x"}}"#, UnrestoredReason::Mistyped),
        (r#"{"format":1,"peer":"v1beta1","keep":{"other":1}}"#, UnrestoredReason::Mistyped),
    ] {
        let converted = with(value);
        assert_eq!(converted.unrestored.count(reason), 1, "{value}");
        assert_eq!(converted.json, new(r#","metadata":{},"limit":3"#));
    }
    for value in [r#"{"format":9,"new":true}"#, r#"{"format":1,"peer":"v0","keep":{"other":7}}"#] {
        let converted = with(value);
        assert_eq!(converted.unrestored.count(UnrestoredReason::Ignored), 1);
        assert!(converted.json.contains("conversion.example.com/v1.limit"), "{}", converted.json);
        assert!(converted.json.ends_with(r#""limit":3}"#));
    }
}

#[test]
fn metadata_is_always_there() {
    for (metadata, expected) in [
        ("", r#","hostPort":"h:1","metadata":{}"#),
        (r#","metadata":null"#, r#","metadata":{},"hostPort":"h:1""#),
    ] {
        let object = new(&format!(r#"{metadata},"host":"h","port":"1""#));
        assert_eq!(convert(&object, "v1beta1").replace('\\', ""), {
            // No `limit`: the way back must not fill it in.
            let kept = r#"{"annotations":{"conversion.example.com/v1.limit":"{"format":1,"peer":"v1beta1","keep":{}}"}}"#;
            old(&expected.replace("{}", kept))
        });
    }
    let same = convert(r#"{"apiVersion":"example.com/v1","kind":"CronTab"}"#, "example.com/v1");
    assert_eq!(same, r#"{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{}}"#);
}

#[test]
fn export_leaves_no_carrier() {
    let down = convert(&new(r#","metadata":{"name":"a"},"limit":5"#), "v1beta1");
    let exported = ResourceType::new(&CRON_TAB).export(down.as_bytes()).unwrap();
    assert_eq!(exported, old(r#","metadata":{"name":"a"}"#));
}
