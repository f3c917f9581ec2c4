use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub enum Phase {
        Running,
        #[serde(skip)]
        Internal,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Phase)]
pub enum Kept {
    Running,
    Internal,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Phase)]
pub enum Renamed {
    Running,
    #[versioned(renamed_from = Internal)]
    Hidden,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Phase, removed(Internal = Running))]
pub enum Removed {
    Running,
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Phase)]
pub enum Added {
    Running,
    #[versioned(added(shown_as = Internal))]
    Paused,
}

fn main() {}
