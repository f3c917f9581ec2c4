use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        retries: Option<String>,
        grace: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    retries: Option<i64>,
    grace: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(retries => checks.retries, with = crd_conv::with::GoDuration::SECONDS, fallback(upgrade = (1, 2))),
    moved(grace => checks.grace, with = crd_conv::with::GoDuration::SECONDS, fallback(upgrade = 1), refuses(upgrade = "why")),
)]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
