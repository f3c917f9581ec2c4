//! What a whole control plane has in addition to custom resources.

use std::fmt::Debug;
use std::time::Duration;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind, TypeMeta};
use kube::runtime::conditions::is_deleted;
use kube::runtime::wait::await_condition;
use kube::{Client, Resource, ResourceExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Applies an object of any kind.
pub async fn apply(client: &Client, object: &Value) -> DynamicObject {
    let text = |name: &str| object[name].as_str().expect("text").to_owned();
    let types = TypeMeta { api_version: text("apiVersion"), kind: text("kind") };
    let kind = GroupVersionKind::try_from(types).expect("a group and a version");
    let resource = ApiResource::from_gvk(&kind);
    let metadata = &object["metadata"];
    let api: Api<DynamicObject> = match metadata["namespace"].as_str() {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
        None => Api::all_with(client.clone(), &resource),
    };
    let name = metadata["name"].as_str().expect("a name");
    let applied =
        api.patch(name, &PatchParams::apply("tests").force(), &Patch::Apply(object)).await;
    applied.unwrap_or_else(|error| panic!("{object}: {error}"))
}

/// Creates a namespace.
pub async fn namespace(client: &Client, name: &str) {
    apply(
        client,
        &json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }),
    )
    .await;
}

/// Deletes a namespace, and returns when it is gone.
pub async fn delete_namespace(client: &Client, name: &str) {
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let uid = namespaces.get(name).await.expect("a namespace").uid().expect("a uid");
    namespaces.delete(name, &DeleteParams::default()).await.expect("deleted");
    is_gone(namespaces, name, &uid).await;
}

/// Waits until an object is gone.
pub async fn is_gone<K>(objects: Api<K>, name: &str, uid: &str)
where
    K: Clone + Debug + Send + DeserializeOwned + Resource + 'static,
{
    let gone = await_condition(objects, name, is_deleted(uid));
    let gone = tokio::time::timeout(Duration::from_secs(180), gone).await;
    gone.unwrap_or_else(|_| panic!("{name} is still there")).expect("a watch");
}

/// Lets a user do what these rules allow in the whole cluster.
pub async fn bind(client: &Client, user: &Value, name: &str, rules: &Value) {
    let group = "rbac.authorization.k8s.io";
    let api_version = format!("{group}/v1");
    let metadata = json!({ "name": name });
    apply(client, &json!({ "apiVersion": api_version, "kind": "ClusterRole", "metadata": metadata, "rules": rules })).await;
    apply(client, &json!({
        "apiVersion": api_version, "kind": "ClusterRoleBinding", "metadata": metadata, "subjects": [user],
        "roleRef": { "apiGroup": group, "kind": "ClusterRole", "name": name },
    })).await;
}

/// Creates a service account in the namespace `default` that may do what these rules allow, and
/// returns a token for it.
pub async fn service_account(client: &Client, name: &str, rules: &Value) -> String {
    let account = apply(client, &json!({
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": name, "namespace": "default" },
    }))
    .await;
    let subject =
        json!({ "kind": "ServiceAccount", "name": account.name_any(), "namespace": "default" });
    bind(client, &subject, name, rules).await;
    token(client, "default", name).await
}

/// Requests a token for an existing service account.
pub async fn token(client: &Client, namespace: &str, name: &str) -> String {
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), namespace);
    let spec = TokenRequestSpec { expiration_seconds: Some(3600), ..TokenRequestSpec::default() };
    let request = TokenRequest { spec: Some(spec), ..TokenRequest::default() };
    let granted = accounts.create_token_request(name, &PostParams::default(), &request).await;
    granted.expect("a token").status.and_then(|status| status.token).expect("a token")
}
