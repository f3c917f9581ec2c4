use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Probe {
        Exec { command: String, shell: Option<String> },
        Tcp { port: i32 },
        Http { path: String },
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe)]
pub enum Probe {
    Exec { command: String },
    Tcp { port: i64 },
    #[versioned(renamed_from = Http, removed(paht))]
    Url {
        #[versioned(renamed_from = pat)]
        path: String,
        host: String,
    },
}

fn main() {}
