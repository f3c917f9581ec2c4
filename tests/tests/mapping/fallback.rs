//! What stands in the place of what a converter refuses, and what a converter is told of what stood there before an edit.

use crd_conv::{ConvertError, Converter, ResourceType, Versioned, testing::Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `host:port`, which refuses what has no colon and what would have two.
struct HostPort;

impl Converter<String, (String, Option<i64>)> for HostPort {
    fn upgrade(&self, older: String) -> Result<(String, Option<i64>), ConvertError> {
        let (host, port) = older.split_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), Some(port.parse()?)))
    }

    fn downgrade(&self, (host, port): (String, Option<i64>)) -> Result<String, ConvertError> {
        if host.contains(':') {
            return Err("a host has no colon".into());
        }
        Ok(format!("{host}:{}", port.ok_or("no port")?))
    }
}

/// The first of several, and the others after an edit of it.
struct First;

impl Converter<String, Vec<String>> for First {
    fn upgrade(&self, older: String) -> Result<Vec<String>, ConvertError> {
        Ok(vec![older])
    }

    fn downgrade(&self, newer: Vec<String>) -> Result<String, ConvertError> {
        newer.into_iter().next().ok_or_else(|| "an empty list".into())
    }

    fn upgrade_edited(
        &self,
        older: String,
        before: Vec<String>,
    ) -> Result<Vec<String>, ConvertError> {
        Ok(std::iter::once(older).chain(before.into_iter().skip(1)).collect())
    }
}

struct Last;

impl Converter<Vec<String>, String> for Last {
    fn upgrade(&self, older: Vec<String>) -> Result<String, ConvertError> {
        older.into_iter().next_back().ok_or_else(|| "an empty list".into())
    }

    fn downgrade(&self, newer: String) -> Result<Vec<String>, ConvertError> {
        Ok(vec![newer])
    }

    fn downgrade_edited(
        &self,
        newer: String,
        mut before: Vec<String>,
    ) -> Result<Vec<String>, ConvertError> {
        before.pop();
        before.push(newer);
        Ok(before)
    }
}

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        pub(super) endpoint: String,
        pub(super) size: String,
        pub(super) owner: Option<String>,
        pub(super) words: Vec<String>,
    }
}

mod v1 {
    use super::*;

    const NOWHERE: &str = "nowhere";

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::Spec,
        map(
            endpoint <=> (host, port),
            with = HostPort,
            fallback(upgrade = (NOWHERE, _), downgrade = "unknown:0"),
        ),
    )]
    pub(super) struct Spec {
        pub(super) host: String,
        pub(super) port: Option<i64>,
        #[versioned(with(upgrade = number, downgrade = text), fallback(upgrade = -1))]
        pub(super) size: i64,
        #[versioned(renamed_from = owner, with = First)]
        pub(super) owners: Option<Vec<String>>,
        #[versioned(renamed_from = words, with = Last, fallback(upgrade = ""))]
        pub(super) word: String,
    }

    #[expect(clippy::needless_pass_by_value, reason = "a conversion takes the field's type")]
    fn number(text: String) -> Result<i64, ConvertError> {
        Ok(text.parse()?)
    }

    fn text(number: i64) -> String {
        number.to_string()
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
enum Gadget {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Gadget","metadata":{{"name":"a"}},"spec":{spec}}}"#
    )
}

fn convert(object: &str, to: &str) -> String {
    let converted = ResourceType::of::<Gadget>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

fn spec(object: &str) -> String {
    Tree::read(object).at(&["spec"]).expect("a spec").write()
}

fn edited(object: &str, name: &str, value: &str) -> String {
    let mut tree = Tree::read(object);
    let members = tree.at_mut(&["spec"]).and_then(Tree::members_mut).expect("a spec");
    members.insert(name.to_owned(), Tree::read(value));
    tree.write()
}

#[test]
fn what_is_refused_shows_the_fallback_and_comes_back() {
    let there_and_back = |from: &str, to: &str, old: &str, new: &str| {
        let old = object(from, old);
        let there = convert(&old, to);
        assert_eq!(spec(&there), new);
        let back = convert(&there, from);
        assert_eq!(Tree::read(&back), Tree::read(&old));
    };
    for endpoint in ["nothing", "a:b:c", ""] {
        let old = format!(r#"{{"endpoint":"{endpoint}"}}"#);
        there_and_back("v1beta1", "v1", &old, r#"{"host":"nowhere"}"#);
    }
    there_and_back("v1beta1", "v1", r#"{"size":"many"}"#, r#"{"size":-1}"#);
    there_and_back("v1beta1", "v1", r#"{"words":[]}"#, r#"{"word":""}"#);
    for new in [r#"{"host":"a:b","port":1}"#, r#"{"host":"a"}"#] {
        there_and_back("v1", "v1beta1", new, r#"{"endpoint":"unknown:0"}"#);
    }
}

/// An entry gives a field only what is of its type in JSON, whoever has written the entry.
#[test]
fn what_is_of_no_type_of_the_field_shows_the_fallback_and_is_counted() {
    let gadgets = ResourceType::of::<Gadget>();
    for (from, to, old, new) in [
        ("v1beta1", "v1", r#"{"endpoint":7}"#, r#"{"host":"nowhere"}"#),
        ("v1", "v1beta1", r#"{"host":"a","port":"x"}"#, r#"{"endpoint":"unknown:0"}"#),
    ] {
        let there = convert(&object(from, old), to);
        assert_eq!(spec(&there), new);
        let back = gadgets.convert(there.as_bytes(), from).expect("it converts");
        assert_eq!(back.unrestored.count(crd_conv::UnrestoredReason::Mistyped), 1);
    }
}

#[test]
fn an_edit_of_the_fallback_wins() {
    let there = convert(&object("v1beta1", r#"{"endpoint":"nothing","size":"many"}"#), "v1");
    let there = edited(&there, "host", r#""a""#);
    let there = edited(&there, "port", "80");
    let back = convert(&there, "v1beta1");
    assert_eq!(spec(&back), r#"{"endpoint":"a:80","size":"many"}"#);
    let back = convert(&edited(&there, "size", "3"), "v1beta1");
    assert_eq!(spec(&back), r#"{"endpoint":"a:80","size":"3"}"#);

    let there = convert(&object("v1", r#"{"host":"a:b","port":1}"#), "v1beta1");
    let back = convert(&edited(&there, "endpoint", r#""c:2""#), "v1");
    assert_eq!(spec(&back), r#"{"host":"c","port":2}"#);
}

#[test]
fn an_edit_that_is_refused_shows_the_other_fallback() {
    let there = convert(&object("v1beta1", r#"{"endpoint":"nothing"}"#), "v1");
    let there = edited(&there, "host", r#""a:b""#);
    let back = convert(&there, "v1beta1");
    assert_eq!(spec(&back), r#"{"endpoint":"unknown:0"}"#);
    assert_eq!(spec(&convert(&back, "v1")), spec(&there));
}

#[test]
fn without_a_fallback_of_its_direction_a_refusal_fails() {
    let new = object("v1", r#"{"owners":[]}"#);
    let error =
        ResourceType::of::<Gadget>().convert(new.as_bytes(), "v1beta1").expect_err("refused");
    assert!(error.to_string().contains("an empty list"), "{error}");
    assert!(error.to_string().contains("spec.owners"), "{error}");
}

#[test]
fn an_edit_is_merged_with_what_was_kept() {
    let new = object("v1", r#"{"owners":["a","b","c"]}"#);
    let old = convert(&new, "v1beta1");
    assert_eq!(spec(&old), r#"{"owner":"a"}"#);
    assert_eq!(Tree::read(&convert(&old, "v1")), Tree::read(&new));
    let back = convert(&edited(&old, "owner", r#""x""#), "v1");
    assert_eq!(spec(&back), r#"{"owners":["x","b","c"]}"#);
    // Edited again in the older version, the others are still there.
    let again = convert(&edited(&convert(&back, "v1beta1"), "owner", r#""y""#), "v1");
    assert_eq!(spec(&again), r#"{"owners":["y","b","c"]}"#);

    let old = object("v1beta1", r#"{"words":["a","b"]}"#);
    let new = convert(&old, "v1");
    assert_eq!(spec(&new), r#"{"word":"b"}"#);
    let back = convert(&edited(&new, "word", r#""x""#), "v1beta1");
    assert_eq!(spec(&back), r#"{"words":["a","x"]}"#);
}

#[test]
fn what_was_kept_of_another_type_counts_for_nothing() {
    let old = convert(&object("v1", r#"{"owners":["a","b"]}"#), "v1beta1");
    let old = edited(&old, "owner", r#""x""#);
    // Of the right type in JSON, so that the entry is taken, but not of the converter's.
    let forged = old.replace(r#"[\"a\",\"b\"]"#, "[1,2]");
    assert_ne!(forged, old, "invalid test case");
    assert_eq!(spec(&convert(&forged, "v1")), r#"{"owners":["x"]}"#);
    // Deleted: nothing comes back.
    let deleted = old.replace(r#""owner":"x""#, r#""size":"1""#);
    assert_eq!(spec(&convert(&deleted, "v1")), r#"{"size":1}"#);
}

mod absent {
    use super::*;
    use crd_conv::with::AbsentIs;

    pub(super) mod v1beta1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            replicas: Option<i64>,
            owner: Option<String>,
            other: Option<String>,
        }
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::Spec)]
    pub(super) struct Spec {
        #[versioned(with = AbsentIs(3))]
        replicas: i64,
        #[versioned(with(upgrade = required, downgrade = Some))]
        owner: String,
        other: Option<String>,
    }

    fn required(owner: Option<String>) -> Result<String, ConvertError> {
        owner.ok_or_else(|| "an owner is required".into())
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
    pub(super) enum Gadget {
        V1beta1 {
            spec: v1beta1::Spec,
        },
        #[versioned(storage)]
        V1 {
            spec: Spec,
        },
    }
}

/// What absent means is written in the version that can't leave the field out; a refusal leaves it away.
#[test]
fn what_absent_means_is_written() {
    let gadgets = ResourceType::of::<absent::Gadget>();
    let convert = |object: &str, to: &str| {
        let converted = gadgets.convert(object.as_bytes(), to);
        converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
    };
    for (old, new) in [
        ("{}", r#"{"replicas":3}"#),
        (r#"{"replicas":3}"#, r#"{"replicas":3}"#),
        (r#"{"replicas":null}"#, r#"{"replicas":3}"#),
        (r#"{"replicas":5,"owner":"a"}"#, r#"{"owner":"a","replicas":5}"#),
    ] {
        let old = object("v1beta1", old);
        let there = convert(&old, "v1");
        assert_eq!(spec(&there), new);
        assert_eq!(Tree::read(&convert(&there, "v1beta1")), Tree::read(&old));
    }
    // Part of an object of the newer version stays what it is.
    let part = object("v1", r#"{"owner":"a"}"#);
    let there = convert(&part, "v1beta1");
    assert_eq!(Tree::read(&convert(&there, "v1")), Tree::read(&part));
    // A deletion says what absent means.
    let old = convert(&object("v1", r#"{"replicas":5}"#), "v1beta1");
    assert_eq!(
        spec(&convert(&old.replace(r#""replicas":5"#, r#""other":"a""#), "v1")),
        r#"{"other":"a","replicas":3}"#
    );
}
