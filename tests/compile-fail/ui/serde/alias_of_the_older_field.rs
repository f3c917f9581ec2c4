use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct CronTabSpec {
        #[serde(alias = "cron")]
        cron_spec: String,
        #[serde(alias = "who")]
        owner: String,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    #[versioned(renamed_from = cron_spec)]
    pub schedule: String,
    #[serde(alias = "who")]
    pub owner: String,
}

fn main() {}
