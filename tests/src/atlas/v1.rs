//! References, conditions, strings, and a group of fields.

use std::collections::BTreeMap;

use crd_conv::{
    ConvertError, Converter, Versioned,
    with::{
        ApiGroup, Each, GoDuration, InField, Inverse, JsonText, KeyedBy, Quantity, Renamed,
        Template, Wrapped,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::v1alpha1::{Backup, Condition};
use super::v1alpha2::{Body, Common, Port, Route, Selector, Variable};
use super::v1beta1::{Leg, Level, Tls};

const NOTHING: Config = Config { a: None };

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = super::v1beta1::Spec,
    removed(suspend),
    map(endpoint <=> (host, listen), with = Template::new("{host}:{port}"), fallback(downgrade = "none:0")),
    map((strategy, surge) <=> (strategy, surge), with = Surge),
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

    #[schemars(regex(pattern = "^[0-9]{1,3}$"))]
    pub size: String,
    #[versioned(int_or_string)]
    pub port: Value,
    pub tls: Option<Tls>,
    pub level: Level,
    pub near: i32,
    pub far: i32,
    pub any: i32,
    pub ratio: i64,

    pub enabled: Option<bool>,
    pub replicas: i64,
    pub class: String,

    #[versioned(renamed_from = api_version, with = ApiGroup("v1"))]
    #[schemars(regex(pattern = "^[a-c]{0,2}$"))]
    pub group: String,
    #[versioned(renamed_from = secret, with = Inverse(Wrapped("name")))]
    pub secret_name: Option<String>,

    #[serde(default)]
    #[versioned(with = Inverse(KeyedBy("type")), list_map_keys("type"))]
    pub states: Vec<TypedState>,
    #[serde(default)]
    #[versioned(with = Each(InField("type", Renamed(&[("Ready", "Available")]))))]
    pub conditions: Vec<Condition>,

    #[versioned(with = GoDuration::SECONDS)]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub timeout: i64,
    #[versioned(with = GoDuration::MILLISECONDS, fallback(upgrade = _))]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub delay: Option<i64>,
    #[versioned(with = Quantity::BYTES)]
    pub memory: i64,
    #[schemars(regex(pattern = "^[a-c:]{0,3}$"))]
    pub host: String,
    pub listen: u16,
    #[versioned(with = JsonText, fallback(upgrade = NOTHING))]
    pub config: Config,

    pub strategy: String,
    pub surge: Option<i64>,

    #[versioned(preserve_unknown_fields)]
    pub raw: Option<Value>,
    pub depth: i64,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = super::v1beta1::Status, removed(text))]
pub struct Status {
    pub phase: Option<String>,
    #[versioned(added)]
    pub observed: Option<i64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct TypedState {
    pub r#type: String,
    pub status: String,
    pub reason: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Config {
    pub a: Option<i64>,
}

/// A converter for a field that depends on another one: nothing surges if everything is recreated.
pub struct Surge;

type Fields = (String, Option<i64>);

impl Converter<Fields, Fields> for Surge {
    fn upgrade(&self, (strategy, surge): Fields) -> Result<Fields, ConvertError> {
        let surge = if strategy == "a" { Some(0) } else { surge };
        Ok((strategy, surge))
    }

    fn downgrade(&self, newer: Fields) -> Result<Fields, ConvertError> {
        Ok(newer)
    }
}
