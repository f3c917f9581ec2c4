use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct CronTabSpec {
        pub cron_spec: String,
        pub cache: Option<bool>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Inner {
        pub cache: Option<bool>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct Forgotten {
    pub cron_spec: String,
    #[serde(skip)]
    pub cache: Option<bool>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, map(cache <=> cache, with = crd_conv::with::IntText))]
pub struct Mapped {
    pub cron_spec: String,
    #[serde(skip)]
    pub cache: i64,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(cache => inner.cache))]
pub struct Moved {
    pub cron_spec: String,
    #[serde(skip)]
    pub inner: Option<Inner>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Inner {
    pub cache: Option<bool>,
}

fn main() {}
