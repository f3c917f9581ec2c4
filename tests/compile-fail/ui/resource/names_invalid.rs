use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example",
    plural = "CronTabs",
    short_name = "c_t",
    scope = "namespaced"
))]
enum CronTab {
    #[versioned(storage)]
    V1(Spec),
}

fn main() {}
