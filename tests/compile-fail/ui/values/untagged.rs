use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Two {
    Exec { command: String },
    Http { path: String },
    Port(i32),
    Ratio(f64),
}

#[derive(Versioned, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Nothing {
    Exec { command: String },
    Nothing,
}

#[derive(Serialize, Deserialize)]
pub struct Plain {
    a: String,
}

#[derive(Versioned, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Anything {
    Plain(Plain),
    Port(i32),
}

fn main() {}
