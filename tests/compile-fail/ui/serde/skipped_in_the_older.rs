use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct CronTabSpec {
        pub cron_spec: String,
        #[serde(skip)]
        pub cache: Option<bool>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct Kept {
    pub cron_spec: String,
    pub cache: Option<bool>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct Renamed {
    pub cron_spec: String,
    #[versioned(renamed_from = cache)]
    pub memory: Option<bool>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, removed(cache))]
pub struct Removed {
    pub cron_spec: String,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct Converted {
    pub cron_spec: String,
    #[versioned(with = crd_conv::with::IntText)]
    pub cache: String,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, map((cron_spec, cache) <=> cron_spec, with = crd_conv::with::IntText))]
pub struct Mapped {
    pub cron_spec: String,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Inner {
    pub cache: Option<bool>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec, moved(cache => inner.cache))]
pub struct Moved {
    pub cron_spec: String,
    pub inner: Option<Inner>,
}

fn main() {}
