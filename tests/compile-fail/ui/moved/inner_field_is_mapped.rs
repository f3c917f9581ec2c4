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

fn same(value: Option<i64>) -> Option<i64> {
    value
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => probes.count, probes.retries => checks.retries),
)]
pub struct CronTabSpec {
    checks: Option<Checks>,
    probes: Option<Probes>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Checks)]
pub struct Checks {
    url: Option<String>,
    #[versioned(added)]
    retries: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probes, map(retries <=> count, with(upgrade = same, downgrade = same)))]
pub struct Probes {
    count: Option<i64>,
}

fn main() {}
