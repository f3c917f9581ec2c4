use crd_conv::{Versioned, downgrade, upgrade};
use serde::{Deserialize, Serialize};

mod v1alpha1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub struct CronTabSpec {
        pub cron_spec: String,
    }
}

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    #[versioned(from = super::v1alpha1::CronTabSpec)]
    pub struct CronTabSpec {
        pub cron_spec: String,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub cron_spec: String,
}

fn up(older: &v1alpha1::CronTabSpec) -> CronTabSpec {
    upgrade::<CronTabSpec>(older).unwrap().value
}

fn down(newer: &CronTabSpec) -> v1alpha1::CronTabSpec {
    downgrade::<v1alpha1::CronTabSpec>(newer).unwrap().value
}

fn main() {}
