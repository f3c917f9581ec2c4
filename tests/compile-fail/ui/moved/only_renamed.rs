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
#[versioned(from = v1beta1::CronTabSpec, moved(timeout => deadline, retries => checks.retries))]
pub struct CronTabSpec {
    deadline: Option<i64>,
    checks: Option<Checks>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    retries: Option<i64>,
}

fn main() {}
