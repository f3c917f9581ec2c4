//! Converters between one value and many, for lists and maps, and the attributes' own rules.

use std::collections::BTreeMap;

use crd_conv::{
    Versioned,
    with::{Each, First, Inverse, KeyedBy, MatchLabels, Pairs, Then, Wrapped},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::v1alpha1::{Backup, Condition, Reference, State};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = super::v1alpha1::Spec,
    removed(phase, owner),
    moved(timeout_seconds => checks.seconds),
)]
pub struct Spec {
    #[versioned(renamed_from = title)]
    pub name: String,
    pub checks: Option<Checks>,
    pub route: Option<Route>,
    #[serde(default)]
    #[versioned(list_map_keys(name))]
    pub legs: Vec<Leg>,
    #[serde(default)]
    pub places: BTreeMap<String, Leg>,
    #[serde(flatten)]
    pub common: Common,

    #[versioned(renamed_from = target_port, with = Then::<_, _, Port>::new(Wrapped("number"), First), fallback(downgrade = 0))]
    pub target_ports: Vec<Port>,
    #[versioned(renamed_from = zone, with = First)]
    pub zones: Option<Vec<String>>,
    #[serde(default)]
    #[versioned(with = Each(Wrapped("number")))]
    pub ports: Vec<Port>,
    #[versioned(renamed_from = backups, with = Inverse(First))]
    pub backup: Option<Backup>,

    #[versioned(with = KeyedBy("name"))]
    pub pools: BTreeMap<String, Body>,
    #[versioned(renamed_from = labels, with = MatchLabels)]
    #[serde(default)]
    pub selector: Selector,
    #[serde(default)]
    #[versioned(with = Inverse(Pairs("name", "value")), list_map_keys("name"))]
    pub env: Vec<Variable>,

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

    pub enabled: bool,
    pub replicas: Option<i64>,
    pub class: Option<String>,

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
    #[versioned(added(value = 7))]
    pub depth: i64,
    #[versioned(added)]
    pub suspend: Option<bool>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    pub phase: Option<String>,
    pub message: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Checks {
    pub seconds: Option<i64>,
    pub url: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = super::v1alpha1::Route)]
pub struct Route {
    #[versioned(renamed_from = from)]
    pub start: Option<String>,
    pub to: Option<String>,
    pub by: Option<Box<Stop>>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = super::v1alpha1::Stop, removed(days = 1))]
pub struct Stop {
    #[versioned(renamed_from = place)]
    pub town: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = super::v1alpha1::Leg)]
pub struct Leg {
    pub name: String,
    pub mode: Mode,
    #[versioned(default = 3)]
    pub weight: i64,
    #[schemars(regex(pattern = "^[0-9]{1,2}(s|ms)$"))]
    pub wait: Option<String>,
    #[versioned(added)]
    pub toll: Option<i64>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = super::v1alpha1::Mode, removed(Canal = Ship))]
pub enum Mode {
    Road,
    Rail,
    #[versioned(renamed_from = Ferry)]
    Ship,
    #[versioned(added(shown_as = Road))]
    Bike,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = super::v1alpha1::Common)]
pub struct Common {
    pub note: Option<String>,
    #[serde(default)]
    #[versioned(renamed_from = rank)]
    pub order: i64,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
pub struct Port {
    pub number: i32,
    pub name: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Body {
    pub weight: i64,
}

#[derive(Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Selector {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<Expression>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Expression {
    pub key: String,
    pub operator: String,
    #[serde(default)]
    pub values: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    pub name: String,
    pub value: String,
    pub comment: Option<String>,
}
