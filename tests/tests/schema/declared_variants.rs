//! What authors declare of the fields of variants.

use crd_conv::crd::{CrdOptions, Webhook};
use crd_conv::schema::Schema;
use crd_conv::{ResourceType, Versioned};
use crd_conv_tests::pipe::Pipe;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

fn property<'s>(schema: &'s Schema, path: &[&str]) -> &'s Schema {
    path.iter().fold(schema, |schema, name| match *name {
        "[]" => schema.items.as_deref().expect("items"),
        "*" => schema.additional_properties.as_deref().expect("values"),
        name => &schema.properties[name],
    })
}

#[test]
fn it_is_in_the_schema_of_each_representation() {
    let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
    let crd = ResourceType::of::<Pipe>().crd(&options).expect("schemas");
    for version in &crd.spec.versions {
        let schema = &version.schema.open_api_v3_schema.properties["spec"];
        let steps = if version.name == "v1beta1" { "stages" } else { "steps" };
        let content = if version.name == "v1beta1" { "data" } else { "c" };
        let paths: [&[&str]; 4] = [
            &["source", "File", "labels"],
            &[steps, "[]", "labels"],
            &["after", content, "[]", "labels"],
            &["values", "*", "[]", "labels"],
        ];
        for path in paths {
            let labels = property(schema, path);
            let set = labels.extensions.list_type.as_deref();
            assert_eq!(set, Some("set"), "{path:?} of {}", version.name);
        }
    }
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Spec {
    choice: Choice,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
enum Choice {
    A {
        #[versioned(default = 3)]
        count: i32,
        name: Option<String>,
        #[versioned(nullable = false)]
        other: Option<String>,
    },
    B {
        name: String,
        other: String,
    },
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "choices", scope = "Namespaced"))]
enum Choices {
    #[versioned(storage)]
    V1 { spec: Spec },
}

#[test]
fn what_one_variant_says_alone_is_refused() {
    let errors = ResourceType::of::<Choices>().crd(&CrdOptions::new()).expect_err("two mistakes");
    let errors: Vec<_> = errors.errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "version `v1`: `.spec.choice.count` (Rust type `Choice`) has a default in some of the enum's variants, but the API server fills in the default for every variant: write `#[serde(default)]` instead, which serde fills in when it reads the value",
            "version `v1`: `.spec.choice.name` (Rust type `Choice`) may be null in some of the enum's variants, but the API server accepts null in all of them or in none: write `#[versioned(nullable = false)]` on the fields that are \
             `Option`s",
        ]
    );
}
