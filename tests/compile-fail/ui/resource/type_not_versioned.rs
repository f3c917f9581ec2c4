use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
enum CronTab {
    #[versioned(storage)]
    V1(Spec),
}

fn main() {}
