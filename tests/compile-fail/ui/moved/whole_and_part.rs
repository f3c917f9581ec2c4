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
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Probes {
        pub(super) retries: Option<i64>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    removed(timeout),
    moved(probes.retries => retries, probes => limits.probes),
)]
pub struct CronTabSpec {
    checks: Option<v1beta1::Checks>,
    retries: Option<i64>,
    limits: Option<Limits>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Limits {
    probes: Option<v1beta1::Probes>,
}

fn main() {}
