use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec(i64);
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks(i64);

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(timeout => checks.timeout, retries => probes.retries))]
pub struct CronTabSpec {
    checks: Option<Checks>,
    probes: Option<Probes>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Probes {
    retries: Option<i64>,
}

fn main() {}
