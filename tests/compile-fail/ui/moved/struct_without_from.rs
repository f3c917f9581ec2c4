use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Serialize, Deserialize, Versioned)]
    pub struct Limits {
        pub cpu: Option<String>,
    }

    #[derive(Versioned)]
    pub struct PoolSpec {
        pub memory: Option<String>,
        pub limits: Option<Limits>,
    }
}

#[derive(Serialize, Deserialize, Versioned)]
pub struct Limits {
    pub cpu: Option<String>,
    pub memory: Option<String>,
}

#[derive(Versioned)]
#[versioned(from = v1::PoolSpec, moved(memory => limits.memory))]
pub struct PoolSpec {
    pub limits: Option<Limits>,
}

fn main() {}
