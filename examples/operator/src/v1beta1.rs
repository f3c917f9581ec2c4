//! Start and end are fields of their own, and a window can be paused. The owner is gone: that is a label's work.

use crd_conv::Versioned;
use crd_conv::with::Template;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::v1alpha1;
// These are as they were.
pub use super::v1alpha1::Day;

/// When work may be done.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[versioned(
    from = v1alpha1::MaintenanceWindowSpec,
    map(window <=> (start, end), with = Template::new("{start}-{end}")),
    removed(owner),
    nullable = false,
)]
pub struct MaintenanceWindowSpec {
    /// When it begins in UTC, such as `22:00`.
    #[schemars(regex(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub start: String,
    /// When it ends, on the day after if that is earlier.
    #[schemars(regex(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub end: String,
    /// On which days it begins; on all without this.
    #[serde(default)]
    pub days: Vec<Day>,
    #[serde(default)]
    #[versioned(added)]
    pub paused: bool,
}

/// Whether work may be done now.
#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[versioned(from = v1alpha1::MaintenanceWindowStatus, nullable = false)]
pub struct MaintenanceWindowStatus {
    pub active: bool,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[versioned(added)]
    pub message: Option<String>,
}
