//! The types of both versions.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned)]
#[allow(clippy::large_enum_variant, reason = "nobody holds one")]
#[versioned(resource(
    group = "karpenter.sh",
    plural = "nodepools",
    category = "karpenter",
    scope = "Cluster"
))]
pub(crate) enum NodePool {
    V1beta1 {
        spec: v1beta1::NodePoolSpec,
        status: Option<Status>,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::NodePoolSpec,
        status: Option<Status>,
    },
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Status {
    resources: Option<BTreeMap<String, String>>,
    conditions: Option<Vec<common::Condition>>,
}

/// What both versions have.
pub(crate) mod common {
    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Condition {
        r#type: String,
        status: String,
        observed_generation: Option<i64>,
        last_transition_time: String,
        reason: String,
        message: String,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Metadata {
        labels: Option<BTreeMap<String, String>>,
        annotations: Option<BTreeMap<String, String>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Taint {
        key: String,
        value: Option<String>,
        effect: String,
        time_added: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Requirement {
        key: String,
        operator: String,
        values: Option<Vec<String>>,
        min_values: Option<i32>,
    }
}

pub(crate) mod v1beta1 {
    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct NodePoolSpec {
        template: NodeClaimTemplate,
        #[serde(default)]
        disruption: Disruption,
        limits: Option<BTreeMap<String, String>>,
        weight: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub(crate) struct Disruption {
        consolidate_after: Option<String>,
        consolidation_policy: ConsolidationPolicy,
        expire_after: String,
        budgets: Vec<Budget>,
    }

    impl Default for Disruption {
        fn default() -> Self {
            Self {
                consolidate_after: None,
                consolidation_policy: ConsolidationPolicy::WhenUnderutilized,
                expire_after: "720h".to_owned(),
                budgets: vec![Budget::default()],
            }
        }
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) enum ConsolidationPolicy {
        WhenEmpty,
        WhenUnderutilized,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Budget {
        #[versioned(default = "10%")]
        #[serde(default = "ten_percent")]
        nodes: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        schedule: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        duration: Option<String>,
    }

    pub(crate) fn ten_percent() -> String {
        "10%".to_owned()
    }

    impl Default for Budget {
        fn default() -> Self {
            Self { nodes: ten_percent(), schedule: None, duration: None }
        }
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct NodeClaimTemplate {
        metadata: Option<Metadata>,
        spec: NodeClaimSpec,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct NodeClaimSpec {
        taints: Option<Vec<Taint>>,
        startup_taints: Option<Vec<Taint>>,
        requirements: Vec<Requirement>,
        resources: Option<Resources>,
        kubelet: Option<Kubelet>,
        node_class_ref: NodeClassRef,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Resources {
        requests: Option<BTreeMap<String, String>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Kubelet {
        #[serde(rename = "clusterDNS")]
        cluster_dns: Option<Vec<String>>,
        max_pods: Option<i32>,
        pods_per_core: Option<i32>,
        system_reserved: Option<BTreeMap<String, String>>,
        kube_reserved: Option<BTreeMap<String, String>>,
        eviction_hard: Option<BTreeMap<String, String>>,
        eviction_soft: Option<BTreeMap<String, String>>,
        eviction_soft_grace_period: Option<BTreeMap<String, String>>,
        eviction_max_pod_grace_period: Option<i32>,
        #[serde(rename = "imageGCHighThresholdPercent")]
        image_gc_high_threshold_percent: Option<i32>,
        #[serde(rename = "imageGCLowThresholdPercent")]
        image_gc_low_threshold_percent: Option<i32>,
        #[serde(rename = "cpuCFSQuota")]
        cpu_cfs_quota: Option<bool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct NodeClassRef {
        kind: Option<String>,
        name: String,
        api_version: Option<String>,
    }
}

pub(crate) mod v1 {
    use crd_conv::{
        ConvertError, Converter,
        with::{AbsentBecomes, ApiGroup, Then},
    };

    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = v1beta1::NodePoolSpec,
        moved(disruption.expire_after => template.spec.expire_after),
    )]
    pub(crate) struct NodePoolSpec {
        template: NodeClaimTemplate,
        #[serde(default)]
        disruption: Disruption,
        limits: Option<BTreeMap<String, String>>,
        weight: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = v1beta1::Disruption,
        removed(expire_after),
        map(
            (consolidation_policy, consolidate_after) <=> (consolidation_policy, consolidate_after),
            with = Consolidation,
        ),
    )]
    pub(crate) struct Disruption {
        consolidate_after: String,
        #[serde(default)]
        consolidation_policy: ConsolidationPolicy,
        #[serde(default = "one_budget")]
        budgets: Vec<Budget>,
    }

    fn one_budget() -> Vec<Budget> {
        vec![Budget::default()]
    }

    impl Default for Disruption {
        fn default() -> Self {
            Self {
                consolidate_after: "0s".to_owned(),
                consolidation_policy: ConsolidationPolicy::default(),
                budgets: one_budget(),
            }
        }
    }

    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum ConsolidationPolicy {
        WhenEmpty,
        #[default]
        WhenEmptyOrUnderutilized,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::Budget)]
    pub(crate) struct Budget {
        #[versioned(added)]
        #[serde(skip_serializing_if = "Option::is_none")]
        reasons: Option<Vec<Reason>>,
        #[versioned(default = "10%")]
        #[serde(default = "v1beta1::ten_percent")]
        nodes: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        schedule: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        duration: Option<String>,
    }

    impl Default for Budget {
        fn default() -> Self {
            Self { reasons: None, nodes: v1beta1::ten_percent(), schedule: None, duration: None }
        }
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) enum Reason {
        Underutilized,
        Empty,
        Drifted,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::NodeClaimTemplate)]
    pub(crate) struct NodeClaimTemplate {
        metadata: Option<Metadata>,
        spec: NodeClaimSpec,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1beta1::NodeClaimSpec, removed(resources, kubelet))]
    pub(crate) struct NodeClaimSpec {
        taints: Option<Vec<Taint>>,
        startup_taints: Option<Vec<Taint>>,
        requirements: Vec<Requirement>,
        node_class_ref: NodeClassRef,
        #[versioned(added)]
        termination_grace_period: Option<String>,
        #[versioned(added, default = "720h")]
        #[serde(default = "thirty_days")]
        expire_after: String,
    }

    fn thirty_days() -> String {
        "720h".to_owned()
    }

    /// What Karpenter for AWS takes where the older version says nothing.
    const KIND: AbsentBecomes<&str> = AbsentBecomes("EC2NodeClass");
    type Group = Then<AbsentBecomes<&'static str>, ApiGroup, String>;
    const GROUP: Group = Then::new(AbsentBecomes("karpenter.k8s.aws/v1beta1"), ApiGroup("v1beta1"));

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::NodeClassRef)]
    pub(crate) struct NodeClassRef {
        #[versioned(with = KIND)]
        kind: String,
        name: String,
        // As in the project's own schema. Without it a group may have a slash, and such an object breaks every list.
        #[schemars(regex(pattern = r"^[^/]*$"))]
        #[versioned(renamed_from = api_version, with = GROUP)]
        group: String,
    }

    /// What is consolidated at any time has a time of its own in the newer version.
    struct Consolidation;

    type Older = (v1beta1::ConsolidationPolicy, Option<String>);
    type Newer = (ConsolidationPolicy, String);

    impl Converter<Older, Newer> for Consolidation {
        fn upgrade(&self, (policy, after): Older) -> Result<Newer, ConvertError> {
            Ok(match policy {
                v1beta1::ConsolidationPolicy::WhenUnderutilized => {
                    (ConsolidationPolicy::WhenEmptyOrUnderutilized, "0s".to_owned())
                }
                v1beta1::ConsolidationPolicy::WhenEmpty => {
                    (ConsolidationPolicy::WhenEmpty, after.unwrap_or_else(|| "Never".to_owned()))
                }
            })
        }

        fn downgrade(&self, (policy, after): Newer) -> Result<Older, ConvertError> {
            Ok(match policy {
                ConsolidationPolicy::WhenEmptyOrUnderutilized => {
                    (v1beta1::ConsolidationPolicy::WhenUnderutilized, None)
                }
                ConsolidationPolicy::WhenEmpty => {
                    (v1beta1::ConsolidationPolicy::WhenEmpty, Some(after))
                }
            })
        }
    }
}
