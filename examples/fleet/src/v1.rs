//! The newest version, with which the controller works.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::{HostPort, OneZone};
use super::v1beta1;
// These are as they were.
pub use super::v1beta1::{Protocol, Toleration};

/// What a fleet should look like.
#[derive(
    CustomResource, KubeSchema, Versioned, Serialize, Deserialize, Clone, Debug, PartialEq,
)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Fleet",
    plural = "fleets",
    namespaced,
    status = "FleetStatus",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    derive = "PartialEq"
)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = v1beta1::FleetSpec,
    map(endpoint <=> (host, port), with = HostPort),
)]
#[x_kube(validation = ("self.strategy != 'Canary' || self.replicas > 1", "a canary needs another member"))]
pub struct FleetSpec {
    /// The image that every member runs.
    pub image: String,
    /// How many members there are.
    #[schemars(range(min = 0))]
    pub replicas: i32,
    /// The host at which the members are reached.
    pub host: String,
    /// The port at which the members are reached.
    #[schemars(range(min = 1, max = 65535))]
    pub port: i32,
    /// The seconds after which the fleet is looked after again.
    #[schemars(range(min = 0))]
    pub resync_seconds: Option<i64>,
    /// Whether the members are left as they are.
    pub paused: Option<bool>,
    pub checks: Option<Checks>,
    #[serde(default)]
    pub strategy: Strategy,
    /// How many old sets of members are kept.
    #[serde(default = "FleetSpec::default_history_limit")]
    #[versioned(added)]
    pub history_limit: i32,
    #[serde(default)]
    #[versioned(list_map_keys(name))]
    pub ports: Vec<Port>,
    /// Where the members run.
    #[serde(default)]
    pub pools: BTreeMap<String, Pool>,
}

impl FleetSpec {
    fn default_history_limit() -> i32 {
        5
    }
}

/// How a member's health is checked.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = v1beta1::Checks,
    validation(
        "!has(self.timeoutSeconds) || !has(self.periodSeconds) || self.timeoutSeconds <= self.periodSeconds",
        message = "a check ends before the next one begins",
        reason = "FieldValueInvalid",
        field_path = ".timeoutSeconds",
    ),
)]
pub struct Checks {
    pub path: Option<String>,
    #[versioned(nullable = false)]
    pub period_seconds: Option<i32>,
    #[versioned(added, nullable = false)]
    pub timeout_seconds: Option<i32>,
}

/// How members are replaced by those of a new image.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq)]
#[versioned(from = v1beta1::Strategy)]
pub enum Strategy {
    #[default]
    RollingUpdate,
    Recreate,
    #[versioned(added(shown_as = RollingUpdate))]
    Canary,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1beta1::Port)]
pub struct Port {
    pub name: String,
    pub port: i32,
    /// It can't change, because clients would go on with the old one: a port of another name can have another.
    #[serde(default)]
    #[versioned(validation("self == oldSelf", message = "the protocol of a port can't change"))]
    pub protocol: Protocol,
    /// The port outside, if it is another one.
    #[versioned(added)]
    pub service_port: Option<i32>,
}

/// A group of nodes.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1beta1::Pool)]
pub struct Pool {
    pub weight: i32,
    #[versioned(renamed_from = zone, with = OneZone)]
    pub zones: Option<Vec<String>>,
    #[serde(default)]
    pub tolerations: Vec<Toleration>,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

/// What a fleet looks like.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1beta1::FleetStatus, removed(message))]
pub struct FleetStatus {
    #[schemars(range(min = 0))]
    pub replicas: i32,
    pub ready_replicas: i32,
    /// The members, for `kubectl scale` and the autoscaler.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[versioned(nullable = false)]
    pub selector: Option<String>,
    pub phase: Option<Phase>,
    #[serde(default)]
    #[versioned(list_map_keys(type_))]
    pub conditions: Vec<Condition>,
    #[versioned(added)]
    pub observed_generation: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq)]
#[versioned(from = v1beta1::Phase, removed(Failed = Degraded))]
pub enum Phase {
    Pending,
    Running,
    Paused,
    #[versioned(added(shown_as = Failed))]
    Degraded,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1beta1::Condition)]
pub struct Condition {
    #[serde(rename = "type")]
    pub type_: String,
    pub status: String,
    pub reason: Option<String>,
    /// For people.
    #[versioned(added)]
    pub message: Option<String>,
}
