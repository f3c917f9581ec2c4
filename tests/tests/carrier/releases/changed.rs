//! A mapping that is another one in the next release.

use crd_conv::{ConvertError, Converter, UnrestoredReason, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Release, assert_same, assert_unrestored, carrier, object};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Spec {
        name: String,
        note: Option<String>,
        mode: Option<Mode>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum Mode {
        Fast,
        Slow,
        Odd,
    }
}

mod odd_is_slow {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Mode, removed(Odd = Slow))]
    pub(crate) enum Mode {
        Fast,
        Slow,
    }
}

mod odd_is_fast {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Mode, removed(Odd = Fast))]
    pub(crate) enum Mode {
        Fast,
        Slow,
    }
}

macro_rules! converter {
    ($name:ident, $older:ty, $newer:ty, $up:expr, $down:expr) => {
        struct $name;

        impl Converter<$older, $newer> for $name {
            fn upgrade(&self, older: $older) -> Result<$newer, ConvertError> {
                let convert: fn($older) -> $newer = $up;
                Ok(convert(older))
            }
            fn downgrade(&self, newer: $newer) -> Result<$older, ConvertError> {
                let convert: fn($newer) -> $older = $down;
                Ok(convert(newer))
            }
        }
    };
}

type Text = String;
type TextAndMore = (String, Option<String>);
type Texts = (String, String);

converter!(Lower, Text, Text, |name| name.to_lowercase(), |title| title);
converter!(Upper, Text, Text, |name| name.to_uppercase(), |title| title);
converter!(Split, Text, TextAndMore, |name| (name.to_lowercase(), Some("more".to_owned())), |(
    title,
    _,
)| {
    title
});
converter!(
    Both,
    TextAndMore,
    Text,
    |(name, note)| format!("{name}{}", note.unwrap_or_default()).to_lowercase(),
    |title| (title, None)
);
converter!(Tagged, Texts, Text, |(name, tag)| format!("{name}/{tag}").to_lowercase(), |title| {
    let (name, tag) = title.split_once('/').unwrap_or((&title, "none"));
    (name.to_owned(), tag.to_owned())
});

pub(super) mod lowered {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, map(name <=> title, with = super::Lower))]
    pub(crate) struct Spec {
        title: String,
        note: Option<String>,
        mode: Option<odd_is_slow::Mode>,
        #[versioned(added(value = 3))]
        retries: i64,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(crate) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: Spec,
        },
    }
}

pub(super) mod uppered {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, map(name <=> title, with = super::Upper))]
    pub(crate) struct Spec {
        title: String,
        note: Option<String>,
        mode: Option<odd_is_fast::Mode>,
        #[versioned(added(value = 5))]
        retries: i64,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(crate) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: Spec,
        },
    }
}

pub(super) mod kept {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(crate) struct Spec {
        #[versioned(renamed_from = name)]
        title: String,
        note: Option<String>,
        mode: Option<odd_is_slow::Mode>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(crate) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: Spec,
        },
    }
}

pub(super) mod more_there {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, map(name <=> (title, more), with = super::Split))]
    pub(crate) struct Spec {
        title: String,
        more: Option<String>,
        note: Option<String>,
        mode: Option<odd_is_slow::Mode>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(crate) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: Spec,
        },
    }
}

pub(super) mod added_there {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, map(name <=> title, with = super::Lower))]
    pub(crate) struct Spec {
        title: String,
        #[versioned(added)]
        more: Option<String>,
        note: Option<String>,
        mode: Option<odd_is_slow::Mode>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(crate) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: Spec,
        },
    }
}

pub(super) mod more_at_home {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec, map((name, note) <=> title, with = super::Both))]
    pub(crate) struct Spec {
        title: String,
        mode: Option<odd_is_slow::Mode>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
    pub(crate) enum Gate {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: Spec,
        },
    }
}

fn full() -> Value {
    object("v1", json!({ "name": "Ada", "note": "n", "mode": "Odd" }))
}

fn with_name(name: &str) -> Value {
    let mut object = full();
    object["spec"]["name"] = json!(name);
    object
}

/// What one release stored the other one gives back, and again after it has stored it itself.
fn comes_back(first: &Release, second: &Release, before: &Value) {
    for ((way, old), (_, new)) in first.ways().into_iter().zip(second.ways()) {
        let stored = old(before, "v2");
        let back = new(&stored, "v1");
        assert_same(&back["spec"], &before["spec"], way);
        // What the newer version shows doesn't change by being read.
        assert_same(&new(&back, "v2")["spec"], &stored["spec"], way);
        let anew = object("v1", back["spec"].clone());
        assert_same(&new(&new(&anew, "v2"), "v1"), &anew, way);
        // A rollback.
        assert_same(&old(&new(&stored, "v1"), "v2")["spec"], &stored["spec"], way);
    }
}

#[test]
fn a_converter_and_what_a_variant_is_shown_as() {
    let (first, second) = (Release::of::<lowered::Gate>(), Release::of::<uppered::Gate>());
    comes_back(&first, &second, &full());
    comes_back(&second, &first, &full());
}

#[test]
fn edits_win_over_another_converter() {
    let (first, second) = (Release::of::<lowered::Gate>(), Release::of::<uppered::Gate>());
    let stored = first.convert(&full(), "v2");
    let mut edited = stored.clone();
    edited["spec"]["title"] = json!("grace");
    assert_same(&second.convert(&edited, "v1")["spec"], &with_name("grace")["spec"], "at v2");
    let mut edited = second.convert(&stored, "v1");
    assert_eq!(carrier(&edited), ["v2.spec.mode", "v2.spec.retries", "v2.spec.title"]);
    edited["spec"]["name"] = json!("Grace");
    let back = second.convert(&edited, "v2");
    assert_eq!(back["spec"]["title"], json!("GRACE"));
    assert_eq!(back["spec"]["mode"], json!("Slow"), "only the name was edited");
}

#[test]
fn a_converter_that_goes_and_comes_back() {
    let (first, second) = (Release::of::<lowered::Gate>(), Release::of::<kept::Gate>());
    let stored = first.convert(&full(), "v2");
    let shown = second.convert(&stored, "v1");
    assert_eq!(shown["spec"]["name"], json!("ada"));
    assert_unrestored(&second.converted(&stored, "v1"), &[(UnrestoredReason::Ignored, 1)]);
    assert_same(&first.convert(&second.convert(&shown, "v2"), "v1"), &full(), "nobody edited it");
    let mut edited = shown;
    edited["spec"]["name"] = json!("grace");
    let back = first.convert(&second.convert(&edited, "v2"), "v1");
    assert_same(&back, &with_name("grace"), "somebody edited it");
}

#[test]
fn the_converter_makes_more_fields() {
    let (first, second) = (Release::of::<lowered::Gate>(), Release::of::<more_there::Gate>());
    let mut stored = first.convert(&full(), "v2");
    stored["spec"].as_object_mut().unwrap().remove("retries");
    assert_same(&second.convert(&stored, "v1")["spec"], &full()["spec"], "nothing more there yet");
    assert_same(&second.convert(&second.convert(&stored, "v1"), "v2"), &stored, "nor afterwards");
}

#[test]
fn the_converter_makes_fewer_fields() {
    let (first, second) = (Release::of::<more_there::Gate>(), Release::of::<added_there::Gate>());
    comes_back(&first, &second, &full());
    let mut stored = first.convert(&full(), "v2");
    stored["spec"]["more"] = json!("edited");
    let converted = second.converted(&stored, "v1");
    assert_eq!(converted.unrestored.count(UnrestoredReason::Edited), 1);
    assert!(converted.json.contains(r#""name":"ada""#), "{}", converted.json);
}

#[test]
fn the_converter_takes_more_fields() {
    let (first, second) = (Release::of::<added_there::Gate>(), Release::of::<more_at_home::Gate>());
    // The note was of its own in `v2`, and isn't in its type any more.
    let mut stored = first.convert(&full(), "v2");
    stored["spec"].as_object_mut().unwrap().remove("note");
    let mut expected = full();
    expected["spec"].as_object_mut().unwrap().remove("note");
    assert_same(&second.convert(&stored, "v1"), &expected, "the name is as it was");
}

#[test]
fn the_converter_takes_fewer_fields() {
    let (first, second) = (Release::of::<more_at_home::Gate>(), Release::of::<added_there::Gate>());
    let stored = first.convert(&full(), "v2");
    let converted = second.converted(&stored, "v1");
    assert!(converted.json.contains(r#""name":"Ada""#), "{}", converted.json);
    // The note is another rule's now, and that has none.
    assert_unrestored(&converted, &[(UnrestoredReason::Mistyped, 1)]);
}

/// A field that the older types must have.
mod required {
    use super::*;

    pub(super) mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            name: String,
            tag: String,
        }
    }

    pub(super) mod apart {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Spec, map(name <=> title, with = super::Lower))]
        pub(crate) struct Spec {
            title: String,
            tag: String,
        }

        #[derive(Versioned)]
        #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
        pub(crate) enum Gate {
            V1 {
                spec: v1::Spec,
            },
            #[versioned(storage)]
            V2 {
                spec: Spec,
            },
        }
    }

    pub(super) mod together {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Spec, map((name, tag) <=> title, with = super::Tagged))]
        pub(crate) struct Spec {
            title: String,
        }

        #[derive(Versioned)]
        #[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
        pub(crate) enum Gate {
            V1 {
                spec: v1::Spec,
            },
            #[versioned(storage)]
            V2 {
                spec: Spec,
            },
        }
    }
}

#[test]
fn an_entry_that_says_too_little() {
    let first = Release::of::<required::apart::Gate>();
    let second = Release::of::<required::together::Gate>();
    let before = object("v1", json!({ "name": "Ada", "tag": "x" }));
    let mut stored = first.convert(&before, "v2");
    // The server prunes what the type doesn't have any more.
    stored["spec"].as_object_mut().unwrap().remove("tag");
    let back = second.convert(&stored, "v1");
    assert_eq!(back["spec"], json!({ "name": "Ada", "tag": "none" }));
}
