use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub name: String,
}

pub struct Conv;

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
enum CronTab {
    V1beta1 { spec: Spec },
    #[versioned(storage)]
    V1 {
        #[versioned(with = Conv)]
        spec: Spec,
    },
}

fn main() {}
