use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[versioned(recursion_depth)]
    a: Vec<Spec>,
    #[versioned(recursion_depth = 0)]
    b: Vec<Spec>,
    #[versioned(recursion_depth = 9)]
    c: Vec<Spec>,
    #[versioned(recursion_depth = "3")]
    d: Vec<Spec>,
    #[versioned(recursion_depth = 3, preserve_unknown_fields)]
    e: Vec<Spec>,
    #[versioned(recursion_depth = 3, int_or_string)]
    f: String,
    #[versioned(recursion_deep = 3)]
    g: Vec<Spec>,
    #[versioned(recursion_depth = 3)]
    #[serde(flatten)]
    h: Other,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Other {
    other: Option<Box<Spec>>,
}

fn main() {}
