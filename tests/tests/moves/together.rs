//! Values that move together, or stay where they are together.

use crd_conv::{
    ConvertError, Converted, Converter, ResourceType, UnrestoredReason, Versioned,
    explanation::Mapping,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two texts. The newer version has no capital letters.
#[derive(Clone, Copy)]
struct Lowercase;

type Texts = (String, String);

impl Converter<Texts, Texts> for Lowercase {
    fn upgrade(&self, (user, host): Texts) -> Result<Texts, ConvertError> {
        Ok((user, host.to_lowercase()))
    }

    fn downgrade(&self, newer: Texts) -> Result<Texts, ConvertError> {
        Ok(newer)
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        user: Option<String>,
        host: Option<String>,
        #[serde(default)]
        level: i64,
        step: Option<i64>,
        size: Option<String>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        map((user, host) <=> (login.name, server.name), with = Lowercase),
        map((level, step) <=> (scale.level, scale.step), with(upgrade = up, downgrade = down)),
        map(
            size <=> (area.width, area.height),
            with(upgrade = sides, downgrade = size),
            fallback(upgrade = (_, _)),
        ),
    )]
    pub(super) struct Spec {
        login: Option<Named>,
        server: Option<Named>,
        scale: Option<Scale>,
        area: Option<Area>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Named {
        name: Option<String>,
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Scale {
        level: Option<i64>,
        step: Option<i64>,
    }

    // Both fields are required: the struct is made only with both.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Area {
        width: i64,
        height: i64,
    }

    type Steps = (Option<i64>, Option<i64>);

    fn up((level, step): (i64, Option<i64>)) -> Steps {
        (Some(level), step)
    }

    fn down((level, step): Steps) -> (i64, Option<i64>) {
        (level.unwrap_or_default(), step)
    }

    fn sides(size: Option<String>) -> Result<(i64, i64), ConvertError> {
        let size = size.unwrap_or_default();
        let (width, height) = size.split_once('x').ok_or("it has no `x`")?;
        Ok((width.parse()?, height.parse()?))
    }

    #[expect(clippy::unnecessary_wraps, reason = "the field is an `Option`")]
    fn size((width, height): (i64, i64)) -> Option<String> {
        Some(format!("{width}x{height}"))
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "links", scope = "Namespaced"))]
enum Link {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

crd_conv::laws!(Link);

fn object(version: &str, metadata: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Link","metadata":{metadata},"spec":{spec}}}"#
    )
}

#[track_caller]
fn convert(object: &str, to: &str) -> Converted {
    let converted = ResourceType::of::<Link>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}"))
}

/// Converts an object to the other version and back. Nothing is lost.
#[track_caller]
fn there_and_back(from: &str, spec: &str, [metadata, other]: [&str; 2]) {
    let to = if from == "v1" { "v2" } else { "v1" };
    let before = object(from, "{}", spec);
    let there = convert(&before, to).json;
    assert_eq!(there, object(to, metadata, other));
    let back = convert(&there, from);
    assert_eq!(back.json, before);
    assert!(back.unrestored.is_empty());
}

/// The metadata with an annotation.
fn kept(key: &str, entry: &str) -> String {
    let entry = format!(
        r#"{{"format":1,"peer":"{}",{entry}}}"#,
        if key.starts_with("v1") { "v2" } else { "v1" }
    );
    let entry = entry.replace('"', "\\\"");
    format!(r#"{{"annotations":{{"conversion.example.com/{key}":"{entry}"}}}}"#)
}

#[test]
fn a_complete_group_moves() {
    let newer = r#"{"login":{"name":"me"},"server":{"name":"a"},"scale":{"level":1}}"#;
    let older = r#"{"user":"me","host":"a","level":1}"#;
    there_and_back("v1", older, ["{}", newer]);
    there_and_back(
        "v2",
        r#"{"area":{"width":2,"height":3}}"#,
        ["{}", r#"{"level":0,"size":"2x3"}"#],
    );
}

#[test]
fn a_group_that_changes_is_kept_as_a_whole() {
    let entry = kept(
        "v1.spec.user",
        r#""keep":{"user":"me","host":"A"},"guard":{"login.name":"me","server.name":"a"}"#,
    );
    let older = object("v1", "{}", r#"{"user":"me","host":"A","level":0}"#);
    let there = convert(&older, "v2").json;
    assert_eq!(there, object("v2", &entry, r#"{"login":{"name":"me"},"server":{"name":"a"}}"#));
    assert_eq!(convert(&there, "v1").json, older);

    for (what, with, spec) in [
        (r#":"a"}"#, r#":"b"}"#, r#"{"user":"me","host":"b","level":0}"#),
        // An incomplete group has no place in the older version.
        (r#","server":{"name":"a"}"#, "", r#"{"level":0}"#),
        (r#"{"login":{"name":"me"},"server":{"name":"a"}}"#, "{}", r#"{"level":0}"#),
    ] {
        let edited = there.replacen(what, with, 1);
        assert_ne!(edited, there);
        let back = convert(&edited, "v1");
        assert!(back.json.ends_with(&format!(r#""spec":{spec}}}"#)), "{}", back.json);
        assert_eq!(back.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::Edited, 1)]);
        let again = convert(&back.json, "v2").json;
        let spec = |object: &str| object.split_once(r#""spec":"#).map(|(_, spec)| spec.to_owned());
        assert_eq!(spec(&again), spec(&edited));
    }
}

#[test]
fn an_incomplete_group_stays() {
    let entry = kept("v1.spec.user", r#""keep":{"user":"me"}"#);
    there_and_back("v1", r#"{"user":"me","level":0}"#, [&entry, "{}"]);
    let entry = kept("v2.spec.server", r#""keep":{"server":{"name":"a"}}"#);
    there_and_back("v2", r#"{"server":{"name":"a"}}"#, [&entry, r#"{"level":0}"#]);
}

#[test]
fn an_empty_group_needs_no_entry() {
    there_and_back("v1", r#"{"level":0}"#, ["{}", "{}"]);
    there_and_back("v2", "{}", ["{}", r#"{"level":0}"#]);
}

/// An older object with only the default doesn't move. So this value is kept, although the converter
/// would return it.
#[test]
fn a_group_that_arrives_as_a_default_is_kept() {
    let entry = kept("v2.spec.scale.level", r#""keep":{"scale.level":0},"guard":{"level":0}"#);
    there_and_back("v2", r#"{"scale":{"level":0}}"#, [&entry, r#"{"level":0}"#]);
}

#[test]
fn a_refused_group_stays() {
    let entry = kept("v1.spec.size", r#""keep":{"size":"large"}"#);
    there_and_back("v1", r#"{"level":0,"size":"large"}"#, [&entry, "{}"]);
}

/// The older version shows nothing of an incomplete group. Once it has values of its own, they are
/// the group's, and nothing of the other values is left.
#[test]
fn a_group_replaces_what_an_entry_keeps() {
    let newer = object("v2", "{}", r#"{"scale":{"step":4}}"#);
    let older = convert(&newer, "v1").json;
    assert!(older.ends_with(r#""spec":{"level":0,"step":4}}"#), "{older}");
    let newer = object("v2", "{}", r#"{"server":{"name":"a","note":"old"}}"#);
    let older = convert(&newer, "v1").json;
    let edited = older.replace(r#""spec":{"#, r#""spec":{"user":"me","host":"b","#);
    let back = convert(&edited, "v2");
    let spec = r#"{"login":{"name":"me"},"server":{"note":"old","name":"b"}}"#;
    assert_eq!(back.json, object("v2", "{}", spec));
    assert_eq!(back.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::Edited, 1)]);
}

#[test]
fn an_explanation_has_one_row() {
    let hops = ResourceType::of::<Link>().explanation();
    let is_it = |paths: &[String]| paths.contains(&".spec.user".to_owned());
    let mut rows = hops[0].rows.iter().filter(|row| {
        is_it(&row.older.iter().map(|value| value.path.to_string()).collect::<Vec<_>>())
    });
    let (Some(row), None) = (rows.next(), rows.next()) else { panic!("{hops:?}") };
    let newer: Vec<_> = row.newer.iter().map(ToString::to_string).collect();
    assert_eq!(newer, [".spec.login.name: Option<String>", ".spec.server.name: Option<String>"]);
    assert!(matches!(row.mapping, Mapping::Converted { by: "Lowercase", .. }), "{row:?}");
    assert_eq!(
        row.annotations,
        [
            "conversion.example.com/v1.spec.user",
            "conversion.example.com/v1.spec.host",
            "conversion.example.com/v2.spec.login.name",
            "conversion.example.com/v2.spec.login",
            "conversion.example.com/v2.spec.server",
        ]
    );
}
