use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Port {
    name: String,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[versioned(list_map_keys(name), list_type = "atomic")]
    a: Vec<Port>,
    #[versioned(int_or_string, preserve_unknown_fields)]
    b: String,
}

fn main() {}
