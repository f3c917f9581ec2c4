use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase", deserialize = "snake_case"))]
pub struct CronTabSpec {
    #[serde(rename(serialize = "a"))]
    pub host_port: String,
    #[serde(rename(serialize = "b", deserialize = "c"))]
    pub owner: String,
}

fn main() {}
