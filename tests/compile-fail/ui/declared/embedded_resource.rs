use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(embedded_resource)]
pub struct Template {
    kind: String,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Spec {
    #[versioned(embedded_resource = "yes")]
    a: Template,
    #[versioned(embedded_resource, int_or_string)]
    b: Template,
    #[serde(flatten)]
    #[versioned(embedded_resource)]
    c: Template,
    #[versioned(embeded_resource)]
    d: Template,
}

fn main() {}
