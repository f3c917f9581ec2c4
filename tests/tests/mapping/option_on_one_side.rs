//! Fields that are an `Option` in some versions, and have a default in the others.

use std::collections::BTreeMap;

use crd_conv::testing::Tree;
use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        retries: Option<i64>,
        #[versioned(default = 3)]
        limit: i64,
        #[versioned(nullable = false)]
        text: Option<String>,
        mode: Option<Mode>,
        #[versioned(default = Mode::Auto)]
        other: Mode,
        budget: Option<Budget>,
        #[serde(default)]
        reserve: Budget,
        #[serde(default)]
        items: Vec<Item>,
        #[serde(default)]
        pools: BTreeMap<String, Item>,
        late: Option<i64>,
        list: Option<Vec<Mode>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Mode {
        Auto,
        Off,
        Manual,
    }

    #[derive(Default, Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Budget {
        #[serde(default)]
        nodes: i64,
        after: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Item {
        weight: Option<i64>,
        #[versioned(default = "n")]
        name: String,
        budget: Option<Budget>,
        #[serde(default)]
        reserve: Budget,
    }
}

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Spec, moved(late => budget.time))]
    pub(super) struct Spec {
        #[versioned(default = 5)]
        retries: i64,
        limit: Option<i64>,
        #[versioned(renamed_from = text)]
        #[serde(default)]
        words: String,
        #[versioned(default = Mode::Automatic)]
        mode: Mode,
        other: Option<Mode>,
        #[serde(default)]
        budget: Budget,
        #[versioned(nullable = false)]
        reserve: Option<Budget>,
        #[serde(default)]
        items: Vec<Item>,
        #[serde(default)]
        pools: BTreeMap<String, Item>,
        #[serde(default)]
        list: Vec<Mode>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Mode, removed(Manual = Off))]
    pub(super) enum Mode {
        #[versioned(renamed_from = Auto)]
        Automatic,
        Off,
    }

    #[derive(Default, Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Budget)]
    pub(super) struct Budget {
        #[versioned(renamed_from = nodes)]
        #[serde(default)]
        pub(super) machines: i64,
        pub(super) after: Option<String>,
        #[versioned(added)]
        pub(super) time: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Item)]
    pub(super) struct Item {
        #[versioned(default = 4)]
        weight: i64,
        name: Option<String>,
        #[serde(default)]
        budget: Budget,
        reserve: Option<Budget>,
    }
}

mod v1 {
    use super::v1beta1::Budget;
    use super::*;

    const BUDGET: Budget = Budget { machines: 2, after: None, time: None };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec)]
    pub(super) struct Spec {
        retries: Option<i64>,
        #[versioned(default = 7)]
        limit: i64,
        words: Option<String>,
        mode: Option<super::v1beta1::Mode>,
        #[versioned(default = super::v1beta1::Mode::Off)]
        other: super::v1beta1::Mode,
        #[versioned(nullable = false)]
        budget: Option<Budget>,
        #[versioned(default = BUDGET)]
        reserve: Budget,
        #[serde(default)]
        items: Vec<Item>,
        #[serde(default)]
        pools: BTreeMap<String, Item>,
        list: Option<Vec<super::v1beta1::Mode>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Item)]
    pub(super) struct Item {
        weight: Option<i64>,
        #[versioned(default = "m")]
        name: String,
        budget: Option<Budget>,
        #[serde(default)]
        reserve: Budget,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "ferries", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Ferry {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

crd_conv::laws!(Ferry);

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Ferry","metadata":{{}},"spec":{spec}}}"#
    )
}

fn convert(object: &str, to: &str) -> String {
    let converted = ResourceType::of::<Ferry>().convert(object.as_bytes(), to);
    converted.unwrap_or_else(|error| panic!("{error}: {object}")).json
}

#[test]
fn the_default_is_shown_and_nothing_comes_back() {
    let nothing = object("v1alpha1", r#"{"limit":3,"other":"Auto","reserve":{"nodes":0}}"#);
    let there = convert(&nothing, "v1beta1");
    let shown = Tree::read(&there);
    for (name, value) in [
        ("retries", "5"),
        ("limit", "3"),
        ("words", r#""""#),
        ("mode", r#""Automatic""#),
        ("other", r#""Automatic""#),
        ("budget", r#"{"machines":0}"#),
        ("reserve", r#"{"machines":0}"#),
        ("list", "[]"),
    ] {
        assert_eq!(shown.at(&["spec", name]), Some(&Tree::read(value)), "{name} in {there}");
    }
    assert_eq!(Tree::read(&convert(&there, "v1alpha1")), Tree::read(&nothing));
}

#[test]
fn what_a_client_writes_of_it_wins() {
    let nothing = object("v1alpha1", r#"{"limit":3,"other":"Auto","reserve":{"nodes":0}}"#);
    let there = convert(&nothing, "v1beta1");
    let edited = there.replace(r#""retries":5"#, r#""retries":6"#);
    assert_ne!(edited, there);
    let back = Tree::read(&convert(&edited, "v1alpha1"));
    assert_eq!(back.at(&["spec", "retries"]), Some(&Tree::read("6")));
    assert_eq!(back.at(&["spec", "budget"]), None);
}
