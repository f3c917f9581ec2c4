use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(validation)]
pub struct Bare {
    a: i64,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(validation = "self.a > 0")]
pub struct Equals {
    a: i64,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(validation(message = "a is at least 1"))]
pub struct NoRule {
    a: i64,
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Fields {
    #[versioned(validation())]
    a: i64,
    #[versioned(validation("self > 0", msg = "at least 1"))]
    b: i64,
    #[versioned(validation("self > 0", message = "at least 1", message = "more than 0"))]
    c: i64,
    #[versioned(validation("self > 0" message = "at least 1"))]
    d: i64,
    #[versioned(validation("self > 0", message))]
    e: i64,
    #[versioned(validation("self > 0", "at least 1"))]
    f: i64,
    #[versioned(validation("self > oldSelf", optional_old_self = "yes"))]
    g: i64,
}

fn main() {}
