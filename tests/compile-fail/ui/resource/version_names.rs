use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
enum CronTab {
    #[versioned(name = "1.0")]
    V0(Spec),
    #[versioned(name = "v1")]
    V1beta1(Spec),
    Version1(Spec),
    #[versioned(storage)]
    V1(Spec),
}

fn main() {}
