use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub enum Source {
    #[versioned(validation("self.url != ''"))]
    Git { url: String },
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Common {
    a: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[serde(flatten)]
    #[versioned(validation("has(self.a)"))]
    common: Common,
    #[serde(skip)]
    #[versioned(validation("self > 0"))]
    cache: i64,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
pub enum Box {
    #[versioned(storage)]
    V1 {
        #[versioned(validation("self.a > 0"))]
        spec: Common,
    },
}

fn main() {}
