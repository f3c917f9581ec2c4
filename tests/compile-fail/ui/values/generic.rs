use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub enum Source<T> {
    Git(T),
    Empty,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = Source<i32>)]
pub enum Later {
    Git(i32),
    Empty,
}

fn main() {}
