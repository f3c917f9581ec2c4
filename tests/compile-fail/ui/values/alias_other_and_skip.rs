use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub enum Phase {
        Pending,
        #[serde(alias = "Running")]
        Active,
        #[serde(alias = "Late")]
        TimedOut,
        Gone,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = v1beta1::Phase, removed(TimedOut = Pending))]
pub enum Phase {
    Pending,
    #[versioned(renamed_from = Active)]
    Running,
    #[versioned(renamed_from = Gone)]
    #[serde(alias = "Gone")]
    Lost,
    #[versioned(added(shown_as = Pending))]
    #[serde(other)]
    Unknown,
    #[versioned(added(shown_as = Pending))]
    #[serde(skip)]
    Cached,
}

fn main() {}
