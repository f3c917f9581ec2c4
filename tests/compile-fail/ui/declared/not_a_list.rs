use std::collections::BTreeMap;

use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Port {
    name: String,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[versioned(list_map_keys(name))]
    port: Port,
    #[versioned(list_map_keys("name"))]
    ports: BTreeMap<String, Port>,
}

fn main() {}
