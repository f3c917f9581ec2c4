//! A resource whose versions differ in the spec and in the status.
#![expect(missing_docs, reason = "fields of a resource for tests")]

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The older version.
pub mod v1beta1 {
    use super::{Deserialize, JsonSchema, Serialize, Versioned};

    /// With an owner, which the newer one has no room for.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Spec {
        pub size: i64,
        pub owner: Option<String>,
    }

    /// With a note, as above.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Status {
        pub phase: String,
        pub note: Option<String>,
    }
}

/// The newer version.
pub mod v1 {
    use super::{Deserialize, JsonSchema, Serialize, Versioned};

    /// What a client writes.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec, removed(owner))]
    pub struct Spec {
        pub size: i64,
    }

    /// What a controller writes.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Status, removed(note))]
    pub struct Status {
        pub phase: String,
        #[versioned(added)]
        pub approved: Option<bool>,
        #[versioned(added)]
        pub approver: Option<String>,
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
