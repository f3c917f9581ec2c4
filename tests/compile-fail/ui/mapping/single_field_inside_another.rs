use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct Owner {
        pub name: Option<String>,
    }

    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        pub timeout: Option<String>,
        pub owner: Owner,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Limits {
    pub seconds: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    from = v1beta1::CronTabSpec,
    map(timeout <=> limits.seconds, with = crd_conv::with::GoDuration::SECONDS),
    removed(owner.name),
)]
pub struct CronTabSpec {
    pub limits: Option<Limits>,
}

fn main() {}
