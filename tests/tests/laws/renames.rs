//! Seven versions, most of which do little but rename: hops that can be one, up to where an object has more than that, with a hop between
//! them that can't.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        depth: i64,
        locks: Vec<Lock>,
        #[serde(default)]
        by_name: BTreeMap<String, Lock>,
        operator: Option<String>,
        #[versioned(recursion_depth = 2)]
        branch: Option<Box<Branch>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Lock {
        height: i64,
        gate: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Branch {
        title: Option<String>,
        #[versioned(recursion_depth = 2)]
        next: Option<Box<Branch>>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(super) struct Spec {
        #[versioned(renamed_from = depth)]
        level: i64,
        locks: Vec<Lock>,
        #[serde(default)]
        by_name: BTreeMap<String, Lock>,
        operator: Option<String>,
        #[versioned(recursion_depth = 2)]
        branch: Option<Box<Branch>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Lock)]
    pub(super) struct Lock {
        #[versioned(renamed_from = height)]
        rise: i64,
        gate: Option<String>,
        #[versioned(added)]
        width: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Branch)]
    pub(super) struct Branch {
        #[versioned(renamed_from = title)]
        label: Option<String>,
        #[versioned(recursion_depth = 2)]
        next: Option<Box<Branch>>,
    }
}

/// Two fields take each other's names.
mod v3 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Spec, removed(operator))]
    pub(super) struct Spec {
        level: i64,
        locks: Vec<Lock>,
        #[serde(default)]
        by_name: BTreeMap<String, Lock>,
        #[versioned(recursion_depth = 2)]
        branch: Option<Box<super::v2::Branch>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v2::Lock)]
    pub(super) struct Lock {
        #[versioned(renamed_from = width)]
        rise: Option<i64>,
        #[versioned(renamed_from = rise)]
        width: i64,
        #[versioned(renamed_from = gate)]
        door: Option<String>,
    }
}

/// Names come back that versions before had for something else.
mod v4 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v3::Spec)]
    pub(super) struct Spec {
        level: i64,
        locks: Vec<super::v3::Lock>,
        #[serde(default)]
        by_name: BTreeMap<String, super::v3::Lock>,
        #[versioned(recursion_depth = 2)]
        branch: Option<Box<super::v2::Branch>>,
        #[versioned(added)]
        operator: Option<String>,
        #[versioned(added)]
        depth: Option<i64>,
    }
}

/// The hop to this one does something in every object.
mod v5 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v4::Spec)]
    pub(super) struct Spec {
        level: i64,
        locks: Vec<super::v3::Lock>,
        #[serde(default)]
        by_name: BTreeMap<String, super::v3::Lock>,
        #[versioned(recursion_depth = 2)]
        branch: Option<Box<super::v2::Branch>>,
        operator: Option<String>,
        depth: Option<i64>,
        #[versioned(added(value = 2))]
        gates: i64,
    }
}

mod v6 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v5::Spec)]
    pub(super) struct Spec {
        level: i64,
        #[versioned(renamed_from = locks)]
        chambers: Vec<Lock>,
        #[serde(default)]
        by_name: BTreeMap<String, Lock>,
        #[versioned(recursion_depth = 2)]
        branch: Option<Box<super::v2::Branch>>,
        operator: Option<String>,
        #[versioned(renamed_from = depth)]
        draught: Option<i64>,
        gates: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v3::Lock)]
    pub(super) struct Lock {
        rise: Option<i64>,
        width: i64,
        #[versioned(renamed_from = door)]
        leaf: Option<String>,
    }
}

mod v7 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v6::Spec)]
    pub(super) struct Spec {
        #[versioned(renamed_from = level)]
        depth: i64,
        chambers: Vec<super::v6::Lock>,
        #[serde(default)]
        by_name: BTreeMap<String, super::v6::Lock>,
        #[versioned(recursion_depth = 2)]
        branch: Option<Box<super::v2::Branch>>,
        operator: Option<String>,
        draught: Option<i64>,
        gates: i64,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "canals", scope = "Namespaced"))]
enum Canal {
    V1 {
        spec: v1::Spec,
    },
    V2 {
        spec: v2::Spec,
    },
    V3 {
        spec: v3::Spec,
    },
    V4 {
        spec: v4::Spec,
    },
    #[versioned(storage)]
    V5 {
        spec: v5::Spec,
    },
    V6 {
        spec: v6::Spec,
    },
    V7 {
        spec: v7::Spec,
    },
}

crd_conv::laws!(Canal);
