//! The second version, in which objects are stored.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::GoDuration;
use super::v1alpha1;
// These are as they were.
pub use super::v1alpha1::Toleration;

/// What a fleet should look like.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = v1alpha1::FleetSpec,
    removed(owner, retries = 3),
    moved(check_path => checks.path, check_period => checks.period_seconds),
)]
pub struct FleetSpec {
    /// The image that every member runs.
    pub image: String,
    /// How many members there are.
    #[schemars(range(min = 0))]
    #[versioned(renamed_from = size)]
    pub replicas: i32,
    /// `host:port` at which the members are reached.
    #[schemars(regex(pattern = "^.+:[0-9]{1,5}$"))]
    pub endpoint: String,
    /// The seconds after which the fleet is looked after again.
    #[schemars(range(min = 0))]
    #[versioned(renamed_from = resync, with = GoDuration)]
    pub resync_seconds: Option<i64>,
    /// Whether the members are left as they are.
    #[versioned(added)]
    pub paused: Option<bool>,
    pub checks: Option<Checks>,
    #[serde(default)]
    pub strategy: Strategy,
    #[serde(default)]
    #[versioned(list_map_keys(name))]
    pub ports: Vec<Port>,
    /// Where the members run.
    #[serde(default)]
    pub pools: BTreeMap<String, Pool>,
}

/// How a member's health is checked.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Checks {
    pub path: Option<String>,
    pub period_seconds: Option<i32>,
}

/// How members are replaced by those of a new image.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq)]
#[versioned(from = v1alpha1::Strategy, removed(OneByOne = RollingUpdate))]
pub enum Strategy {
    #[default]
    #[versioned(renamed_from = Rolling)]
    RollingUpdate,
    Recreate,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1alpha1::Port)]
pub struct Port {
    pub name: String,
    #[versioned(renamed_from = number)]
    pub port: i32,
    #[serde(default)]
    #[versioned(
        added,
        validation("self == oldSelf", message = "the protocol of a port can't change")
    )]
    pub protocol: Protocol,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub enum Protocol {
    #[default]
    Tcp,
    Udp,
}

/// A group of nodes.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1alpha1::Pool)]
pub struct Pool {
    pub weight: i32,
    pub zone: Option<String>,
    #[serde(default)]
    pub tolerations: Vec<Toleration>,
    #[serde(default)]
    #[versioned(added)]
    pub labels: BTreeMap<String, String>,
}

/// What a fleet looks like.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1alpha1::FleetStatus)]
pub struct FleetStatus {
    #[schemars(range(min = 0))]
    pub replicas: i32,
    #[versioned(renamed_from = ready)]
    pub ready_replicas: i32,
    /// The members, for `kubectl scale` and the autoscaler.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[versioned(added, nullable = false)]
    pub selector: Option<String>,
    pub phase: Option<Phase>,
    /// The last thing that went wrong.
    pub message: Option<String>,
    #[serde(default)]
    #[versioned(added, list_map_keys(type_))]
    pub conditions: Vec<Condition>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq)]
#[versioned(from = v1alpha1::Phase)]
pub enum Phase {
    Pending,
    #[versioned(renamed_from = Active)]
    Running,
    Failed,
    #[versioned(added(shown_as = Pending))]
    Paused,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    #[serde(rename = "type")]
    pub type_: String,
    pub status: String,
    pub reason: Option<String>,
}
