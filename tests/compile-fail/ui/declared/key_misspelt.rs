use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Port {
    name: String,
    protocol: String,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[versioned(list_map_keys(name, protocl))]
    ports: Vec<Port>,
    #[versioned(list_map_keys(x))]
    others: Option<Vec<Port>>,
}

fn main() {}
