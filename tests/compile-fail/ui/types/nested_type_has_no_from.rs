use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned)]
    pub struct CronTabSpec {
        container: Container,
        sidecar: Option<Container>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Container {
        image: String,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Container {
    image: String,
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub container: Container,
    pub sidecar: Option<Container>,
}

fn main() {}
