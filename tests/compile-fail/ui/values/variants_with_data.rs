use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub enum Action {
    Nothing,
    Exec(String),
    Http { path: String },
}

fn main() {}
