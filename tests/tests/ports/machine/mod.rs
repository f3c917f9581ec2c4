//! `Machine` of Cluster API, `v1beta1` to `v1beta2`, as in its release 1.13:
//! <https://cluster-api.sigs.k8s.io/developer/providers/migrations/v1.10-to-v1.11>.
//!
//! | | |
//! |---|---|
//! | rules | 6 moved, 3 moved and converted, 1 converted and renamed in a nested struct, 1 converted, 2 added, 4 removed, 1 variant added |
//! | lines of mapping | 52, and 25 of a converter |
//! | the project's converters | 272 lines by hand for this kind; 2,505 for all kinds of the group, and 3,943 generated |
//!
//! `nodeDrainTimeout: 10s` became `deletion.nodeDrainTimeoutSeconds: 10`.

pub(crate) mod types;

use crd_conv::{ResourceType, crd::CrdOptions, crd::Webhook};
use serde_json::{Value, json};

use types::Machine;

crd_conv::laws!(Machine);

fn object(version: &str, parts: &Value) -> String {
    let mut object = json!({
        "apiVersion": format!("cluster.x-k8s.io/{version}"),
        "kind": "Machine",
        "metadata": {"name": "md-0", "namespace": "prod"},
    });
    object.as_object_mut().unwrap().extend(parts.as_object().unwrap().clone());
    object.to_string()
}

/// The spec and the status, without what is kept for another version.
fn parts(object: &str) -> Value {
    let object: Value = serde_json::from_str(object).unwrap();
    let mut status = object["status"].clone();
    if let Some(status) = status.as_object_mut() {
        status.remove("conversionEntries");
    }
    json!({"spec": object["spec"], "status": status})
}

fn condition() -> Value {
    json!({
        "type": "Available", "status": "True", "reason": "Available", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z",
    })
}

fn old_condition() -> Value {
    json!({"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"})
}

fn older() -> Value {
    let reference = |kind: &str, group: &str| json!({"kind": kind, "name": "md-0", "namespace": "prod", "apiVersion": format!("{group}/v1beta1")});
    json!({
        "spec": {
            "clusterName": "prod",
            "bootstrap": {"configRef": reference("KubeadmConfig", "bootstrap.cluster.x-k8s.io"), "dataSecretName": "md-0"},
            "infrastructureRef": reference("DockerMachine", "infrastructure.cluster.x-k8s.io"),
            "version": "v1.34.0",
            "providerID": "docker:////md-0",
            "failureDomain": "fd1",
            "readinessGates": [{"conditionType": "Synced", "polarity": "Positive"}],
            "nodeDrainTimeout": "10s",
            "nodeDeletionTimeout": "5m0s",
        },
        "status": {
            "nodeRef": {"kind": "Node", "name": "node-0", "apiVersion": "v1"},
            "phase": "Running",
            "addresses": [{"type": "InternalIP", "address": "10.0.0.5"}],
            "bootstrapReady": true,
            "infrastructureReady": true,
            "observedGeneration": 2,
            "failureReason": "CreateError",
            "failureMessage": "no quota",
            "conditions": [old_condition()],
            "v1beta2": {"conditions": [condition()]},
        },
    })
}

/// What Cluster API's own code makes of it.
fn newer() -> Value {
    let reference =
        |kind: &str, group: &str| json!({"kind": kind, "name": "md-0", "apiGroup": group});
    json!({
        "spec": {
            "clusterName": "prod",
            "bootstrap": {"configRef": reference("KubeadmConfig", "bootstrap.cluster.x-k8s.io"), "dataSecretName": "md-0"},
            "infrastructureRef": reference("DockerMachine", "infrastructure.cluster.x-k8s.io"),
            "version": "v1.34.0",
            "providerID": "docker:////md-0",
            "failureDomain": "fd1",
            "readinessGates": [{"conditionType": "Synced", "polarity": "Positive"}],
            "deletion": {"nodeDrainTimeoutSeconds": 10, "nodeDeletionTimeoutSeconds": 300},
        },
        "status": {
            "nodeRef": {"name": "node-0"},
            "phase": "Running",
            "addresses": [{"type": "InternalIP", "address": "10.0.0.5"}],
            "initialization": {"bootstrapDataSecretCreated": true, "infrastructureProvisioned": true},
            "observedGeneration": 2,
            "conditions": [condition()],
            "deprecated": {"v1beta1": {
                "conditions": [old_condition()], "failureReason": "CreateError", "failureMessage": "no quota",
            }},
        },
    })
}

#[test]
fn upwards_it_says_what_cluster_api_says() {
    let resource = ResourceType::of::<Machine>();
    let newest = resource.convert(object("v1beta1", &older()).as_bytes(), "v1beta2").unwrap();
    assert_eq!(parts(&newest.json), newer());
    let back = resource.convert(newest.json.as_bytes(), "v1beta1").unwrap();
    assert_eq!(parts(&back.json), older());
}

/// A new object, in which nothing is kept. Cluster API's code finds the newest API version of the references' kinds in the cluster and
/// writes the machine's namespace; a conversion here asks nobody, and what is shown of an API version is what the mapping says.
#[test]
fn downwards_it_says_what_cluster_api_says_but_for_references() {
    let resource = ResourceType::of::<Machine>();
    let oldest = resource.convert(object("v1beta2", &newer()).as_bytes(), "v1beta1").unwrap();
    let mut expected = older();
    for reference in ["/spec/bootstrap/configRef", "/spec/infrastructureRef"] {
        let reference = expected.pointer_mut(reference).unwrap().as_object_mut().unwrap();
        reference.remove("namespace").unwrap();
        let version = reference["apiVersion"].as_str().unwrap().replace("v1beta1", "v1beta2");
        reference["apiVersion"] = version.into();
    }
    assert_eq!(parts(&oldest.json), expected);
}

/// Each field is a rule of its own: where one is edited, the fraction of a second in another is still there. Cluster API's code rounds all three.
#[test]
fn an_edit_of_one_duration_leaves_the_others() {
    let resource = ResourceType::of::<Machine>();
    let mut before = older();
    before["spec"]["nodeDeletionTimeout"] = "5m0.5s".into();
    let newest = resource.convert(object("v1beta1", &before).as_bytes(), "v1beta2").unwrap().json;
    let mut edited: Value = serde_json::from_str(&newest).unwrap();
    edited["spec"]["deletion"]["nodeDrainTimeoutSeconds"] = 20.into();
    let back = resource.convert(edited.to_string().as_bytes(), "v1beta1").unwrap();
    before["spec"]["nodeDrainTimeout"] = "20s".into();
    assert_eq!(parts(&back.json), before);
}

/// Cluster API takes the phase from what its annotation keeps, whatever a client has written since; here an edit wins.
#[test]
fn a_phase_that_the_older_version_does_not_know() {
    let resource = ResourceType::of::<Machine>();
    let mut newest = newer();
    newest["status"]["phase"] = "Updating".into();
    let oldest = resource.convert(object("v1beta2", &newest).as_bytes(), "v1beta1").unwrap().json;
    assert_eq!(parts(&oldest)["status"]["phase"], "Running");
    let back = resource.convert(oldest.as_bytes(), "v1beta2").unwrap();
    assert_eq!(parts(&back.json)["status"]["phase"], "Updating");
    let mut edited: Value = serde_json::from_str(&oldest).unwrap();
    edited["status"]["phase"] = "Deleting".into();
    let back = resource.convert(edited.to_string().as_bytes(), "v1beta2").unwrap();
    assert_eq!(parts(&back.json)["status"]["phase"], "Deleting");
}

#[test]
fn the_api_server_takes_its_definition() {
    let options =
        CrdOptions::new().webhook(Webhook::service("capi-system", "capi-webhook-service"));
    let crd = ResourceType::of::<Machine>().crd(&options).unwrap();
    let report = crd.verify();
    assert!(report.accepts(), "{report}");
}
