use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        #[serde(flatten)]
        common: Common,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Common {
        timeout: Option<i64>,
        owner: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Checks {
    timeout: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Common, removed(timeout))]
pub struct Common {
    owner: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(common.timeout => checks.timeout))]
pub struct CronTabSpec {
    #[serde(flatten)]
    common: Common,
    checks: Option<Checks>,
}

fn main() {}
