use std::collections::BTreeMap;

use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Common {
    a: String,
    b: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    common: Common,
    #[serde(flatten)]
    other: Option<Common>,
    #[serde(flatten)]
    gone: Gone,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
    timeout: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Gone {
    c: String,
}

const GONE: Gone = Gone { c: String::new() };

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = Spec, removed(gone, rest), moved(timeout => checks.timeout))]
pub struct Flattened {
    #[serde(flatten)]
    common: Common,
    other: Option<Common>,
    #[serde(flatten)]
    #[versioned(added)]
    more: Gone,
    #[serde(flatten)]
    checks: Checks,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: i64,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = Spec, removed(gone = GONE, rest, timeout), map(other <=> others, with(upgrade = up, downgrade = up)))]
pub struct Valued {
    common: Common,
    others: Option<Common>,
}

fn up(common: Option<Common>) -> Option<Common> {
    common
}

fn main() {}
