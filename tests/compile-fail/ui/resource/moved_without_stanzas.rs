use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Spec {
        phase: Option<String>,
        level: Option<i64>,
    }
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = v1beta1::Spec, removed(phase))]
pub struct Spec {
    level: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    phase: Option<String>,
    level: Option<String>,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "jobs", scope = "Namespaced"))]
enum Job {
    #[versioned(moved(spec.phase => status.phase))]
    V1beta1(v1beta1::Spec),
    #[versioned(storage, moved(spec.phase => status.phase))]
    V1(Spec),
}

fn main() {}
