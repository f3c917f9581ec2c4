//! What Kubernetes says, and lets an administrator do, while a webhook is down.

use crd_conv::VersionedResource;
use crd_conv::crd::Webhook;
use crd_conv_apiserver::{ApiServer, Installed, namespace};
use fleet::Fleet;
use kube::Error;
use serde_json::{Value, json};

const SPACE: &str = "outage";
const DOWN: &str = "https://127.0.0.1:1/convert";

fn answer(outcome: kube::Result<Value>) -> (u16, String) {
    match outcome {
        Err(Error::Api(status)) => (status.code, status.message),
        other => panic!("expected a refusal, not {other:?}"),
    }
}

/// As `serve.md` has it, with an object that is stored in another version than the one that is asked for. It is healthy all the time,
/// and comes back with the webhook.
#[tokio::test]
async fn healthy_objects_are_called_corrupt_and_may_be_deleted_without_their_finalizers() {
    let cluster: &'static ApiServer = Box::leak(Box::new(ApiServer::cluster(1)));
    let client = cluster.client().await;
    namespace(&client, SPACE).await;
    let installed = Installed::new(cluster, Fleet::DEFINITION, "outage.example.com").await;
    let [stored, asked] = ["v1beta1", "v1"].map(|version| installed.objects(version, SPACE));
    let fleets = installed.random("v1beta1", 7, 2);
    for (name, fleet) in ["healthy", "deleted"].into_iter().zip(&fleets) {
        let mut object: Value = serde_json::from_str(&stored.named(fleet, name)).expect("JSON");
        object["metadata"]["finalizers"] = json!(["example.com/stays"]);
        stored.create(&object).await.expect("created");
    }
    let before = asked.get("healthy").await.expect("read");
    let down = Webhook::url(DOWN).ca_bundle(installed.webhook.authority().to_owned());
    installed.set_webhook(down).await;
    // The part that serves objects has a view of its own, which is a moment behind.
    installed.until("the webhook is gone", async || asked.get("healthy").await.is_err()).await;

    let (code, said) = answer(asked.get("healthy").await);
    assert!(
        code == 500 && said.contains("corrupt object") && said.contains("connection refused"),
        "{code} {said}"
    );
    assert!(stored.get("healthy").await.is_ok(), "the stored version needs no webhook");

    // An administrator may delete one, whatever its finalizers are for.
    let path = format!("/apis/outage.example.com/v1/namespaces/{SPACE}/fleets/deleted");
    let body = json!({ "apiVersion": "v1", "kind": "DeleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential": true });
    let request = http::Request::delete(path).header("Content-Type", "application/json");
    let request = request.body(body.to_string().into_bytes()).expect("a request");
    client.request::<Value>(request).await.expect("deleted");
    let (code, _) = answer(stored.get("deleted").await);
    assert_eq!(code, 404, "it is gone at once");

    installed.set_webhook(installed.webhook.config()).await;
    installed.until("the webhook is back", async || asked.get("healthy").await.is_ok()).await;
    assert_eq!(asked.get("healthy").await.expect("read"), before);
}
