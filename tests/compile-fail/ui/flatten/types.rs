use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Plain {
    a: String,
}

#[derive(Serialize, Deserialize)]
pub enum Choice {
    A { b: String },
    B { c: String },
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[serde(flatten)]
    plain: Plain,
    #[serde(flatten)]
    choice: Option<Choice>,
}

fn main() {}
