use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Mode {
        On,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(tag = "type")]
    pub enum Probe {
        Http(Mode),
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Mode)]
pub enum Mode {
    On,
}

#[derive(Versioned, Serialize, Deserialize)]
#[serde(tag = "type")]
#[versioned(from = v1beta1::Probe)]
pub enum Probe {
    Http(Mode),
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Grpc {
    pub r#type: String,
}

#[derive(Versioned, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Doubled {
    Grpc(Grpc),
}

fn main() {}
