//! Fields that some versions fill in, or don't take null for, and others do: also where more than one step of the mapping
//! looks at them, and where the version that differs is in the middle.

use std::collections::BTreeMap;

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Versioned};
use crd_conv_tests::carried::essence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        twice: Option<i64>,
        between: Option<i64>,
        strict: Option<i64>,
        #[versioned(nullable = false)]
        loose: Option<i64>,
        size: Option<String>,
        both: Option<String>,
        kind: Option<Kind>,
        source: Option<Source>,
        #[serde(default)]
        items: Vec<Item>,
        #[serde(default)]
        pools: BTreeMap<String, Item>,
        early: Option<i64>,
        late: Option<i64>,
        checks: Option<Checks>,
        limits: Option<Checks>,
        mode: Option<Mode>,
        #[serde(default)]
        modes: BTreeMap<String, Held>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Mode {
        Auto,
        Off,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Held {
        mode: Option<Mode>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Kind {
        A,
        B,
        C,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    pub(super) enum Source {
        Empty,
        Git { url: Option<String> },
        Http { url: Option<String>, depth: Option<i64> },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Item {
        weight: Option<i64>,
        source: Option<Source>,
        name: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Checks {
        url: Option<String>,
    }
}

mod v1alpha2 {
    use super::*;

    const EMPTY: Checks = Checks { url: None, time: None };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1alpha1::Spec,
        moved(early => checks.time, late => limits.time),
    )]
    pub(super) struct Spec {
        #[versioned(default = 5)]
        twice: Option<i64>,
        #[versioned(default = 5)]
        between: Option<i64>,
        #[versioned(nullable = false)]
        strict: Option<i64>,
        #[versioned(nullable)]
        loose: Option<i64>,
        #[versioned(renamed_from = size, nullable = false, default = "x")]
        length: Option<String>,
        #[versioned(default = "y")]
        both: Option<String>,
        #[versioned(default = Kind::B)]
        kind: Option<Kind>,
        #[versioned(nullable = false)]
        source: Option<Source>,
        #[serde(default)]
        items: Vec<Item>,
        #[serde(default)]
        pools: BTreeMap<String, Item>,
        #[versioned(nullable = false)]
        checks: Option<Checks>,
        #[versioned(default = EMPTY)]
        limits: Option<Checks>,
        #[versioned(default = Mode::Auto)]
        mode: Option<Mode>,
        #[serde(default)]
        modes: BTreeMap<String, Held>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Mode)]
    pub(super) enum Mode {
        Auto,
        Off,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Held)]
    pub(super) struct Held {
        #[versioned(default = Mode::Auto)]
        mode: Option<Mode>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Kind, removed(C = A))]
    pub(super) enum Kind {
        A,
        B,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    #[versioned(from = super::v1alpha1::Source, removed(Http = Git))]
    pub(super) enum Source {
        Empty,
        Git { url: Option<String> },
    }

    #[expect(clippy::unnecessary_wraps, reason = "serde wants the field's type")]
    fn git() -> Option<Source> {
        Some(Source::Git { url: Some("u".to_owned()) })
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Item)]
    pub(super) struct Item {
        #[versioned(default = 4)]
        weight: Option<i64>,
        #[serde(default = "git")]
        source: Option<Source>,
        name: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Checks)]
    pub(super) struct Checks {
        url: Option<String>,
        #[versioned(added)]
        time: Option<i64>,
    }
}

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Spec)]
    pub(super) struct Spec {
        #[versioned(default = 7)]
        twice: Option<i64>,
        between: Option<i64>,
        strict: Option<i64>,
        #[versioned(default = 3, nullable = false)]
        loose: Option<i64>,
        #[versioned(renamed_from = length)]
        size: Option<String>,
        #[versioned(nullable = false)]
        both: Option<String>,
        kind: Option<super::v1alpha2::Kind>,
        source: Option<super::v1alpha2::Source>,
        #[serde(default)]
        items: Vec<super::v1alpha2::Item>,
        #[serde(default)]
        pools: BTreeMap<String, super::v1alpha2::Item>,
        checks: Option<super::v1alpha2::Checks>,
        limits: Option<super::v1alpha2::Checks>,
        #[versioned(default = Mode::Auto)]
        mode: Option<Mode>,
        #[serde(default)]
        modes: BTreeMap<String, Held>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Mode)]
    pub(super) enum Mode {
        Auto,
        Off,
        #[versioned(added(shown_as = Auto))]
        Slow,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Held)]
    pub(super) struct Held {
        #[versioned(default = Mode::Auto)]
        mode: Option<Mode>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec)]
    pub(super) struct Spec {
        twice: Option<i64>,
        #[versioned(default = 7, nullable = false)]
        between: Option<i64>,
        #[versioned(nullable = false)]
        strict: Option<i64>,
        loose: Option<i64>,
        #[versioned(default = "x")]
        size: Option<String>,
        both: Option<String>,
        kind: Option<super::v1alpha2::Kind>,
        source: Option<super::v1alpha2::Source>,
        #[serde(default)]
        items: Vec<super::v1alpha2::Item>,
        #[serde(default)]
        pools: BTreeMap<String, super::v1alpha2::Item>,
        checks: Option<super::v1alpha2::Checks>,
        limits: Option<super::v1alpha2::Checks>,
        #[versioned(default = Mode::Auto)]
        mode: Option<Mode>,
        #[serde(default)]
        modes: BTreeMap<String, Held>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Mode)]
    pub(super) enum Mode {
        Auto,
        Off,
        Slow,
        #[versioned(added(shown_as = Auto))]
        Fast,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Held)]
    pub(super) struct Held {
        #[versioned(default = Mode::Auto)]
        mode: Option<Mode>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "buoys", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Buoy {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    V1alpha2 {
        spec: v1alpha2::Spec,
    },
    #[versioned(storage)]
    V1beta1 {
        spec: v1beta1::Spec,
    },
    V1 {
        spec: v1::Spec,
    },
}

crd_conv::laws!(Buoy);

fn convert(object: &str, to: &str) -> String {
    let converted = ResourceType::of::<Buoy>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Buoy","metadata":{{}},"spec":{spec}}}"#
    )
}

/// What the object is in the other version; on the way back it is the same, and nothing is left over.
#[track_caller]
fn there_and_back(from: &str, to: &str, spec: &str) -> Tree {
    let object = object(from, spec);
    let there = convert(&object, to);
    let back = Tree::read(&convert(&there, from));
    assert_eq!(back, Tree::read(&object), "by way of {there}");
    Tree::read(&there)
}

#[track_caller]
fn shows(there: &Tree, spec: &str) {
    let Tree::Object(shown) = Tree::read(spec) else { panic!("{spec}") };
    for (name, value) in shown {
        assert_eq!(there.at(&["spec", &name]), Some(&value), "{name} in {}", there.write());
    }
}

#[test]
fn what_a_version_fills_in_is_shown_at_once() {
    shows(
        &there_and_back("v1alpha1", "v1alpha2", r#"{"items":[]}"#),
        r#"{"twice":5,"between":5,"length":"x","both":"y","kind":"B","limits":{}}"#,
    );
    let there = there_and_back("v1alpha1", "v1alpha2", r#"{"size":null,"strict":null}"#);
    shows(&there, r#"{"length":"x"}"#);
    assert_eq!(there.at(&["spec", "strict"]), None);
}

/// What the middle fills in is no other version's own, and not lost where the next one fills in something else.
#[test]
fn the_middle_differs() {
    for to in ["v1alpha2", "v1beta1", "v1"] {
        there_and_back("v1alpha1", to, r#"{"strict":null,"size":null}"#);
        there_and_back("v1alpha1", to, r#"{"twice":7,"between":5,"size":"x"}"#);
    }
    shows(&there_and_back("v1alpha1", "v1beta1", "{}"), r#"{"twice":5,"between":5}"#);
    let absent = r#"{"twice":1,"between":7,"size":"x","mode":"Auto"}"#;
    for from in ["v1alpha1", "v1alpha2", "v1beta1"] {
        let back = convert(&convert(&object("v1", absent), from), "v1");
        assert_eq!(essence(&back), essence(&object("v1", absent)), "by way of {from}");
    }
}

/// The version that fills the field in takes null, and the other one doesn't.
#[test]
fn one_hop_keeps_and_restores() {
    let filled = r#""twice":1,"between":2,"length":"x","kind":"B","limits":{}"#;
    let there = there_and_back("v1alpha2", "v1beta1", &format!(r#"{{"both":null,{filled}}}"#));
    assert_eq!(there.at(&["spec", "both"]), None);
    let there = there_and_back("v1beta1", "v1alpha2", r#"{"twice":1,"loose":2}"#);
    shows(&there, r#"{"both":"y"}"#);
}

/// The field's entry and that of the enum's value in it have the same name.
#[test]
fn an_enum_is_shown_as_another_value_and_has_a_default() {
    for kind in ["A", "B", "C"] {
        there_and_back("v1alpha1", "v1alpha2", &format!(r#"{{"kind":"{kind}"}}"#));
    }
    shows(&there_and_back("v1alpha1", "v1", r#"{"kind":"C"}"#), r#"{"kind":"A"}"#);
    for source in [r#"{"type":"Http","url":"a","depth":1}"#, "null"] {
        there_and_back("v1alpha1", "v1alpha2", &format!(r#"{{"source":{source}}}"#));
        there_and_back("v1alpha1", "v1", &format!(r#"{{"items":[{{"source":{source}}}]}}"#));
    }
}

/// What the middle fills in is the same that it shows of a variant of a newer version.
#[test]
fn a_variant_that_is_shown_as_the_default_is_gone_when_a_client_takes_the_field_away() {
    for (newer, variant) in [("v1beta1", "Slow"), ("v1", "Slow"), ("v1", "Fast")] {
        let mode = format!(r#""mode":"{variant}""#);
        let spec = format!(r#"{{{mode},"modes":{{"a":{{{mode}}},"b":{{{mode}}}}}}}"#);
        let there = convert(&object(newer, &spec), "v1alpha1");
        let auto = r#""mode":"Auto""#;
        assert_eq!(there.matches(auto).count(), 3, "{there}");
        let edited = there.replace(&format!("{auto},"), "").replacen(auto, "", 1);
        assert_eq!(edited.matches(auto).count(), 1, "{edited}");
        let back = convert(&edited, newer);
        let spec = format!(r#"{{{auto},"modes":{{"a":{{{auto}}},"b":{{{mode}}}}}}}"#);
        shows(&Tree::read(&back), &spec);
        let again = convert(&back, "v1alpha1");
        assert_eq!(essence(&again), essence(&edited), "by way of {back}");
    }
}

/// The older version shows the default in its place, and not that there is nothing.
#[test]
fn a_variant_that_is_shown_as_the_default_is_there_where_nothing_was() {
    for (newer, variant) in [("v1beta1", "Slow"), ("v1", "Slow"), ("v1", "Fast")] {
        let there = convert(&object("v1alpha1", r#"{"modes":{"a":{}}}"#), newer);
        let (auto, mode) = (r#""mode":"Auto""#, format!(r#""mode":"{variant}""#));
        assert_eq!(there.matches(auto).count(), 2, "{there}");
        let edited = there.replace(auto, &mode);
        let back = convert(&edited, "v1alpha1");
        assert_eq!(back.matches(auto).count(), 2, "{back}");
        assert_eq!(essence(&convert(&back, newer)), essence(&edited), "by way of {back}");
    }
}

/// The field's entry and that of a struct into which a value moves have the same name, too.
#[test]
fn values_move_into_a_struct_with_a_default() {
    for to in ["v1alpha2", "v1"] {
        for checks in ["", r#","checks":{}"#, r#","checks":null"#, r#","checks":{"url":"u"}"#] {
            there_and_back("v1alpha1", to, &format!(r#"{{"early":0{checks}}}"#));
        }
        for limits in ["", r#","limits":{}"#, r#","limits":null"#, r#","limits":{"url":"u"}"#] {
            there_and_back("v1alpha1", to, &format!(r#"{{"late":0{limits}}}"#));
        }
    }
}

/// A client may write a map in any order, but the API server writes it in that of its keys.
#[test]
fn entries_of_a_map_have_the_order_of_its_keys() {
    let spec = r#"{"pools":{"b":{},"a b":{},"a":{},"a\"":{}}}"#;
    let there = Tree::read(&convert(&object("v1alpha1", spec), "v1alpha2"));
    let key = "conversion.example.com/v1alpha1.spec.pools.weight";
    let Some(Tree::Text(entries)) = there.at(&["metadata", "annotations", key]) else {
        panic!("{}", there.write())
    };
    let places: Vec<usize> = [r#"["a"]"#, r#"["a b"]"#, r#"["a\""]"#, r#"["b"]"#]
        .iter()
        .map(|place| entries.find(place).unwrap_or_else(|| panic!("{place} in {entries}")))
        .collect();
    assert!(places.is_sorted(), "{entries}");
    there_and_back("v1alpha1", "v1", spec);
}

/// A hash stands for places that are too long to be written, and doesn't say what comes first.
#[test]
fn entries_of_a_map_have_an_order_with_long_keys_among_them() {
    let mut pools: Vec<String> = (0..64)
        .map(|nth| {
            let name = format!("{:02}", nth * 37 % 64);
            let key = if nth % 3 == 0 { name + &"x".repeat(300) } else { name };
            format!(r#""{key}":{{}}"#)
        })
        .collect();
    let mut kept = || {
        pools.rotate_left(23);
        let spec = format!(r#"{{"pools":{{{}}}}}"#, pools.join(","));
        there_and_back("v1alpha1", "v1alpha2", &spec);
        let there = Tree::read(&convert(&object("v1alpha1", &spec), "v1alpha2"));
        let entries = there.at(&["metadata", "annotations"]).expect("entries").write();
        assert_eq!(entries.matches(r#"{\"in\":"#).count(), 44, "{entries}");
        entries
    };
    let first = kept();
    assert_eq!(first, kept());
    assert_eq!(first, kept());
}
