use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "crontabs",
    scope = "Namespaced",
    plural = "tabs"
))]
enum CronTab {
    #[versioned(storage, storage, deprecated, deprecated = "x")]
    V1(Spec),
}

fn main() {}
