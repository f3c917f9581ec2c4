use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<String>,
        retries: Option<String>,
        deadline: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<bool>,
    retries: Option<i64>,
    deadline: Option<i64>,
}

fn up(text: Option<i64>) -> Option<i64> {
    text
}

fn down(number: Option<i64>) -> Option<i64> {
    number
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => checks.timeout, with = crd_conv::with::GoDuration::SECONDS),
    moved(retries => checks.retries, with(upgrade = up, downgrade = down)),
    moved(deadline => checks.deadline, with = down),
)]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
