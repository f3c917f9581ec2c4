//! A CronTab in three versions.

use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

pub mod v1alpha1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CronTabSpec {
        pub host_port: String,
        pub cron_spec: String,
        pub timeout: Option<String>,
        pub owner: Option<String>,
    }
}

pub mod v1beta1 {
    use crd_conv::with::GoDuration;

    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::CronTabSpec)]
    pub struct CronTabSpec {
        pub host_port: String,
        pub cron_spec: String,
        #[versioned(renamed_from = timeout, with = GoDuration::SECONDS)]
        pub timeout_seconds: Option<i64>,
        pub owner: Option<String>,
    }
}

pub mod v1 {
    use crd_conv::with::Template;

    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta1::CronTabSpec,
        removed(owner),
        map(host_port <=> (host, port), with = Template::new("{host}:{port}")),
    )]
    pub struct CronTabSpec {
        pub host: String,
        pub port: u16,
        #[versioned(renamed_from = cron_spec)]
        pub schedule: String,
        pub timeout_seconds: Option<i64>,
        #[versioned(added(value = 3))]
        pub history_limit: i32,
    }
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "crontabs",
    scope = "Namespaced",
    schema = "disabled"
))]
pub enum CronTab {
    V1alpha1 {
        spec: v1alpha1::CronTabSpec,
    },
    V1beta1 {
        spec: v1beta1::CronTabSpec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::CronTabSpec,
    },
}
