//! The oldest version.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    // For the attributes' own rules.
    pub title: String,
    pub phase: Option<String>,
    pub owner: Option<String>,
    pub timeout_seconds: Option<i64>,
    pub route: Option<Route>,
    #[serde(default)]
    #[versioned(list_map_keys(name))]
    pub legs: Vec<Leg>,
    #[serde(default)]
    pub places: BTreeMap<String, Leg>,
    #[serde(flatten)]
    pub common: Common,

    // For converters between one value and many.
    pub target_port: i32,
    pub zone: Option<String>,
    #[serde(default)]
    pub ports: Vec<i32>,
    #[serde(default)]
    pub backups: Vec<Backup>,

    // For lists and maps.
    #[versioned(list_map_keys("name"))]
    pub pools: Vec<Pool>,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,

    // For scalars.
    pub size: i64,
    pub port: i32,
    pub tls: bool,
    #[schemars(range(min = 0, max = 2))]
    pub level: i64,
    #[schemars(range(min = -100, max = 100))]
    pub near: i64,
    pub far: i64,
    pub any: i64,
    pub ratio: f64,

    // For absent values.
    pub enabled: bool,
    pub replicas: Option<i64>,
    pub class: Option<String>,

    // For references.
    #[schemars(regex(pattern = "^([a-c]{1,2}/)?v[12]$"))]
    pub api_version: String,
    pub secret: Option<Reference>,

    // For conditions.
    #[serde(default)]
    pub states: BTreeMap<String, State>,
    #[serde(default)]
    pub conditions: Vec<Condition>,

    // For strings.
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

    // For a group of fields.
    pub strategy: String,
    pub surge: Option<i64>,

    #[versioned(preserve_unknown_fields)]
    pub raw: Option<Value>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Route {
    pub from: Option<String>,
    pub to: Option<String>,
    pub by: Option<Box<Stop>>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Stop {
    pub place: Option<String>,
    pub days: i64,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Leg {
    pub name: String,
    pub mode: Mode,
    #[versioned(default = 3)]
    pub weight: i64,
    #[schemars(regex(pattern = "^[0-9]{1,2}(s|ms)$"))]
    pub wait: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub enum Mode {
    Road,
    Rail,
    Ferry,
    Canal,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Common {
    pub note: Option<String>,
    #[serde(default)]
    pub rank: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Backup {
    pub bucket: String,
    pub prefix: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Pool {
    pub name: String,
    pub weight: i64,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone)]
pub struct Reference {
    pub name: String,
    pub namespace: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct State {
    pub status: String,
    pub reason: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
pub struct Condition {
    #[schemars(regex(pattern = "^(Ready|Available|Synced)$"))]
    pub r#type: String,
    pub status: String,
}
