use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
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
#[versioned(from = v1beta1::CronTabSpec, moved, moved(), moved(timeout, retries -> checks.retries, "retries" => checks.retries))]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
