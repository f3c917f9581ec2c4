use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Serialize, Deserialize, Versioned)]
    pub struct Disruption {
        pub after: String,
    }

    #[derive(Versioned)]
    pub struct PoolSpec {
        pub disruption: Disruption,
        pub other: Option<Disruption>,
    }
}

#[derive(Serialize, Deserialize, Versioned)]
#[versioned(from = v1::Disruption)]
pub struct Disruption {
    pub after: String,
}

#[derive(Versioned)]
#[versioned(from = v1::PoolSpec)]
pub struct PoolSpec {
    pub disruption: Option<Disruption>,
    pub other: Disruption,
}

fn main() {}
