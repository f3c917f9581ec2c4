use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        checks: Option<Checks>,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Checks {
        timeout: Option<i64>,
        retries: Option<i64>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(check.timeout => timeout, checks.retries => retires))]
pub struct CronTabSpec {
    timeout: Option<i64>,
    retries: Option<i64>,
}

fn main() {}
