use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Common {
    name: String,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Inner {
    kind: String,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Twice {
    #[serde(rename = "kind")]
    sort: String,
    #[serde(flatten)]
    common: Common,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Maps {
    #[serde(flatten)]
    common: Option<Common>,
    #[serde(flatten)]
    more: BTreeMap<String, String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct AtRoot {
    #[serde(flatten)]
    common: Common,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
enum Gadget {
    #[versioned(storage)]
    V1(AtRoot),
}

fn main() {}
