use crd_conv::Versioned;
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, ops::Range, time::Duration};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Spec {
        pub seconds: Option<u64>,
        pub ranges: Vec<Range<u8>>,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = Duration)]
pub struct Timeout {
    pub secs: u64,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = Ordering)]
pub enum Order {
    Less,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Spec, moved(seconds => timeout.secs))]
pub struct Spec {
    #[versioned(list_map_keys(start))]
    pub ranges: Vec<Range<u8>>,
    pub timeout: Option<Duration>,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Flat {
    #[serde(flatten)]
    pub duration: Duration,
}

fn main() {}
