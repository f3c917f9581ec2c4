//! Converters of the library as constants, with whatever is inferred of them.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use crd_conv::with::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Older {
    endpoint: String,
    replicas: Option<u32>,
    class: Option<String>,
    level: i32,
    ready: bool,
    timeout: Option<String>,
    git: Option<String>,
    oci: Option<String>,
    kind: String,
    name: String,
    items: Vec<Item>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Item {
    name: String,
    size: i32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Unnamed {
    size: i32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Source {
    Git(String),
    Oci(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Reference {
    Secret(String),
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(
    from = Older,
    map(endpoint <=> (scheme, host, port), with = Template::new("{scheme}://{host}:{port}")),
    map((git, oci) <=> source, with = OneOf::new(["Git", "Oci"])),
    map((kind, name) <=> reference, with = ByKind(&[("secret", "Secret")])),
)]
pub struct Newer {
    scheme: String,
    host: String,
    port: u16,
    #[versioned(with = AbsentIs(3))]
    replicas: u32,
    #[versioned(with = AbsentIs("standard"))]
    class: String,
    #[versioned(with = Table(&[(1, "low"), (2, "high")]))]
    level: String,
    #[versioned(with = Table(&[(false, "no"), (true, "yes")]))]
    ready: String,
    #[versioned(with = GoDuration::SECONDS, fallback(upgrade = _))]
    timeout: Option<i64>,
    source: Source,
    reference: Reference,
    #[versioned(with = KeyedBy("name"))]
    items: BTreeMap<String, Unnamed>,
}
