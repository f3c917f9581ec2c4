//! The CronTab of another page of the Kubernetes documentation, with its defaults, its rules and its scale subresource,
//! and a version that could come after it.
//!
//! Source: <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/>

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        validation(
            "self.minReplicas <= self.replicas",
            message = "replicas should be greater than or equal to minReplicas."
        ),
        validation(
            "self.replicas <= self.maxReplicas",
            message = "replicas should be smaller than or equal to maxReplicas."
        )
    )]
    pub struct CronTabSpec {
        /// When the job runs.
        #[schemars(regex(pattern = r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$"))]
        #[versioned(default = "5 0 * * *")]
        pub cron_spec: String,
        pub image: String,
        #[versioned(default = 1)]
        pub min_replicas: i32,
        #[schemars(range(min = 1, max = 10))]
        #[versioned(default = 1)]
        pub replicas: i32,
        #[versioned(default = 10)]
        pub max_replicas: i32,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct CronTabStatus {
        pub replicas: i32,
        /// The copies, for `kubectl scale` and the autoscaler.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[versioned(nullable = false)]
        pub label_selector: Option<String>,
    }
}

pub mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1::CronTabSpec,
        validation(
            "self.minReplicas <= self.replicas",
            message = "replicas should be greater than or equal to minReplicas."
        ),
        validation(
            "self.replicas <= self.maxReplicas",
            message = "replicas should be smaller than or equal to maxReplicas."
        ),
    )]
    pub struct CronTabSpec {
        /// When the job runs.
        #[schemars(regex(pattern = r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$"))]
        #[versioned(renamed_from = cron_spec, default = "5 0 * * *")]
        pub schedule: String,
        /// Where `schedule` is meant. In another place jobs would be left out, or run again.
        #[schemars(length(max = 64))]
        #[versioned(
            added,
            nullable = false,
            validation("self == oldSelf", message = "the time zone can't change")
        )]
        pub time_zone: Option<String>,
        pub image: String,
        /// What the job finds in its environment.
        #[serde(default)]
        #[schemars(length(max = 100))]
        #[versioned(added, list_map_keys(name))]
        pub env: Vec<EnvVar>,
        #[versioned(default = 1)]
        pub min_replicas: i32,
        #[schemars(range(min = 1, max = 10))]
        #[versioned(default = 1)]
        pub replicas: i32,
        #[versioned(default = 10)]
        pub max_replicas: i32,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct EnvVar {
        #[schemars(length(min = 1, max = 256))]
        pub name: String,
        #[serde(default)]
        pub value: String,
    }
}

/// The resource: its variants are the versions, the oldest first.
#[derive(Versioned)]
#[versioned(resource(
    group = "stable.example.com",
    plural = "crontabs",
    short_name = "ct",
    scope = "Namespaced"
))]
pub enum CronTab {
    #[versioned(
        storage,
        printer_column(name = "Spec", type = "string", json_path = ".spec.cronSpec"),
        printer_column(name = "Replicas", type = "integer", json_path = ".spec.replicas"),
        printer_column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
        scale(
            spec_replicas_path = ".spec.replicas",
            status_replicas_path = ".status.replicas",
            label_selector_path = ".status.labelSelector",
        )
    )]
    V1 { spec: v1::CronTabSpec, status: Option<v1::CronTabStatus> },
    #[versioned(
        printer_column(name = "Schedule", type = "string", json_path = ".spec.schedule"),
        printer_column(name = "Replicas", type = "integer", json_path = ".spec.replicas"),
        printer_column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
        scale(
            spec_replicas_path = ".spec.replicas",
            status_replicas_path = ".status.replicas",
            label_selector_path = ".status.labelSelector",
        ),
        validation(
            "self.metadata.name.size() <= 52",
            message = "a crontab's name has at most 52 characters, because its jobs have the time behind it"
        )
    )]
    V2 { spec: v2::CronTabSpec, status: Option<v1::CronTabStatus> },
}
