//! An `Option` in one version, a default in the other.

use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Default, Serialize, Deserialize, Versioned)]
    pub struct Disruption {
        pub after: String,
    }

    #[derive(Serialize, Deserialize, Versioned)]
    pub struct PoolSpec {
        #[versioned(default = 3)]
        pub limit: i32,
        pub retries: Option<i32>,
        #[serde(default)]
        pub disruption: Disruption,
        pub other: Option<Disruption>,
    }
}

#[derive(Default, Serialize, Deserialize, Versioned)]
#[versioned(from = v1::Disruption)]
pub struct Disruption {
    pub after: String,
}

#[derive(Serialize, Deserialize, Versioned)]
#[versioned(from = v1::PoolSpec)]
pub struct PoolSpec {
    pub limit: Option<i32>,
    #[versioned(default = 3)]
    pub retries: i32,
    pub disruption: Option<Disruption>,
    #[serde(default)]
    pub other: Disruption,
}
