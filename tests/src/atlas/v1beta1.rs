//! Scalars and absent values.

use std::collections::BTreeMap;

use crd_conv::{
    Versioned,
    with::{
        AbsentIs, Checked, Clamped, GoDuration, IntOrString, IntText, Presence, Rounded, Table,
        ZeroAsAbsent,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::v1alpha1::{Backup, Condition, Reference, State};
use super::v1alpha2::{Body, Common, Mode, Port, Route, Selector, Variable};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = super::v1alpha2::Spec,
    moved(checks.seconds => patience),
)]
pub struct Spec {
    pub name: String,
    pub patience: Option<i64>,
    pub route: Option<Route>,
    #[serde(default)]
    #[versioned(list_map_keys(name))]
    pub legs: Vec<Leg>,
    #[serde(default)]
    pub places: BTreeMap<String, Leg>,
    #[serde(flatten)]
    pub common: Common,

    pub target_ports: Vec<Port>,
    pub zones: Option<Vec<String>>,
    #[serde(default)]
    pub ports: Vec<Port>,
    pub backup: Option<Backup>,

    pub pools: BTreeMap<String, Body>,
    #[serde(default)]
    pub selector: Selector,
    #[serde(default)]
    #[versioned(list_map_keys("name"))]
    pub env: Vec<Variable>,

    #[versioned(with = IntText)]
    #[schemars(regex(pattern = "^[0-9]{1,3}$"))]
    pub size: String,
    #[versioned(with = IntOrString, fallback(downgrade = 0), int_or_string)]
    pub port: Value,
    #[versioned(with = Presence)]
    pub tls: Option<Tls>,
    #[versioned(with = Table(&[(0, "Low"), (1, "Low"), (2, "High")]))]
    pub level: Level,
    #[versioned(with = Checked)]
    pub near: i32,
    #[versioned(with = Checked, fallback(upgrade = -1))]
    pub far: i32,
    #[versioned(with = Clamped)]
    pub any: i32,
    #[versioned(with = Rounded, fallback(upgrade = 0))]
    pub ratio: i64,

    #[versioned(with = ZeroAsAbsent)]
    pub enabled: Option<bool>,
    #[versioned(with = AbsentIs(3))]
    pub replicas: i64,
    #[versioned(with = AbsentIs("standard"))]
    pub class: String,

    #[schemars(regex(pattern = "^([a-c]{1,2}/)?v[12]$"))]
    pub api_version: String,
    pub secret: Option<Reference>,

    #[serde(default)]
    pub states: BTreeMap<String, State>,
    #[serde(default)]
    pub conditions: Vec<Condition>,

    #[schemars(regex(pattern = "^([0-9]{1,3}(ms|s|m|h)){1,2}$"))]
    pub timeout: String,
    #[schemars(regex(pattern = "^([0-9]{1,2}s|soon)$"))]
    pub delay: Option<String>,
    #[schemars(regex(pattern = "^[0-9]{1,4}(\\.[0-9])?(Ki|Mi|k|m)?$"))]
    pub memory: String,
    #[schemars(regex(pattern = "^[a-c:]{1,3}:[0-9]{1,3}$"))]
    pub endpoint: String,
    #[schemars(regex(pattern = "^(\\{\"a\": ?[0-9]{1,2}\\}|oops)$"))]
    pub config: String,

    pub strategy: String,
    pub surge: Option<i64>,

    #[versioned(preserve_unknown_fields)]
    pub raw: Option<Value>,
    pub depth: i64,
    pub suspend: Option<bool>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = super::v1alpha2::Status)]
pub struct Status {
    pub phase: Option<String>,
    #[versioned(renamed_from = message)]
    pub text: Option<String>,
}

/// A converter inside the items of a list and of a map.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[versioned(from = super::v1alpha2::Leg)]
pub struct Leg {
    pub name: String,
    pub mode: Mode,
    #[versioned(default = 3)]
    pub weight: i64,
    #[versioned(renamed_from = wait, with = GoDuration::SECONDS)]
    #[schemars(range(min = 0, max = 100))]
    pub wait_seconds: Option<i64>,
    pub toll: Option<i64>,
}

#[derive(Serialize, Deserialize, JsonSchema, Default)]
pub struct Tls {
    pub secret: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Level {
    Low,
    High,
}
