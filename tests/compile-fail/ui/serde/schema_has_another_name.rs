use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    #[schemars(rename = "address")]
    pub host_port: String,
    #[schemars(rename = "cronSpec")]
    pub cron_spec: String,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct CronTabStatus {
    pub last_run: String,
}

fn main() {}
