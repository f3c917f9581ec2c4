use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<String>,
        grace: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => timeout_seconds, with = crd_conv::with::GoDuration::SECONDS),
    moved(grace => grace, with = crd_conv::with::GoDuration::SECONDS),
)]
pub struct CronTabSpec {
    timeout_seconds: Option<i64>,
    grace: Option<i64>,
}

fn main() {}
