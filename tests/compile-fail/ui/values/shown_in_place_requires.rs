use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
pub struct Grpc {
    pub port: i32,
}

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Probe {
        Exec(String),
        Tcp { port: i32, host: Option<String> },
        Grpc(Grpc),
        Old,
        Older,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe, removed(Old = Exec, Older = Tcp))]
pub enum Probe {
    Exec(String),
    Tcp { port: i32, host: Option<String> },
    Grpc(Grpc),
    #[versioned(added(shown_as = Tcp))]
    Http { path: String },
    #[versioned(added(shown_as = Grpc))]
    Https { path: String },
    #[versioned(added(shown_as = Exec))]
    Script,
}

fn main() {}
