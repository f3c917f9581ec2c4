//! A resource whose versions differ in the spec and in the status.

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The older version.
pub mod v1beta1 {
    use super::*;

    /// With an owner, which the newer one has no room for.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Spec {
        pub(crate) size: i64,
        pub(crate) owner: Option<String>,
    }

    /// With a note, as above.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Status {
        pub(crate) phase: String,
        pub(crate) note: Option<String>,
    }
}

/// The newer version.
pub mod v1 {
    use super::*;

    /// What a client writes.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec, removed(owner))]
    pub struct Spec {
        pub(crate) size: i64,
    }

    /// What a controller writes.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Status, removed(note))]
    pub struct Status {
        pub(crate) phase: String,
        #[versioned(added)]
        pub(crate) approved: Option<bool>,
        #[versioned(added)]
        pub(crate) approver: Option<String>,
    }
}

/// A desk that somebody asks for and somebody else approves.
#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "desks", scope = "Namespaced"))]
pub enum Desk {
    /// The older version.
    V1beta1 {
        /// What a client writes.
        spec: v1beta1::Spec,
        /// What a controller writes.
        status: Option<v1beta1::Status>,
    },
    /// The newer version.
    #[versioned(storage)]
    V1 {
        /// What a client writes.
        spec: v1::Spec,
        /// What a controller writes.
        status: Option<v1::Status>,
    },
}
