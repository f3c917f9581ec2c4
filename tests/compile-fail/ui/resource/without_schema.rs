use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    pub name: String,
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
enum CronTab {
    #[versioned(storage)]
    V1 { spec: Spec },
}

fn main() {}
