use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(
        timeout => checks.timeout,
        with = crd_conv::with::GoDuration::SECONDS,
        fallback(upgrade = "1s", downgrade = 1),
    ),
)]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
