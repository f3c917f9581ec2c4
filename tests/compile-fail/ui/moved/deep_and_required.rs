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
    moved(timeout => limits.inner.timeout, probes.retries => limits.retries),
)]
pub struct CronTabSpec {
    checks: Option<v1beta1::Checks>,
    probes: Option<Probes>,
    limits: Option<Limits>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probes, removed(retries))]
pub struct Probes {}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Limits {
    inner: Inner,
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Inner {
    timeout: Option<i64>,
    url: String,
}

fn main() {}
