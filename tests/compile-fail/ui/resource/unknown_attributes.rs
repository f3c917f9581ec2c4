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
    short_names = "ct",
    version = "v1"
))]
enum CronTab {
    #[versioned(storage, serve = false, moved(spec.a => status.b))]
    V1(Spec),
}

fn main() {}
