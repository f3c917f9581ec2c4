use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(moved(timeout => checks.timeout))]
pub struct CronTabSpec {
    #[versioned(moved(timeout => checks.timeout))]
    checks: Option<Checks>,
}

fn main() {}
