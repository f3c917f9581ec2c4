use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
enum CronTab {
    V1(Spec),
}

#[derive(Versioned)]
#[versioned(resources(group = "example.com"))]
enum Other {
    V1(Spec),
}

fn main() {}
