use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nullable, map_type = "atomc")]
pub struct A {
    a: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nullable = true, map_type = "none")]
pub struct B {
    a: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nullable = "no", map_type)]
pub struct C {
    a: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nullable = false, nullable = false, map_type = "atomic", map_type = "granular")]
pub struct D {
    a: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(nulable = false, map_type = atomic)]
pub struct E {
    a: Option<String>,
}

fn main() {}
