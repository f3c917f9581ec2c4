use std::collections::BTreeMap;

use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod older {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Spec {
        #[serde(flatten)]
        pub common: Common,
        pub name: String,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub struct Common {
        pub a: String,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = older::Spec, map(name <=> names, with(upgrade = up, downgrade = down)))]
pub struct Spec {
    #[serde(flatten)]
    #[versioned(with(upgrade = up, downgrade = down))]
    common: older::Common,
    #[serde(flatten)]
    names: older::Common,
    #[serde(flatten, rename = "other")]
    #[versioned(added)]
    other: older::Common,
    #[serde(flatten, alias = "x", with = "codec")]
    #[versioned(added(value = MORE))]
    more: older::Common,
    #[serde(flatten)]
    #[versioned(added, list_map_keys("a"))]
    keyed: BTreeMap<String, String>,
    #[serde(flatten)]
    #[versioned(added, preserve_unknown_fields, default = MORE)]
    filled: older::Common,
}

fn main() {}
