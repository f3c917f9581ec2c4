use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct CronTabSpec {
        #[serde(skip_serializing_if = "String::is_empty")]
        pub cron_spec: String,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    #[serde(skip_serializing_if = "String::is_empty")]
    #[versioned(renamed_from = cron_spec, with(upgrade = same, downgrade = same))]
    pub schedule: String,
}

fn same(text: String) -> String {
    text
}

fn main() {}
