use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<String>,
        retries: Option<String>,
        grace: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
    retries: Option<i64>,
    grace: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(with = crd_conv::with::GoDuration::SECONDS, timeout => checks.timeout))]
pub struct First {
    checks: Option<Checks>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(
        timeout => checks.timeout,
        retries => checks.retries,
        with = crd_conv::with::GoDuration::SECONDS,
        grace => checks.grace,
    ),
)]
pub struct Several {
    checks: Option<Checks>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => checks.timeout, with = crd_conv::with::GoDuration::SECONDS, retries => checks.retries, with = crd_conv::with::GoDuration::SECONDS),
)]
pub struct EachInTurn {
    checks: Option<Checks>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => checks.timeout, with = crd_conv::with::GoDuration::SECONDS, with = crd_conv::with::GoDuration::SECONDS),
    moved(retries => checks.retries, withh = crd_conv::with::GoDuration::SECONDS),
    moved(grace => checks.grace, converter(upgrade = up, downgrade = down)),
)]
pub struct Keys {
    checks: Option<Checks>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => checks.timeout, fallback(upgrade = 3)),
    moved(retries => checks.retries, grace => checks.grace, refuses(upgrade = "why")),
)]
pub struct NoConverter {
    checks: Option<Checks>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(timeout => checks.timeout, with(upgrade = up)),
    moved(retries => checks.retries, with = "GoDuration::SECONDS", fallback(upgrade = 3)),
    moved(grace => checks.grace, with),
)]
pub struct HalfConverter {
    checks: Option<Checks>,
}

fn main() {}
