use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Probe {
        Nothing,
        #[versioned(removed(shell))]
        Exec {
            #[versioned(added)]
            command: Option<String>,
        },
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe)]
pub enum Probe {
    #[versioned(map(a <=> b, with = Conv))]
    Nothing,
    #[versioned(remove(shell))]
    Exec { command: Option<String> },
    #[versioned(added(shown_as = Nothing), removed(path))]
    Http {
        #[versioned(renamed_from = address)]
        url: String,
    },
    #[versioned(added(shown_as = Nothing), removed(port))]
    Tcp(i32),
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Probe)]
pub enum Other {
    Nothing,
    #[versioned(from = v1beta1::Probe)]
    Exec {
        #[versioned(shown_as = Nothing)]
        command: Option<String>,
    },
    #[versioned(added(shown_as = Nothing))]
    Http {
        #[versioned(renamed_from = address)]
        url: String,
    },
}

fn main() {}
