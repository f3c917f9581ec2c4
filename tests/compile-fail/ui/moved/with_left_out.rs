use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<String>,
        checks: Checks,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Checks {
        url: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Checks)]
pub struct Checks {
    url: Option<String>,
    #[versioned(added(value = 3))]
    timeout: i64,
}

fn up(text: Option<String>) -> i64 {
    text.map_or(0, |text| text.len() as i64)
}

fn down(number: i64) -> Option<String> {
    Some(number.to_string())
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    moved(
        timeout => checks.timeout,
        with(upgrade = up, downgrade = down),
        fallback(upgrade = _, downgrade = _),
    ),
)]
pub struct CronTabSpec {
    checks: Checks,
}

fn main() {}
