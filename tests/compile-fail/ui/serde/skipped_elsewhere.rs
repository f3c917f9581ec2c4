use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Spec {
        pub limits: Option<Limits>,
        pub ports: Vec<Port>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Limits {
        #[serde(skip)]
        pub cache: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Phase {
        Running,
        #[serde(other)]
        Unknown,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Port {
    pub name: String,
    #[serde(skip)]
    pub number: u16,
}

// A key of a list's items, and a field inside of a struct.
#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Spec, moved(limits.cache => cache))]
pub struct Spec {
    pub cache: Option<i64>,
    #[versioned(list_map_keys(number))]
    pub ports: Vec<Port>,
}

// The variant that takes every other name, in one version alone.
#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Phase)]
pub enum Phase {
    Running,
    Unknown,
}

// What is shown in place of a variant that is gone.
#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Phase, removed(Running = Internal))]
pub enum Shown {
    Paused,
    #[serde(skip)]
    Internal,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1::Phase, removed(Running = Unknown))]
pub enum ShownAsUnknown {
    Paused,
    #[serde(other)]
    Unknown,
}

fn main() {}
