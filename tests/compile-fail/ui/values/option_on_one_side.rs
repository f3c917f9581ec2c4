use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Probe {
        Exec(Option<String>),
        Http(i32),
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe)]
pub enum Probe {
    Exec(String),
    Http(Option<i32>),
}

fn main() {}
