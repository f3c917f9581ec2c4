use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        timeout: Option<i64>,
        steps: Vec<Step>,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Step {
        image: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(timeout => steps.timeout))]
pub struct CronTabSpec {
    steps: Vec<Step>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Step)]
pub struct Step {
    image: Option<String>,
    #[versioned(added)]
    timeout: Option<i64>,
}

fn main() {}
