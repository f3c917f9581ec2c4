//! What the laws learn from conversions before they draw objects.

use crd_conv::testing::{Law, Trial};
use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        steps: Vec<Step>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    pub(super) enum Step {
        Nothing,
        Sell {
            #[schemars(range(min = 0, max = 1))]
            grade: i64,
        },
    }
}

mod v2 {
    use super::*;
    use crd_conv::with::Table;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(super) struct Spec {
        steps: Vec<Step>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    #[versioned(from = super::v1::Step)]
    pub(super) enum Step {
        Nothing,
        Sell {
            #[versioned(with = Table(&[(0, "silver"), (1, "gold")]))]
            grade: String,
        },
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "shops", scope = "Namespaced"))]
enum Shop {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

/// No other text is one that the converter reads.
#[test]
fn converters_in_variants_get_what_they_read() {
    let shops = ResourceType::of::<Shop>();
    let trial = Trial::of(&shops).unwrap().cases(200);
    let sells = |object: &String| object.contains("\"Sell\"");
    let objects: Vec<String> = trial.objects("v2").filter(sells).take(200).collect();
    let converts = |object: &&String| shops.convert(object.as_bytes(), "v1").is_ok();
    let count = objects.iter().filter(converts).count();
    assert!(count > 20, "only {count} of 200 convert");
    trial.run(Law::ExactReturn).unwrap();
}
