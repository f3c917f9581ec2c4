//! What one resource's webhook does to the whole cluster: the namespace controller lists every resource at its preferred version.

use crd_conv::VersionedResource;
use crd_conv::crd::Webhook;
use crd_conv_apiserver::{ApiServer, Installed, delete_namespace, namespace};
use fleet::Fleet;
use serde_json::json;

/// Nobody listens there.
const DOWN: &str = "https://127.0.0.1:1/convert";

/// How long a namespace may take that nothing blocks, in tenths of a second.
const PATIENCE: u32 = 600;

/// A cluster of its own with an object in `full`, stored in a version, whose webhook is down since before the API server's last start.
async fn with_webhook_down(stored: &str) -> (&'static ApiServer, Installed) {
    let cluster: &'static ApiServer = Box::leak(Box::new(ApiServer::cluster(1)));
    let client = cluster.client().await;
    for name in ["full", "empty", "blocked"] {
        namespace(&client, name).await;
    }
    let installed = Installed::changed(cluster, Fleet::DEFINITION, "spaces.example.com", |crd| {
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
    cluster.restart("kube-apiserver");
    (cluster, installed)
}

/// The preferred version is the stored one, so the list needs no webhook.
#[tokio::test]
async fn stored_in_the_preferred_version_nothing_is_blocked() {
    let (cluster, _) = with_webhook_down("v1").await;
    let client = cluster.client().await;
    delete_namespace(&client, "empty", PATIENCE).await.expect("it is gone");
}

/// It isn't, and a namespace without any object of the resource stays.
#[tokio::test]
async fn stored_in_another_version_every_namespace_stays_until_the_webhook_is_back() {
    let (cluster, installed) = with_webhook_down("v1beta1").await;
    let client = cluster.client().await;
    // The API server answers the list with 429, which the controller tries again and again, so that no condition says why.
    delete_namespace(&client, "empty", 150).await.expect_err("it stays");
    installed.set_webhook(installed.webhook.config()).await;
    installed
        .until("the namespace is gone", async || {
            let namespaces: kube::Api<k8s_openapi::api::core::v1::Namespace> =
                kube::Api::all(client.clone());
            namespaces.get_opt("empty").await.expect("read").is_none()
        })
        .await;
    assert!(
        installed
            .objects("v1", "full")
            .get("f")
            .await
            .is_ok_and(|object| object["spec"] != json!(null))
    );
}
