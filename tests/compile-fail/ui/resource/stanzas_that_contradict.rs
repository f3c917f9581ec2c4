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
    #[versioned(removed(old))]
    V1alpha1 {
        #[versioned(added)]
        spec: Spec,
    },
    #[versioned(removed(spec, stats))]
    V1beta1 {
        #[versioned(added)]
        spec: Spec,
        #[versioned(added, renamed_from = x)]
        status: Option<Spec>,
    },
    #[versioned(storage, added)]
    V1 { spec: Spec, statu: Option<Spec> },
}

fn main() {}
