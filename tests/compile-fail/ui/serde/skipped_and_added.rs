use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct CronTabSpec {
        cron_spec: String,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub cron_spec: String,
    #[serde(skip)]
    #[versioned(added)]
    pub cache: Option<bool>,
}

fn main() {}
