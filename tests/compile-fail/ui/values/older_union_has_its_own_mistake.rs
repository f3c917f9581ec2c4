use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Probe {
        #[versioned(storage)]
        Exec { command: String },
        Tcp(i32),
        Nothing,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe, removed(Gone = Nothing))]
pub enum Probe {
    #[versioned(removed(gone))]
    Exec {
        #[versioned(renamed_from = name)]
        command: String,
    },
    Tcp(i64),
    Nothing,
    Pair(i32, i32),
    #[versioned(added(shown_as = Exec))]
    Http { path: String },
}

fn main() {}
