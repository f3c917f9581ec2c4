//! The first version, as it was released.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a fleet should look like.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct FleetSpec {
    /// The image that every member runs.
    pub image: String,
    /// How many members there are.
    #[schemars(range(min = 0))]
    pub size: i32,
    /// `host:port` at which the members are reached.
    #[schemars(regex(pattern = "^.+:[0-9]{1,5}$"))]
    pub endpoint: String,
    /// How often the fleet is looked after, such as `90s` or `1h30m`.
    #[schemars(regex(pattern = "^([0-9]{1,9}[hms])+$"))]
    pub resync: Option<String>,
    /// Whom to ask.
    pub owner: Option<String>,
    /// How often a failed member is started again.
    pub retries: i32,
    /// The path of the health check.
    pub check_path: Option<String>,
    /// The seconds between two health checks.
    pub check_period: Option<i32>,
    #[serde(default)]
    pub strategy: Strategy,
    #[serde(default)]
    #[versioned(list_map_keys(name))]
    pub ports: Vec<Port>,
    /// Where the members run.
    #[serde(default)]
    pub pools: BTreeMap<String, Pool>,
}

/// How members are replaced by those of a new image.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq)]
pub enum Strategy {
    #[default]
    Rolling,
    OneByOne,
    Recreate,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Port {
    pub name: String,
    pub number: i32,
}

/// A group of nodes.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Pool {
    pub weight: i32,
    pub zone: Option<String>,
    #[serde(default)]
    pub tolerations: Vec<Toleration>,
}

/// A taint that the members bear.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Toleration {
    pub key: String,
    pub seconds: Option<i64>,
}

/// What a fleet looks like.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct FleetStatus {
    #[schemars(range(min = 0))]
    pub replicas: i32,
    pub ready: i32,
    pub phase: Option<Phase>,
    /// The last thing that went wrong.
    pub message: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    Pending,
    Active,
    Failed,
}
