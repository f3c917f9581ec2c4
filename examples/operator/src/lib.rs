//! A whole operator.
//!
//! A `MaintenanceWindow` says when nodes, databases or whatever reads it may be worked on. The controller writes into its
//! status whether it is open, and when that changes next. The same program serves the conversions between its versions.

pub mod controller;
mod convert;
mod run;
mod schedule;
pub mod v1;
pub mod v1alpha1;
pub mod v1beta1;

use crd_conv::Versioned;
use crd_conv::crd::Webhook;

pub use run::{Run, run, start};

/// The resource: its variants are the versions, the oldest first.
#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "maintenancewindows",
    short_name = "mw",
    scope = "Namespaced",
))]
pub enum MaintenanceWindow {
    #[versioned(
        deprecated = "example.com/v1alpha1 MaintenanceWindow is deprecated; use example.com/v1",
        printer_column(name = "Window", type = "string", json_path = ".spec.window")
    )]
    V1alpha1 {
        spec: v1alpha1::MaintenanceWindowSpec,
        status: Option<v1alpha1::MaintenanceWindowStatus>,
    },
    #[versioned(printer_column(name = "Active", type = "boolean", json_path = ".status.active"))]
    V1beta1 {
        spec: v1beta1::MaintenanceWindowSpec,
        status: Option<v1beta1::MaintenanceWindowStatus>,
    },
    #[versioned(
        storage,
        printer_column(name = "Active", type = "boolean", json_path = ".status.active"),
        // A column of type `date` shows how long ago a time was, and `<invalid>` for one that is to come.
        printer_column(name = "Next change", type = "string", json_path = ".status.nextChange"),
        printer_column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp")
    )]
    V1 { spec: v1::MaintenanceWindowSpec, status: Option<v1::MaintenanceWindowStatus> },
}

/// The Service in `deploy`.
const NAMESPACE: &str = "maintenance-system";
const SERVICE: &str = "maintenance-operator";

/// Where the API server finds the conversions: the Service in `deploy`. A chart has its release's in place of it.
pub fn webhook() -> Webhook {
    Webhook::service(NAMESPACE, SERVICE)
}
