//! The types of both versions. Quantities are texts here.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned)]
#[versioned(resource(
    group = "kueue.x-k8s.io",
    plural = "clusterqueues",
    short_name = "cq",
    scope = "Cluster"
))]
pub(crate) enum ClusterQueue {
    V1beta1 {
        spec: v1beta1::ClusterQueueSpec,
        status: Option<v1beta1::ClusterQueueStatus>,
    },
    #[versioned(storage)]
    V1beta2 {
        spec: v1beta2::ClusterQueueSpec,
        status: Option<v1beta2::ClusterQueueStatus>,
    },
}

/// What both versions have.
pub(crate) mod common {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ResourceGroup {
        covered_resources: Vec<String>,
        #[versioned(list_map_keys(name))]
        flavors: Vec<FlavorQuotas>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct FlavorQuotas {
        name: String,
        #[versioned(list_map_keys(name))]
        resources: Vec<ResourceQuota>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ResourceQuota {
        name: String,
        nominal_quota: String,
        borrowing_limit: Option<String>,
        lending_limit: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum QueueingStrategy {
        #[serde(rename = "StrictFIFO")]
        Strict,
        #[serde(rename = "BestEffortFIFO")]
        BestEffort,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct LabelSelector {
        match_labels: Option<BTreeMap<String, String>>,
        match_expressions: Option<Vec<LabelSelectorRequirement>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct LabelSelectorRequirement {
        key: String,
        operator: String,
        values: Option<Vec<String>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Preemption {
        reclaim_within_cohort: Option<ReclaimPolicy>,
        borrow_within_cohort: Option<BorrowWithinCohort>,
        within_cluster_queue: Option<WithinPolicy>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum ReclaimPolicy {
        Never,
        LowerPriority,
        Any,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum WithinPolicy {
        Never,
        LowerPriority,
        LowerOrNewerEqualPriority,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct BorrowWithinCohort {
        policy: Option<BorrowPolicy>,
        max_priority_threshold: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum BorrowPolicy {
        Never,
        LowerPriority,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct AdmissionChecksStrategy {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub(crate) admission_checks: Vec<AdmissionCheck>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct AdmissionCheck {
        pub(crate) name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) on_flavors: Option<Vec<String>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum StopPolicy {
        None,
        Hold,
        HoldAndDrain,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum Preference {
        BorrowingOverPreemption,
        PreemptionOverBorrowing,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct FairSharing {
        weight: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct AdmissionScope {
        admission_mode: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct FlavorUsage {
        name: String,
        #[versioned(list_map_keys(name))]
        resources: Vec<ResourceUsage>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct ResourceUsage {
        name: String,
        total: Option<String>,
        borrowed: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Condition {
        r#type: String,
        status: String,
        observed_generation: Option<i64>,
        last_transition_time: String,
        reason: String,
        message: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct FairSharingStatus {
        weighted_share: i64,
    }
}

pub(crate) mod v1beta1 {
    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ClusterQueueSpec {
        resource_groups: Option<Vec<ResourceGroup>>,
        cohort: Option<String>,
        #[serde(default = "best_effort")]
        queueing_strategy: QueueingStrategy,
        namespace_selector: Option<LabelSelector>,
        #[serde(default)]
        flavor_fungibility: FlavorFungibility,
        preemption: Option<Preemption>,
        admission_checks: Option<Vec<String>>,
        admission_checks_strategy: Option<AdmissionChecksStrategy>,
        #[serde(default = "no_stop")]
        stop_policy: StopPolicy,
        fair_sharing: Option<FairSharing>,
        admission_scope: Option<AdmissionScope>,
    }

    pub(super) fn best_effort() -> QueueingStrategy {
        QueueingStrategy::BestEffort
    }

    pub(super) fn no_stop() -> StopPolicy {
        StopPolicy::None
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub(crate) struct FlavorFungibility {
        when_can_borrow: WhenCanBorrow,
        when_can_preempt: WhenCanPreempt,
        preference: Option<Preference>,
    }

    impl Default for FlavorFungibility {
        fn default() -> Self {
            Self {
                when_can_borrow: WhenCanBorrow::MayStopSearch,
                when_can_preempt: WhenCanPreempt::TryNextFlavor,
                preference: None,
            }
        }
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum WhenCanBorrow {
        MayStopSearch,
        TryNextFlavor,
        Borrow,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum WhenCanPreempt {
        MayStopSearch,
        TryNextFlavor,
        Preempt,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ClusterQueueStatus {
        #[versioned(list_map_keys(r#type))]
        conditions: Option<Vec<Condition>>,
        #[versioned(list_map_keys(name))]
        flavors_reservation: Option<Vec<FlavorUsage>>,
        #[versioned(list_map_keys(name))]
        flavors_usage: Option<Vec<FlavorUsage>>,
        pending_workloads: i32,
        reserving_workloads: i32,
        admitted_workloads: i32,
        pending_workloads_status: Option<PendingWorkloadsStatus>,
        fair_sharing: Option<FairSharingStatus>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct PendingWorkloadsStatus {
        #[serde(rename = "clusterQueuePendingWorkload")]
        head: Vec<PendingWorkload>,
        last_change_time: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct PendingWorkload {
        name: String,
        namespace: String,
    }
}

pub(crate) mod v1beta2 {
    use crd_conv::{ConvertError, Converter};

    use super::v1beta1::{best_effort, no_stop};
    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = v1beta1::ClusterQueueSpec,
        map((admission_checks, admission_checks_strategy) <=> admission_checks_strategy, with = ChecksByName),
    )]
    pub(crate) struct ClusterQueueSpec {
        resource_groups: Option<Vec<ResourceGroup>>,
        #[versioned(renamed_from = cohort)]
        cohort_name: Option<String>,
        #[serde(default = "best_effort")]
        queueing_strategy: QueueingStrategy,
        namespace_selector: Option<LabelSelector>,
        #[serde(default)]
        flavor_fungibility: FlavorFungibility,
        preemption: Option<Preemption>,
        admission_checks_strategy: Option<AdmissionChecksStrategy>,
        #[serde(default = "no_stop")]
        stop_policy: StopPolicy,
        fair_sharing: Option<FairSharing>,
        admission_scope: Option<AdmissionScope>,
    }

    /// Checks by name alone are a strategy without flavors, and stand before another strategy.
    struct ChecksByName;

    type Older = (Option<Vec<String>>, Option<AdmissionChecksStrategy>);

    impl Converter<Older, Option<AdmissionChecksStrategy>> for ChecksByName {
        fn upgrade(
            &self,
            (names, strategy): Older,
        ) -> Result<Option<AdmissionChecksStrategy>, ConvertError> {
            let names = names.unwrap_or_default();
            if names.is_empty() {
                return Ok(strategy);
            }
            let checks = names.into_iter().map(|name| AdmissionCheck { name, on_flavors: None });
            Ok(Some(AdmissionChecksStrategy { admission_checks: checks.collect() }))
        }

        fn downgrade(
            &self,
            strategy: Option<AdmissionChecksStrategy>,
        ) -> Result<Older, ConvertError> {
            Ok((None, strategy))
        }
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", default)]
    #[versioned(from = v1beta1::FlavorFungibility)]
    pub(crate) struct FlavorFungibility {
        when_can_borrow: WhenCanBorrow,
        when_can_preempt: WhenCanPreempt,
        preference: Option<Preference>,
    }

    impl Default for FlavorFungibility {
        fn default() -> Self {
            Self {
                when_can_borrow: WhenCanBorrow::MayStopSearch,
                when_can_preempt: WhenCanPreempt::TryNextFlavor,
                preference: None,
            }
        }
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::WhenCanBorrow, removed(Borrow = MayStopSearch))]
    pub(crate) enum WhenCanBorrow {
        MayStopSearch,
        TryNextFlavor,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::WhenCanPreempt, removed(Preempt = MayStopSearch))]
    pub(crate) enum WhenCanPreempt {
        MayStopSearch,
        TryNextFlavor,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1beta1::ClusterQueueStatus, removed(pending_workloads_status))]
    pub(crate) struct ClusterQueueStatus {
        #[versioned(list_map_keys(r#type))]
        conditions: Option<Vec<Condition>>,
        #[versioned(list_map_keys(name))]
        flavors_reservation: Option<Vec<FlavorUsage>>,
        #[versioned(list_map_keys(name))]
        flavors_usage: Option<Vec<FlavorUsage>>,
        pending_workloads: i32,
        reserving_workloads: i32,
        admitted_workloads: i32,
        fair_sharing: Option<FairSharingStatus>,
    }
}
