use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

const WORD: &str = "word";

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[versioned(default = "three")]
    a: i64,
    #[versioned(default = 3)]
    b: Option<String>,
    #[versioned(default = WORD)]
    c: Option<i64>,
}

fn main() {}
