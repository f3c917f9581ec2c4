use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Spec {
        level: Option<i64>,
    }
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = v1beta1::Spec)]
pub struct Spec {
    level: Option<i64>,
    #[versioned(added)]
    status: Option<i64>,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "jobs", scope = "Namespaced"))]
enum Job {
    V1beta1 {
        spec: v1beta1::Spec,
        status: Option<v1beta1::Spec>,
    },
    #[versioned(
        storage,
        removed(status),
        moved(status => spec.status, with(upgrade = up, downgrade = down)),
    )]
    V1 { spec: Spec },
}

fn main() {}
