//! Defaults that are declared, as the API server fills them in between two hops.

use std::sync::LazyLock;

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Versioned};
use crd_conv_tests::served::Server;
use proptest::{prelude::*, sample::select};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        /// Filled in later.
        late: Option<i64>,
        /// Filled in here alone.
        #[versioned(default = 3)]
        early: Option<i64>,
        /// Filled in later, and renamed.
        old: Option<String>,
        #[versioned(nullable = false, default = 5)]
        gone: Option<i64>,
        #[versioned(default = 8)]
        dropped: i64,
        pool: Option<Pool>,
        #[versioned(list_map_keys(id))]
        pools: Vec<Pool>,
        note: Option<String>,
        text: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pool {
        id: i64,
        size: Option<i64>,
    }
}

mod v1 {
    use super::*;

    const POOL: Pool = Pool { id: 0, size: Some(1), kind: None };

    #[expect(clippy::unnecessary_wraps, reason = "serde wants the field's type")]
    fn small() -> Option<i64> {
        Some(4)
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1alpha1::Spec,
        removed(gone, dropped),
        map(note <=> words, with(upgrade = words, downgrade = note)),
    )]
    pub(super) struct Spec {
        #[versioned(default = 7)]
        late: Option<i64>,
        early: Option<i64>,
        #[versioned(renamed_from = old, nullable = false, default = "new")]
        new: Option<String>,
        #[versioned(added, default = 2)]
        come: Option<i64>,
        #[versioned(added, default = 4)]
        #[serde(default = "small")]
        arrived: Option<i64>,
        #[versioned(added, default = 9)]
        count: i64,
        #[versioned(default = POOL, nullable = false)]
        pool: Option<Pool>,
        #[versioned(list_map_keys(id))]
        pools: Vec<Pool>,
        #[versioned(default = 1)]
        words: Option<i64>,
        #[versioned(nullable = false)]
        text: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Pool)]
    pub(super) struct Pool {
        id: i64,
        #[versioned(default = 6)]
        size: Option<i64>,
        #[versioned(added, default = "wide")]
        kind: Option<String>,
    }

    fn words(note: Option<String>) -> Option<i64> {
        note.map(|note| note.len().try_into().unwrap_or_default())
    }

    fn note(words: Option<i64>) -> Option<String> {
        words.map(|words| "x".repeat(words.clamp(0, 9).try_into().unwrap_or_default()))
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
enum Gadget {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

const VERSIONS: [&str; 2] = ["v1alpha1", "v1"];

static SERVER: LazyLock<Server> =
    LazyLock::new(|| Server::of(&ResourceType::of::<Gadget>(), &VERSIONS));

/// An object of a version, each of whose fields is absent, null, has its default or another value.
fn object(version: usize) -> impl Strategy<Value = String> {
    let field = |name: &'static str, values: &'static [&'static str]| {
        select(values).prop_map(move |value| match value {
            "" => String::new(),
            value => format!("\"{name}\":{value}"),
        })
    };
    let object = |members: Vec<String>| {
        let members: Vec<_> = members.into_iter().filter(|member| !member.is_empty()).collect();
        format!("{{{}}}", members.join(","))
    };
    let pool = move |id: usize| {
        let kind = ["", "null", "\"wide\"", "\"x\""];
        let kind: &'static [&str] = if version == 0 { &[""] } else { Box::leak(Box::new(kind)) };
        (field("size", &["", "null", "6", "1"]), field("kind", kind))
            .prop_map(move |(size, kind)| object(vec![format!("\"id\":{id}"), size, kind]))
    };
    let number: &[&str] = &["", "null", "7", "3", "5", "8", "2", "4", "9"];
    let text: &[&str] = &["", "null", "\"new\"", "\"x\""];
    let names: [&[&str]; 2] = [
        &["late", "early", "gone", "dropped"],
        &["late", "early", "come", "arrived", "count", "words"],
    ];
    let texts: [&[&str]; 2] = [&["old", "note", "text"], &["new", "text"]];
    let numbers: Vec<_> = names[version].iter().map(|name| field(name, number)).collect();
    let texts: Vec<_> = texts[version].iter().map(|name| field(name, text)).collect();
    let one = prop_oneof![Just("null".to_owned()), pool(1)];
    let pools = (pool(2), pool(3)).prop_map(|(a, b)| vec![a, b]);
    (numbers, texts, prop::option::of(one), pools).prop_map(move |(numbers, texts, one, pools)| {
        let one = one.map(|one| format!("\"pool\":{one}")).unwrap_or_default();
        let pools = format!("\"pools\":[{}]", pools.join(","));
        let spec = object([numbers, texts, vec![one, pools]].concat());
        format!(
            r#"{{"kind":"Gadget","metadata":{{}},"apiVersion":"example.com/{}","spec":{spec}}}"#,
            VERSIONS[version]
        )
    })
}

fn convert(object: &str, to: usize) -> Result<String, TestCaseError> {
    let converted = ResourceType::of::<Gadget>().convert(object.as_bytes(), VERSIONS[to]);
    let converted = converted.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert!(converted.unrestored.is_empty(), "{:?}: {}", converted.unrestored, object);
    Ok(converted.json)
}

fn spec(object: &str) -> Tree {
    Tree::read(object).at(&["spec"]).cloned().expect("a spec")
}

/// An object and its version.
fn case() -> impl Strategy<Value = (String, usize)> {
    (0..2_usize).prop_flat_map(|version| (object(version), Just(version)))
}

/// What the server fills in anyway needs no entry.
#[test]
fn minimal() {
    let older = r#"{"kind":"Gadget","metadata":{},"apiVersion":"example.com/v1alpha1","spec":{"late":1,"old":"o","pool":{"id":1,"size":2},"note":"","text":"t","pools":[]}}"#;
    let there = convert(&SERVER.between(older, 0), 1).expect("it converts");
    let back = convert(&SERVER.between(&there, 1), 0).expect("it converts");
    assert_eq!(Tree::read(&back).at(&["metadata", "annotations"]), None, "{back}");
    assert_eq!(spec(&there).at(&["come"]), Some(&Tree::read("2")));
    assert_eq!(spec(&there).at(&["arrived"]), Some(&Tree::read("4")));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exact_return((object, from) in case()) {
        let there = convert(&object, 1 - from)?;
        let back = convert(&there, from)?;
        let seen = |object: &str| spec(&SERVER.between(object, from));
        prop_assert_eq!(seen(&back), seen(&object), "via {}", there);
    }

    #[test]
    fn exact_return_through_the_server((object, from) in case(), raw in any::<bool>()) {
        let to = 1 - from;
        let seen = |object: &str| SERVER.between(object, from);
        let start = if raw { object } else { seen(&object) };
        let there = SERVER.between(&convert(&start, to)?, to);
        let back = convert(&there, from)?;
        prop_assert_eq!(spec(&seen(&back)), spec(&seen(&start)), "via {}", there);
    }

    #[test]
    fn edits_win((object, from) in case(), (other, _) in case()) {
        let to = 1 - from;
        let there = SERVER.between(&convert(&object, to)?, to);
        let other = SERVER.between(&convert(&other, to)?, to);
        let mut edited = Tree::read(&there);
        edited.members_mut().expect("an object").insert("spec".to_owned(), spec(&other));
        let edited = edited.write();
        let back = ResourceType::of::<Gadget>().convert(edited.as_bytes(), VERSIONS[from]).expect("it converts");
        let back = SERVER.between(&back.json, from);
        let again = convert(&back, to)?;
        prop_assert_eq!(spec(&SERVER.between(&again, to)), spec(&edited), "via {}", back);
    }
}
