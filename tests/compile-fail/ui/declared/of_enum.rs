use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nullable = false)]
pub enum Names {
    A,
    B,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Held {
    a: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nullable = false, map_type = "atomic")]
pub enum Around {
    Held(Held),
    Nothing,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nullable, map_type = "atomics")]
pub enum Misread {
    Fields { a: Option<String> },
}

#[derive(Versioned, Serialize, Deserialize)]
pub enum OnVariants {
    #[versioned(nullable = false, map_type = "atomic")]
    Fields { a: Option<String> },
}

fn main() {}
