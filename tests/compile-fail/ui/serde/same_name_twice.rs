use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    pub host_port: String,
    #[serde(rename = "hostPort")]
    pub address: String,
}

fn main() {}
