//! The objects that refer to a version.

use crd_conv_apiserver::apply;
use kube::Client;
use serde_json::{Value, json};

use super::{ADMISSION, GROUP, NAMESPACE, OLD};

/// Creates a dependent of a fleet, which it names in this version.
pub(super) async fn dependent(client: &Client, name: &str, api_version: &str, owner: &Value) {
    let owner = json!({
        "apiVersion": api_version, "kind": "Fleet", "blockOwnerDeletion": true,
        "name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"],
    });
    let metadata = json!({ "name": name, "namespace": NAMESPACE, "ownerReferences": [owner] });
    apply(client, &json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata })).await;
}

fn rule(version: &str) -> Value {
    json!({ "apiGroups": [GROUP], "apiVersions": [version], "operations": ["UPDATE"], "resources": ["fleets"] })
}

/// A policy that refuses each update with a label of the policy's name.
fn policy(name: &str, constraints: &Value) -> Value {
    json!({
        "apiVersion": ADMISSION, "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": format!("references-{name}") },
        "spec": {
            "matchConstraints": constraints,
            "validations": [{
                "expression": format!("!('{name}' in object.metadata.?labels.orValue({{}}))"), "message": "no such label",
            }],
        },
    })
}

fn binding(name: &str, rest: &Value) -> Value {
    let name = format!("references-{name}");
    let mut spec = json!({ "policyName": name, "validationActions": ["Deny"] });
    for (field, value) in rest.as_object().into_iter().flatten() {
        spec[field] = value.clone();
    }
    json!({
        "apiVersion": ADMISSION, "kind": "ValidatingAdmissionPolicyBinding", "metadata": { "name": name }, "spec": spec,
    })
}

/// A policy whose parameters are fleets of the old version. It matches `ConfigMap`s of one namespace.
pub(super) fn with_params(name: &str, space: &str) -> [Value; 2] {
    let rule = json!({
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
    });
    let selector = json!({ "matchLabels": { "kubernetes.io/metadata.name": space } });
    let mut policy =
        policy(name, &json!({ "resourceRules": [rule], "namespaceSelector": selector }));
    policy["spec"]["paramKind"] = json!({ "apiVersion": OLD, "kind": "Fleet" });
    let reference =
        json!({ "name": "target", "namespace": NAMESPACE, "parameterNotFoundAction": "Allow" });
    [policy, binding(name, &json!({ "paramRef": reference }))]
}

pub(super) async fn configure_admission(client: &Client) {
    for policy in [
        policy("equivalent", &json!({ "resourceRules": [rule("v1alpha1")] })),
        policy("exact", &json!({ "matchPolicy": "Exact", "resourceRules": [rule("v1alpha1")] })),
        policy(
            "excluded",
            &json!({
                "resourceRules": [rule("*")], "excludeResourceRules": [rule("v1alpha1")],
            }),
        ),
        policy("bound", &json!({ "resourceRules": [rule("*")] })),
    ] {
        apply(client, &policy).await;
    }
    let nothing = json!({});
    let bound = json!({ "matchResources": { "resourceRules": [rule("v1alpha1")] } });
    for (name, rest) in
        [("equivalent", &nothing), ("exact", &nothing), ("excluded", &nothing), ("bound", &bound)]
    {
        apply(client, &binding(name, rest)).await;
    }
    for document in with_params("params", "references-params") {
        apply(client, &document).await;
    }
    let mutation = json!({
        "patchType": "JSONPatch",
        "jsonPatch": { "expression": "[JSONPatch{op: 'test', path: '/kind', value: 'Fleet'}]" },
    });
    apply(client, &json!({
        "apiVersion": ADMISSION, "kind": "MutatingAdmissionPolicy", "metadata": { "name": "references-mutating" },
        "spec": {
            "reinvocationPolicy": "Never", "matchConstraints": { "resourceRules": [rule("v1alpha1")] }, "mutations": [mutation],
        },
    }))
    .await;
    for (kind, policy) in [
        ("ValidatingWebhookConfiguration", "Exact"),
        ("MutatingWebhookConfiguration", "Equivalent"),
    ] {
        // It is never called: nobody connects.
        let mut never = rule("v1alpha1");
        never["operations"] = json!(["CONNECT"]);
        apply(client, &json!({
            "apiVersion": ADMISSION, "kind": kind, "metadata": { "name": "references" },
            "webhooks": [{
                "name": "never.example.com", "clientConfig": { "url": "https://127.0.0.1:1" }, "rules": [never], "matchPolicy": policy,
                "sideEffects": "None", "admissionReviewVersions": ["v1"],
            }],
        }))
        .await;
    }
}

pub(super) async fn autoscale(client: &Client, name: &str) {
    let target = json!({ "apiVersion": OLD, "kind": "Fleet", "name": "target" });
    apply(client, &json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": { "scaleTargetRef": target, "maxReplicas": 1_000_000 },
    }))
    .await;
}
