use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Probe {
        Exec(String),
        Http(i32, i32),
        Tcp { port: i32 },
        Nothing,
        Grpc(Grpc),
        Pair(i32, i32),
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Grpc {
        pub port: i32,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe)]
pub enum Probe {
    Exec { command: String },
    Http(i32),
    #[versioned(renamed_from = Tcp)]
    Socket,
    Nothing(String),
    Grpc(Grpc),
    Pair(i32, i64),
}

#[derive(Versioned, Serialize, Deserialize)]
pub struct Grpc {
    pub port: i32,
}

fn main() {}
