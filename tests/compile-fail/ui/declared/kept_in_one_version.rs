use std::collections::BTreeMap;

use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct CronTabSpec {
        #[versioned(preserve_unknown_fields)]
        pub job: Job,
        pub pools: BTreeMap<String, Job>,
        #[versioned(embedded_resource)]
        pub template: Job,
        #[versioned(preserve_unknown_fields)]
        pub extra: Option<Job>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Job {
        pub image: Option<String>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[versioned(from = super::v1beta1::CronTabSpec, moved(extra => more.extra))]
    pub struct CronTabSpec {
        #[versioned(renamed_from = job)]
        pub task: v1beta1::Job,
        #[versioned(preserve_unknown_fields)]
        pub pools: BTreeMap<String, v1beta1::Job>,
        pub template: v1beta1::Job,
        pub more: Option<More>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct More {
        pub extra: Option<v1beta1::Job>,
    }
}

fn main() {}
