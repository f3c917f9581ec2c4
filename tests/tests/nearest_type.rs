//! An error in the document names the Rust type that declares the field.

use std::collections::BTreeMap;

use crd_conv::crd::CrdOptions;
use crd_conv::{Resource, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Spec {
    pools: BTreeMap<String, Vec<Pool>>,
    #[schemars(regex(pattern = "(?=a)"))]
    name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Pool {
    port: Option<Port>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Port {
    #[schemars(regex(pattern = "(?!b)"))]
    name: String,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "nearests", scope = "Namespaced"))]
enum Nearest {
    #[versioned(storage)]
    V1 { spec: Spec },
}

#[test]
fn the_declaring_type_is_named() {
    let refused = Resource::of::<Nearest>().crd(&CrdOptions::new()).expect_err("two patterns");
    let mut found: Vec<String> = refused.errors.iter().map(ToString::to_string).collect();
    found.sort();
    let [name, port] = &found[..] else { panic!("{found:#?}") };
    let nearest = |sentence: &str, field: &str, ty: &str| {
        assert!(sentence.contains(field), "{sentence}");
        assert!(sentence.ends_with(&format!("(in the Rust type `{ty}`)")), "{sentence}");
    };
    nearest(name, "properties[spec].properties[name].pattern", "Spec");
    nearest(port, "additionalProperties.items.properties[port].properties[name].pattern", "Port");
}
