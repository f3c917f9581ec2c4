//! Values that move, and whose types are versions of each other.

use crd_conv::explanation::{Mapping, Row};
use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        algorithm: Option<Algorithm>,
        crew: Option<Crew>,
        #[serde(default)]
        crews: Vec<Crew>,
        port: Option<Port>,
        #[serde(default)]
        #[versioned(list_map_keys("name"))]
        decks: Vec<Deck>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Port {
        label: Option<String>,
        crew: Option<Crew>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Deck {
        name: String,
        kind: Option<Algorithm>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub(super) enum Algorithm {
        Rsa,
        Ecdsa,
        Old,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Crew {
        captain: Option<String>,
        cook: Option<String>,
        #[versioned(default = 3)]
        count: Option<i64>,
        #[serde(default)]
        #[versioned(list_map_keys("name"))]
        hands: Vec<Hand>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Hand {
        name: String,
        rank: Option<i64>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        moved(algorithm => key.algorithm),
        moved(crew => ship.crew),
        moved(crews => ship.crews),
        moved(port.crew => crew),
    )]
    pub(super) struct Spec {
        key: Option<Key>,
        ship: Option<Ship>,
        crew: Option<Crew>,
        port: Option<Port>,
        #[serde(default)]
        #[versioned(list_map_keys("name"))]
        decks: Vec<Deck>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Key {
        algorithm: Option<Algorithm>,
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Ship {
        crew: Option<Crew>,
        #[serde(default)]
        crews: Vec<Crew>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Port, removed(crew))]
    pub(super) struct Port {
        label: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Deck, moved(kind => key.kind))]
    pub(super) struct Deck {
        name: String,
        key: Option<DeckKey>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct DeckKey {
        kind: Option<Algorithm>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Algorithm, removed(Old = Rsa))]
    pub(super) enum Algorithm {
        #[serde(rename = "RSA")]
        Rsa,
        #[serde(rename = "ECDSA")]
        Ecdsa,
        #[versioned(added(shown_as = Rsa))]
        Ed25519,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Crew, removed(cook))]
    pub(super) struct Crew {
        #[versioned(renamed_from = captain)]
        master: Option<String>,
        #[versioned(default = 3)]
        count: Option<i64>,
        #[versioned(added)]
        flag: Option<String>,
        #[serde(default)]
        #[versioned(list_map_keys("name"))]
        hands: Vec<Hand>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Hand, removed(rank))]
    pub(super) struct Hand {
        name: String,
        #[versioned(added)]
        age: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "ships", scope = "Namespaced"))]
enum Ship {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

crd_conv::laws!(Ship);

fn convert(spec: &str, annotations: &str, from: &str, to: &str) -> String {
    let object = format!(
        r#"{{"apiVersion":"example.com/{from}","kind":"Ship","metadata":{{"name":"a","annotations":{annotations}}},"spec":{spec}}}"#
    );
    ResourceType::of::<Ship>().convert(object.as_bytes(), to).expect("it converts").json
}

mod chain {
    use super::*;

    pub(super) mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(in super::super) struct Link {
            name: Option<String>,
            #[versioned(recursion_depth = 3)]
            next: Option<Box<Link>>,
        }
    }

    pub(super) mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Link, moved(next => after.next))]
        pub(in super::super) struct Link {
            #[versioned(renamed_from = name)]
            title: Option<String>,
            after: Option<After>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(in super::super) struct After {
            #[versioned(recursion_depth = 3)]
            next: Option<Box<Link>>,
        }
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "chains", scope = "Namespaced"))]
enum Chain {
    V1 {
        spec: chain::v1::Link,
    },
    #[versioned(storage)]
    V2 {
        spec: chain::v2::Link,
    },
}

mod chains {
    use super::Chain;

    crd_conv::laws!(Chain);
}

/// A type that moves inside itself takes more time and stack for each level, so what is nested too
/// deep is kept as a whole. Nothing is lost, and no object fails to convert.
#[test]
fn a_long_chain_comes_back() {
    let chains = ResourceType::of::<Chain>();
    for depth in [1, 3, 4, 5, 40, 1000] {
        let mut spec = r#"{"name":"last"}"#.to_owned();
        for place in 0..depth {
            spec = format!(r#"{{"name":"{place}","next":{spec}}}"#);
        }
        let object = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Chain","metadata":{{"name":"a"}},"spec":{spec}}}"#
        );
        let there = chains.convert(object.as_bytes(), "v2").expect("it converts").json;
        assert!(there.contains(&format!(r#""title":"{}""#, depth - 1)), "{there}");
        let back = chains.convert(there.as_bytes(), "v1").expect("it converts").json;
        assert!(back.contains(&spec), "{depth}: {back}");
    }
}

/// An enum of plain names changes on its way, and keeps nothing.
#[test]
fn a_renamed_variant_needs_no_entry() {
    let there = convert(r#"{"algorithm":"rsa"}"#, "{}", "v1", "v2");
    assert!(there.contains(r#""spec":{"key":{"algorithm":"RSA"}}"#), "{there}");
    assert!(!there.contains("v1.spec.algorithm"), "{there}");
}

/// The move has one row, and what changes inside it has rows of its own.
#[test]
fn an_explanation_names_what_changes_inside() {
    let hops = ResourceType::of::<Ship>().explanation();
    let shown = |older: &str| -> Vec<_> {
        let rows = hops[0]
            .rows
            .iter()
            .filter(|row| row.older.iter().any(|value| value.path.to_string().starts_with(older)));
        let text = |row: &Row| {
            let newer = row.newer.first().map(|value| value.path.to_string());
            (newer.unwrap_or_default(), row.mapping.clone())
        };
        rows.map(text).collect()
    };
    let algorithm = shown(".spec.algorithm");
    assert_eq!(algorithm[0], (".spec.key.algorithm".to_owned(), Mapping::Moved));
    assert!(algorithm[1..].contains(&(".spec.key.algorithm".to_owned(), Mapping::Renamed)));
    assert_eq!(
        shown(".spec.crew.captain"),
        [(".spec.ship.crew.master".to_owned(), Mapping::Renamed)]
    );
}

/// An edit inside a moved struct leaves the rest as it was.
#[test]
fn an_edit_inside_keeps_the_rest() {
    let there = convert(
        r#"{"crew":{"captain":"ann","cook":"bo","hands":[{"name":"x","rank":7}]}}"#,
        "{}",
        "v1",
        "v2",
    );
    assert!(there.contains(r#""master":"ann""#) && there.contains("conversion."), "{there}");
    let edited = there.replacen(r#""master":"ann""#, r#""master":"eve""#, 1);
    assert!(edited != there);
    let back = ResourceType::of::<Ship>().convert(edited.as_bytes(), "v1").expect("it converts");
    let spec = r#""captain":"eve","cook":"bo","hands":[{"name":"x","rank":7}]"#;
    let Some((_, found)) = back.json.split_once(r#""crew":{"#) else { panic!("{}", back.json) };
    for part in [r#""captain":"eve""#, r#""cook":"bo""#, r#"[{"name":"x","rank":7}]"#] {
        assert!(found.contains(part), "{spec} is not {found}");
    }
}
