use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        pub(super) timeout: Option<i64>,
        pub(super) checks: Option<Checks>,
        pub(super) probes: Option<Probes>,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Checks {
        pub(super) url: Option<String>,
        pub(super) timeout: Option<i64>,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Probes {
        pub(super) retries: Option<i64>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => checks.timeout, probes.retries => retries),
)]
pub struct CronTabSpec {
    checks: Option<Checks>,
    probes: Option<Probes>,
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Checks)]
pub struct Checks {
    url: Option<String>,
    timeout: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probes)]
pub struct Probes {
    #[versioned(renamed_from = retries)]
    count: Option<i64>,
}

fn main() {}
