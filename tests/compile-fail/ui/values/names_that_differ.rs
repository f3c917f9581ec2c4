use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase", deserialize = "snake_case"))]
pub enum Phase {
    #[serde(rename(serialize = "a", deserialize = "b"))]
    Pending,
    #[serde(skip_serializing)]
    Active,
    #[serde(rename = "x")]
    Stopped,
    #[serde(rename = "x")]
    Paused,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub enum Other {
    Pending,
    #[schemars(rename = "y")]
    Active,
}

fn main() {}
