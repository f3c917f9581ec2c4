use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        checks: Checks,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Checks {
        timeout: Option<i64>,
        retries: Option<i64>,
        url: String,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(checks.timeout => timeout, checks.retries => retries))]
pub struct CronTabSpec {
    timeout: i64,
    retries: Option<u8>,
}

fn main() {}
