use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct CronTabSpec {
    #[serde(flatten)]
    pub common: Common,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Common {
    pub name: String,
}

fn main() {}
