//! The types of two versions.

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned)]
#[versioned(resource(
    group = "cluster.x-k8s.io",
    plural = "machines",
    short_name = "ma",
    category = "cluster-api",
    scope = "Namespaced"
))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
pub(crate) enum Machine {
    V1beta1 {
        spec: v1beta1::MachineSpec,
        status: Option<v1beta1::MachineStatus>,
    },
    #[versioned(storage)]
    V1beta2 {
        spec: v1beta2::MachineSpec,
        status: Option<v1beta2::MachineStatus>,
    },
}

/// What both versions have.
pub(crate) mod common {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ReadinessGate {
        condition_type: String,
        polarity: Option<Polarity>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) enum Polarity {
        Positive,
        Negative,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Taint {
        key: String,
        value: Option<String>,
        effect: String,
        propagation: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct NodeInfo {
        #[serde(rename = "machineID")]
        machine_id: String,
        #[serde(rename = "systemUUID")]
        system_uuid: String,
        #[serde(rename = "bootID")]
        boot_id: String,
        kernel_version: String,
        os_image: String,
        container_runtime_version: String,
        kubelet_version: String,
        kube_proxy_version: String,
        operating_system: String,
        architecture: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Address {
        r#type: String,
        address: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[allow(clippy::struct_field_names, reason = "the names of the API")]
    pub(crate) struct DeletionStatus {
        node_drain_start_time: Option<String>,
        wait_for_node_volume_detach_start_time: Option<String>,
        wait_for_pre_drain_hook_start_time: Option<String>,
        wait_for_pre_terminate_hook_start_time: Option<String>,
    }

    /// Cluster API's own, of its older versions.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct OldCondition {
        r#type: String,
        status: String,
        severity: Option<String>,
        last_transition_time: String,
        reason: Option<String>,
        message: Option<String>,
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
}

pub(crate) mod v1beta1 {
    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct MachineSpec {
        cluster_name: String,
        bootstrap: Bootstrap,
        infrastructure_ref: ObjectReference,
        version: Option<String>,
        #[serde(rename = "providerID")]
        provider_id: Option<String>,
        failure_domain: Option<String>,
        #[versioned(list_map_keys(condition_type))]
        readiness_gates: Option<Vec<ReadinessGate>>,
        node_drain_timeout: Option<String>,
        node_volume_detach_timeout: Option<String>,
        node_deletion_timeout: Option<String>,
        #[versioned(list_map_keys(key, effect))]
        taints: Option<Vec<Taint>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Bootstrap {
        config_ref: Option<ObjectReference>,
        data_secret_name: Option<String>,
    }

    #[derive(Versioned, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ObjectReference {
        pub(crate) kind: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) namespace: Option<String>,
        pub(crate) name: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) uid: Option<String>,
        pub(crate) api_version: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) resource_version: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) field_path: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct MachineStatus {
        node_ref: Option<ObjectReference>,
        node_info: Option<NodeInfo>,
        last_updated: Option<String>,
        failure_reason: Option<String>,
        failure_message: Option<String>,
        addresses: Option<Vec<Address>>,
        phase: Option<Phase>,
        certificates_expiry_date: Option<String>,
        #[serde(default)]
        bootstrap_ready: bool,
        #[serde(default)]
        infrastructure_ready: bool,
        observed_generation: Option<i64>,
        conditions: Option<Vec<OldCondition>>,
        deletion: Option<DeletionStatus>,
        v1beta2: Option<V1beta2Status>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct V1beta2Status {
        #[versioned(list_map_keys(r#type))]
        conditions: Option<Vec<Condition>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum Phase {
        Pending,
        Provisioning,
        Provisioned,
        Running,
        Deleting,
        Deleted,
        Failed,
        Unknown,
    }
}

pub(crate) mod v1beta2 {
    use crd_conv::with::{ApiGroup, Clamped, GoDuration, Then};
    use crd_conv::{ConvertError, Converter};

    use super::{common::*, *};

    type Seconds = Then<GoDuration, Clamped, i64>;
    const SECONDS: Seconds = Then::new(GoDuration::SECONDS, Clamped);

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = v1beta1::MachineSpec,
        moved(
            node_drain_timeout => deletion.node_drain_timeout_seconds,
            with = SECONDS,
            fallback(upgrade = _),
        ),
        moved(
            node_volume_detach_timeout => deletion.node_volume_detach_timeout_seconds,
            with = SECONDS,
            fallback(upgrade = _),
        ),
        moved(
            node_deletion_timeout => deletion.node_deletion_timeout_seconds,
            with = SECONDS,
            fallback(upgrade = _),
        ),
    )]
    pub(crate) struct MachineSpec {
        cluster_name: String,
        bootstrap: Bootstrap,
        infrastructure_ref: ContractReference,
        version: Option<String>,
        #[serde(rename = "providerID")]
        provider_id: Option<String>,
        failure_domain: Option<String>,
        #[versioned(added)]
        min_ready_seconds: Option<i32>,
        #[versioned(list_map_keys(condition_type))]
        readiness_gates: Option<Vec<ReadinessGate>>,
        deletion: Option<DeletionSpec>,
        #[versioned(list_map_keys(key, effect))]
        taints: Option<Vec<Taint>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[allow(clippy::struct_field_names, reason = "the names of the API")]
    pub(crate) struct DeletionSpec {
        node_drain_timeout_seconds: Option<i32>,
        node_volume_detach_timeout_seconds: Option<i32>,
        node_deletion_timeout_seconds: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1beta1::Bootstrap)]
    pub(crate) struct Bootstrap {
        config_ref: Option<ContractReference>,
        data_secret_name: Option<String>,
    }

    /// The controller finds the API version of the kind, and the namespace is the machine's.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = v1beta1::ObjectReference,
        removed(namespace, uid, resource_version, field_path),
    )]
    pub(crate) struct ContractReference {
        kind: Option<String>,
        name: Option<String>,
        // As in the project's own schema. Without it a group may have a slash, and such an object breaks every list.
        #[schemars(regex(
            pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
        ))]
        #[versioned(renamed_from = api_version, with = ApiGroup("v1beta2"))]
        api_group: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = v1beta1::MachineStatus,
        moved(
            bootstrap_ready => initialization.bootstrap_data_secret_created,
            infrastructure_ready => initialization.infrastructure_provisioned,
            v1beta2.conditions => conditions,
            conditions => deprecated.v1beta1.conditions,
            failure_reason => deprecated.v1beta1.failure_reason,
            failure_message => deprecated.v1beta1.failure_message,
        ),
    )]
    pub(crate) struct MachineStatus {
        #[versioned(list_map_keys(r#type))]
        conditions: Option<Vec<Condition>>,
        initialization: Option<Initialization>,
        #[versioned(with = NodeName)]
        node_ref: Option<NodeReference>,
        node_info: Option<NodeInfo>,
        last_updated: Option<String>,
        addresses: Option<Vec<Address>>,
        #[versioned(added)]
        failure_domain: Option<String>,
        phase: Option<Phase>,
        certificates_expiry_date: Option<String>,
        observed_generation: Option<i64>,
        deletion: Option<DeletionStatus>,
        deprecated: Option<DeprecatedStatus>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Initialization {
        infrastructure_provisioned: Option<bool>,
        bootstrap_data_secret_created: Option<bool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct DeprecatedStatus {
        v1beta1: Option<DeprecatedV1beta1Status>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct DeprecatedV1beta1Status {
        conditions: Option<Vec<OldCondition>>,
        failure_reason: Option<String>,
        failure_message: Option<String>,
    }

    #[derive(Versioned, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct NodeReference {
        name: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1beta1::Phase)]
    pub(crate) enum Phase {
        Pending,
        Provisioning,
        Provisioned,
        Running,
        #[versioned(added(shown_as = Running))]
        Updating,
        Deleting,
        Deleted,
        Failed,
        Unknown,
    }

    /// The kind of a node is known.
    struct NodeName;

    impl Converter<v1beta1::ObjectReference, NodeReference> for NodeName {
        fn upgrade(&self, older: v1beta1::ObjectReference) -> Result<NodeReference, ConvertError> {
            Ok(NodeReference { name: older.name })
        }

        fn downgrade(
            &self,
            newer: NodeReference,
        ) -> Result<v1beta1::ObjectReference, ConvertError> {
            Ok(v1beta1::ObjectReference {
                kind: Some("Node".to_owned()),
                namespace: None,
                name: newer.name,
                uid: None,
                api_version: Some("v1".to_owned()),
                resource_version: None,
                field_path: None,
            })
        }
    }
}
