//! The newest version, with which the controller works. The window has a length in place of an end, and conditions in place of a message.

use crd_conv::Versioned;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::Length;
use super::v1beta1;
// These are as they were.
pub use super::v1beta1::Day;

/// When work may be done.
#[derive(
    CustomResource, Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq,
)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "MaintenanceWindow",
    plural = "maintenancewindows",
    namespaced,
    status = "MaintenanceWindowStatus"
)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = v1beta1::MaintenanceWindowSpec,
    map((start, end) <=> (start, minutes), with = Length),
)]
pub struct MaintenanceWindowSpec {
    /// When it begins in UTC, such as `22:00`.
    #[schemars(regex(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub start: String,
    /// How long it is.
    #[schemars(range(min = 1, max = 1440))]
    pub minutes: i32,
    /// On which days it begins; on all without this.
    #[serde(default)]
    pub days: Vec<Day>,
    #[serde(default)]
    #[versioned(renamed_from = paused)]
    pub suspended: bool,
}

/// Whether work may be done now.
#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[versioned(from = v1beta1::MaintenanceWindowStatus, removed(message), nullable = false)]
pub struct MaintenanceWindowStatus {
    pub active: bool,
    /// When it opens or closes next, as RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[versioned(added)]
    pub next_change: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[versioned(added)]
    pub observed_generation: Option<i64>,
    #[serde(default)]
    #[versioned(added, list_map_keys(type_))]
    pub conditions: Vec<Condition>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    #[serde(rename = "type")]
    pub type_: String,
    pub status: String,
    pub reason: String,
    pub message: String,
    pub last_transition_time: String,
}
