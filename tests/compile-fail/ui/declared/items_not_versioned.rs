use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Port {
    name: String,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[versioned(list_map_keys(name))]
    ports: Vec<Port>,
    #[versioned(list_map_keys(length))]
    names: Vec<String>,
}

fn main() {}
