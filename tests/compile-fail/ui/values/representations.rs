use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(tag = "type")]
    pub enum Probe {
        Exec { command: String },
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe)]
pub enum Probe {
    Exec { command: String },
}

#[derive(Versioned, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Mixed {
    Exec,
    #[serde(untagged)]
    Other,
}

#[derive(Versioned, Serialize, Deserialize, Clone)]
#[serde(into = "String", from = "String")]
pub enum Through {
    Exec,
}

impl From<String> for Through {
    fn from(_: String) -> Self {
        Self::Exec
    }
}

impl From<Through> for String {
    fn from(_: Through) -> Self {
        Self::new()
    }
}

fn main() {}
