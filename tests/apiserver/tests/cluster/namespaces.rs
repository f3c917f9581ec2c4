//! What one resource's webhook does to the whole cluster: some controllers list every resource at its preferred version.

use crd_conv::VersionedResource;
use crd_conv::crd::Webhook;
use crd_conv_apiserver::{ApiServer, Installed, apply, delete_namespace, is_gone, namespace};
use fleet::Fleet;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, ResourceQuota};
use kube::api::{Api, DeleteParams};
use kube::{Client, ResourceExt};
use serde_json::{Value, json};

const GROUP: &str = "spaces.example.com";
/// Nobody listens there.
const DOWN: &str = "https://127.0.0.1:1/convert";

/// A cluster of its own with an object in `full`, stored in a version, whose webhook is down since before the API server's last start.
async fn with_webhook_down(stored: &str) -> (&'static ApiServer, Installed) {
    let cluster: &'static ApiServer = Box::leak(Box::new(ApiServer::cluster(1)));
    let client = cluster.client().await;
    for name in ["full", "empty"] {
        namespace(&client, name).await;
    }
    let installed = Installed::changed(cluster, Fleet::DEFINITION, GROUP, |crd| {
        for version in &mut crd.spec.versions {
            version.storage = version.name == stored;
        }
    })
    .await;
    let objects = installed.objects(stored, "full");
    let fleet = installed.random(stored, 7, 1).remove(0);
    objects.create_text(&objects.named(&fleet, "f")).await.expect("created");
    let down = Webhook::url(DOWN).ca_bundle(installed.webhook.authority().to_owned());
    installed.set_webhook(down).await;
    for process in ["kube-apiserver", "kube-controller-manager"] {
        cluster.restart(process);
    }
    (cluster, installed)
}

async fn config_map(client: &Client, name: &str, owner: Option<&Value>) -> Api<ConfigMap> {
    let owners: Vec<_> = owner.into_iter().collect();
    let metadata = json!({ "name": name, "namespace": "full", "ownerReferences": owners });
    let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });
    apply(client, &object).await;
    Api::namespaced(client.clone(), "full")
}

/// A quota in `full`, and a dependent without its owner.
async fn quota_and_orphan(client: &Client) -> (Api<ResourceQuota>, Api<ConfigMap>, String) {
    let quota = json!({
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": { "name": "q", "namespace": "full" },
        "spec": { "hard": { "count/configmaps": "9" } },
    });
    apply(client, &quota).await;
    let maps = config_map(client, "owner", None).await;
    let uid = maps.get("owner").await.expect("read").uid().expect("a uid");
    let owner = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": uid });
    config_map(client, "dependent", Some(&owner)).await;
    let dependent = maps.get("dependent").await.expect("read").uid().expect("a uid");
    maps.delete("owner", &DeleteParams::background()).await.expect("deleted");
    (Api::namespaced(client.clone(), "full"), maps, dependent)
}

async fn is_enforced(quotas: &Api<ResourceQuota>) -> bool {
    let quota = quotas.get("q").await.expect("read");
    quota.status.is_some_and(|status| status.used.is_some_and(|used| !used.is_empty()))
}

/// The preferred version is the stored one, so no list needs the webhook.
#[tokio::test]
async fn stored_in_the_preferred_version_nothing_is_blocked() {
    let (cluster, installed) = with_webhook_down("v1").await;
    let client = cluster.client().await;
    let (quotas, maps, dependent) = quota_and_orphan(&client).await;
    delete_namespace(&client, "empty").await;
    is_gone(maps, "dependent", &dependent).await;
    installed.until("the quota is enforced", async || is_enforced(&quotas).await).await;
}

/// It isn't. A namespace without any object of the resource stays, no new quota is enforced, and no dependent is collected.
#[tokio::test]
async fn stored_in_another_version_the_cluster_waits_for_the_webhook() {
    let (cluster, installed) = with_webhook_down("v1beta1").await;
    let client = cluster.client().await;
    let (quotas, maps, dependent) = quota_and_orphan(&client).await;
    let namespaces: Api<Namespace> = Api::all(client.clone());
    namespaces.delete("empty", &DeleteParams::default()).await.expect("deleted");
    // Nothing else shows what they wait for: the API server answers with 429, so each tries again and again, and no condition says why.
    let fails = |user: &str| {
        let asked = cluster.audit().into_iter().filter(|asked| asked.user == user);
        asked.filter(|asked| asked.group == GROUP && asked.code >= 400).count()
    };
    // The second is the one cache that quotas and the garbage collector share.
    for user in
        ["system:serviceaccount:kube-system:namespace-controller", "system:kube-controller-manager"]
    {
        installed.until(user, async || fails(user) >= 3).await;
    }
    let empty = namespaces.get("empty").await.expect("it stays");
    assert!(empty.metadata.deletion_timestamp.is_some());
    assert!(!is_enforced(&quotas).await, "the quota isn't enforced");
    assert!(maps.get("dependent").await.is_ok(), "nobody collects the dependent");

    installed.set_webhook(installed.webhook.config()).await;
    is_gone(namespaces, "empty", &empty.uid().expect("a uid")).await;
    is_gone(maps, "dependent", &dependent).await;
    installed.until("the quota is enforced", async || is_enforced(&quotas).await).await;
    let fleet = installed.objects("v1", "full").get("f").await.expect("read");
    assert_ne!(fleet["spec"], Value::Null);
}
