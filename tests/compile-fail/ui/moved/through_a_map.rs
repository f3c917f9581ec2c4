use std::collections::BTreeMap;

use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        pub(super) timeout: Option<i64>,
        pub(super) checks: Option<Checks>,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Checks {
        pub(super) steps: Option<Vec<Step>>,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Step {
        pub(super) image: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(timeout => limits.steps.timeout, checks.steps.image => image))]
pub struct CronTabSpec {
    limits: Option<Limits>,
    image: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Limits {
    steps: BTreeMap<String, Step>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Step {
    timeout: Option<i64>,
}

fn main() {}
