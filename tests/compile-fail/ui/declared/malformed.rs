use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Port {
    name: String,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(list_map_keys(name))]
pub struct Spec {
    #[versioned(list_map_keys)]
    a: Vec<Port>,
    #[versioned(list_map_keys())]
    b: Vec<Port>,
    #[versioned(list_map_keys(name, name))]
    c: Vec<Port>,
    #[versioned(list_map_keys(3))]
    d: Vec<Port>,
    #[versioned(list_map_key(name))]
    e: Vec<Port>,
    #[versioned(nullable = "no")]
    f: Option<String>,
    #[versioned(nullable, nullable = false)]
    g: Option<String>,
    #[serde(skip)]
    #[versioned(nullable)]
    h: Option<String>,
}

fn main() {}
