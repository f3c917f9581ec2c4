//! An operator's API in three versions.
//!
//! A `Fleet` runs copies of a program on groups of nodes. Each version has a file; what changed is said in the file of
//! the newer one. The controller knows only the newest.

pub mod controller;
mod convert;
pub mod v1;
pub mod v1alpha1;
pub mod v1beta1;

use crd_conv::Versioned;

/// The resource: its variants are the versions, the oldest first.
#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "fleets",
    short_name = "fl",
    category = "all",
    scope = "Namespaced",
    label("app.kubernetes.io/part-of" = "fleet"),
))]
pub enum Fleet {
    #[versioned(
        deprecated = "example.com/v1alpha1 Fleet is deprecated; use example.com/v1",
        printer_column(name = "Size", type = "integer", json_path = ".spec.size"),
        printer_column(name = "Phase", type = "string", json_path = ".status.phase"),
        scale(spec_replicas_path = ".spec.size", status_replicas_path = ".status.replicas")
    )]
    V1alpha1 { spec: v1alpha1::FleetSpec, status: Option<v1alpha1::FleetStatus> },
    #[versioned(
        storage,
        printer_column(name = "Replicas", type = "integer", json_path = ".spec.replicas"),
        printer_column(name = "Phase", type = "string", json_path = ".status.phase"),
        scale(
            spec_replicas_path = ".spec.replicas",
            status_replicas_path = ".status.replicas",
            label_selector_path = ".status.selector",
        )
    )]
    V1beta1 { spec: v1beta1::FleetSpec, status: Option<v1beta1::FleetStatus> },
    #[versioned(
        printer_column(name = "Replicas", type = "integer", json_path = ".spec.replicas"),
        printer_column(name = "Ready", type = "integer", json_path = ".status.readyReplicas"),
        printer_column(name = "Phase", type = "string", json_path = ".status.phase"),
        printer_column(name = "Image", type = "string", json_path = ".spec.image", priority = 1),
        printer_column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
        scale(
            spec_replicas_path = ".spec.replicas",
            status_replicas_path = ".status.replicas",
            label_selector_path = ".status.selector",
        ),
        selectable_field = ".spec.image",
        validation(
            "self.metadata.name.size() <= 52",
            message = "a fleet's name has at most 52 characters, because its members have a number behind it"
        )
    )]
    V1 { spec: v1::FleetSpec, status: Option<v1::FleetStatus> },
}
