use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: Option<String>,
}

#[derive(Versioned)]
#[versioned(
    nullable = false,
    resource(group = "example.com", plural = "crontabs", scope = "Namespaced", nullable = false)
)]
enum CronTab {
    #[versioned(storage, nullable = false)]
    V1 {
        spec: Spec,
        #[versioned(nullable = false)]
        status: Option<Spec>,
    },
}

fn main() {}
