//! What conversions know about a type without the derive agrees with the type's schema.
#![allow(dead_code, reason = "the types are there for their schemas")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Schema, tests::schema_of};
use crate::json::{Fidelity, Json, canonical};
use crate::outline::Outline;

/// Compares what conversions know about a type with its schema.
pub(super) fn agree(outline: &Outline, schema: &Schema, path: &str) {
    let default = schema.default.as_ref().map(|default| {
        let mut out = String::new();
        canonical(&default.to_string(), Fidelity::AsServed, &mut out).expect("it is JSON");
        out
    });
    assert_eq!((outline.nullable, &outline.default), (schema.nullable, &default), "{path}");
    let members: Vec<_> = outline.members.keys().collect();
    assert_eq!(members, schema.properties.keys().collect::<Vec<_>>(), "{path}");
    for (outline, (name, schema)) in outline.members.values().zip(&schema.properties) {
        agree(outline, schema, &format!("{path}.{name}"));
    }
    for (outline, schema) in
        [(&outline.items, &schema.items), (&outline.rest, &schema.additional_properties)]
    {
        assert_eq!(outline.is_some(), schema.is_some(), "{path}");
        if let (Some(outline), Some(schema)) = (outline, schema) {
            agree(outline, schema, &format!("{path}[]"));
        }
    }
}

#[test]
fn conversions_know_what_the_schema_says() {
    use k8s_openapi::api::{apps::v1 as apps, batch::v1 as batch, core::v1 as core};
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;

    #[derive(JsonSchema)]
    struct Recursive {
        #[schemars(extend("x-crd-conv-recursion-depth" = 2))]
        rules: JSONSchemaProps,
    }

    #[derive(Default, Serialize, JsonSchema)]
    #[serde(default)]
    struct Defaults {
        text: Option<String>,
        #[schemars(default = "seven")]
        number: u64,
        pair: (i64, bool),
        map: BTreeMap<String, Option<String>>,
        #[schemars(default = "tenth")]
        ratio: f32,
        #[schemars(default = "tenths")]
        ratios: Vec<Ratio>,
    }

    #[derive(Default, Serialize, JsonSchema)]
    struct Ratio {
        ratio: f32,
    }
    fn tenth() -> f32 {
        0.1
    }
    fn tenths() -> Vec<Ratio> {
        vec![Ratio { ratio: tenth() }]
    }
    fn seven() -> u64 {
        7
    }

    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    enum Tagged {
        /// The one.
        One {
            both: Option<Defaults>,
            one: Option<i64>,
        },
        Two {
            both: Option<Defaults>,
            two: Defaults,
        },
        Three,
    }

    #[derive(JsonSchema)]
    #[serde(untagged)]
    enum Untagged {
        Text(String),
        List(Vec<Option<Tagged>>),
        Fields { a: Option<String> },
        Others { a: Option<i64>, b: Defaults },
    }

    #[derive(JsonSchema)]
    struct Whole {
        #[serde(flatten)]
        tagged: Tagged,
        untagged: Option<Untagged>,
        any: serde_json::Value,
        named: Option<core::NodeSelectorRequirement>,
    }

    let errors = [
        schema_of::<Recursive>().1,
        schema_of::<Defaults>().1,
        schema_of::<Tagged>().1,
        schema_of::<Untagged>().1,
        schema_of::<Whole>().1,
        schema_of::<Option<Whole>>().1,
        schema_of::<core::Pod>().1,
        schema_of::<core::Service>().1,
        schema_of::<core::PersistentVolume>().1,
        schema_of::<apps::Deployment>().1,
        schema_of::<batch::CronJob>().1,
        schema_of::<Vec<Option<core::Node>>>().1,
    ];
    assert_eq!(errors.concat(), []);
    let defaults = schema_of::<Defaults>().0;
    let default_of = |name: &str| defaults.properties[name].default.as_ref().map(Json::to_string);
    assert_eq!(default_of("ratio").as_deref(), Some("0.1"));
    assert_eq!(default_of("ratios").as_deref(), Some(r#"[{"ratio":0.1}]"#));
}
