//! The first version: the window is one text.

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When work may be done.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[versioned(nullable = false)]
pub struct MaintenanceWindowSpec {
    /// From when to when in UTC, such as `22:00-02:00`.
    #[schemars(regex(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub window: String,
    /// On which days it begins; on all without this.
    #[serde(default)]
    pub days: Vec<Day>,
    /// Whom to ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq)]
pub enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

/// Whether work may be done now.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct MaintenanceWindowStatus {
    pub active: bool,
}
