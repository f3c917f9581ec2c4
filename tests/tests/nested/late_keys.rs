//! A list whose keys only one version declares. In the other one, two items may have the same.

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        ports: Vec<Port>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Port {
        name: String,
        number: Option<i64>,
        note: Option<String>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1::Spec)]
    pub(super) struct Spec {
        #[versioned(list_map_keys(name))]
        ports: Vec<Port>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1::Port, removed(note))]
    pub(super) struct Port {
        name: String,
        #[versioned(renamed_from = number)]
        value: Option<i64>,
        #[versioned(added)]
        protocol: Option<String>,
    }
}

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "quays", scope = "Namespaced"))]
enum Quay {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

crd_conv::laws!(Quay);
