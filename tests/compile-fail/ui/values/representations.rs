use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Tagged {
    Exec,
}

#[derive(Versioned, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Untagged {
    Exec,
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
