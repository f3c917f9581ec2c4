use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(default = 3)]
pub struct Spec {
    #[versioned(list_type = "sets")]
    a: Vec<String>,
    #[versioned(list_type = "map")]
    b: Vec<String>,
    #[versioned(list_type)]
    c: Vec<String>,
    #[versioned(map_type = "none")]
    d: String,
    #[versioned(default)]
    e: i64,
    #[versioned(default = 3 + 4)]
    f: i64,
    #[versioned(default = 3, default = 4)]
    g: i64,
    #[versioned(int_or_strings)]
    h: String,
    #[versioned(preserve_unknown_fields = "yes")]
    i: String,
    #[serde(skip)]
    #[versioned(default = 3)]
    j: i64,
}

fn main() {}
