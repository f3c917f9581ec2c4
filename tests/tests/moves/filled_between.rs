//! Values that only a version in between fills in, and that the next one has in another struct.

use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        pub(super) hold: Option<Hold>,
        #[versioned(default = EMPTY)]
        pub(super) deck: Option<Deck>,
    }

    const EMPTY: Deck = Deck { label: None };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Hold {
        pub(super) load: Option<i64>,
        pub(super) length: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Deck {
        pub(super) label: Option<i64>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(super) struct Spec {
        pub(super) hold: Option<Hold>,
        pub(super) deck: Option<Deck>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Hold)]
    pub(super) struct Hold {
        #[versioned(default = 5)]
        pub(super) load: Option<i64>,
        pub(super) length: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Deck)]
    pub(super) struct Deck {
        pub(super) label: Option<i64>,
    }
}

mod v3 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Spec, moved(hold.load => deck.weight))]
    pub(super) struct Spec {
        pub(super) hold: Option<Hold>,
        #[versioned(default = EMPTY)]
        pub(super) deck: Option<Deck>,
    }

    const EMPTY: Deck = Deck { label: None, weight: Some(1) };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Hold, removed(load))]
    pub(super) struct Hold {
        pub(super) length: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Deck)]
    pub(super) struct Deck {
        pub(super) label: Option<i64>,
        #[versioned(added, default = 5)]
        pub(super) weight: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "barges", scope = "Namespaced"))]
enum Barge {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
    V3 {
        spec: v3::Spec,
    },
}

crd_conv::laws!(Barge);

/// What a client set to null is null still, though the middle fills in a value that would come into it.
#[test]
fn a_default_of_the_middle_undoes_no_null() {
    let barges = ResourceType::of::<Barge>();
    let convert =
        |object: &str, to| barges.convert(object.as_bytes(), to).expect("it converts").json;
    let spec = r#""spec":{"deck":null,"hold":{}}"#;
    for annotations in [
        "{}",
        r#"{"conversion.example.com/v2.spec.hold.load":"{\"format\":1,\"peer\":\"v3\",\"keep\":{}}"}"#,
    ] {
        let object = format!(
            r#"{{"apiVersion":"example.com/v3","kind":"Barge","metadata":{{"name":"a","annotations":{annotations}}},{spec}}}"#
        );
        let back = convert(&convert(&object, "v1"), "v3");
        assert!(back.contains(spec), "{back}");
    }
}
