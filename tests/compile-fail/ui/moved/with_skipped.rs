use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<String>,
    }
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

fn up(text: Option<String>) -> i64 {
    text.map_or(0, |text| text.len() as i64)
}

fn down(number: i64) -> Option<String> {
    Some(number.to_string())
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    #[serde(skip_serializing_if = "is_zero")]
    timeout: i64,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(timeout => checks.timeout, with(upgrade = up, downgrade = down)))]
pub struct CronTabSpec {
    checks: Option<Checks>,
}

fn main() {}
