//! Two API servers on one etcd, while a version is added, storage switched, and objects migrated.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crd_conv::migrate::Migration;
use crd_conv::{ResourceType, VersionedResource};
use crd_conv_apiserver::{ApiServer, Installed, namespace};
use fleet::Fleet;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};

const NAMESPACE: &str = "servers";

async fn client_of(cluster: &ApiServer, number: usize) -> Client {
    let kubeconfig = Kubeconfig::read_from(&cluster.kubeconfigs()[number]).expect("a kubeconfig");
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    Client::try_from(config.expect("a config")).expect("a client")
}

/// Counts in annotations and in a field of the oldest version, which the newest one has no room for: each writer its own objects, at another
/// version and by another API server each time.
#[tokio::test]
async fn nothing_is_lost_while_storage_moves() {
    let cluster: &'static ApiServer = Box::leak(Box::new(ApiServer::cluster(2)));
    let clients = [client_of(cluster, 0).await, client_of(cluster, 1).await];
    for name in [NAMESPACE, "probe"] {
        namespace(&clients[0], name).await;
    }
    let installed = Installed::changed(cluster, Fleet::DEFINITION, "servers.example.com", |crd| {
        for version in &mut crd.spec.versions {
            version.storage = version.name == "v1alpha1";
        }
    })
    .await;
    let (done, writes) = (AtomicBool::new(false), AtomicUsize::new(0));
    let write = async |writer: usize| {
        let name = format!("f-{writer}");
        let oldest = installed.objects_of(&clients[0], "v1alpha1", NAMESPACE);
        let fleet = json!({ "spec": {
            "image": "i", "size": 4, "endpoint": "a:08", "resync": "90s", "owner": "ada", "retries": 0,
            "checkPath": "/healthz", "checkPeriod": 10, "strategy": "OneByOne",
            "ports": [{ "name": "data", "number": 1 }], "pools": { "arm": { "weight": 1, "zone": "a" } },
        } });
        oldest.create(&oldest.object(&name, &fleet)).await.expect("created");
        let mut retries = 0;
        let mut round = 0;
        while !done.load(Ordering::SeqCst) || round < 30 {
            let version = ["v1alpha1", "v1beta1", "v1"][(round + writer) % 3];
            let at = installed.objects_of(&clients[(round / 3) % 2], version, NAMESPACE);
            let patch = if version == "v1alpha1" {
                json!({ "spec": { "retries": retries + 1 } })
            } else {
                json!({ "metadata": { "labels": { "round": round.to_string() } } })
            };
            // Another API server may be a moment behind, and a stale storage version is no loss.
            if let Ok(written) = at.merge_patch(&name, &patch).await {
                writes.fetch_add(1, Ordering::SeqCst);
                if version == "v1alpha1" {
                    retries += 1;
                    assert_eq!(written["spec"]["retries"], retries, "{written}");
                }
            }
            round += 1;
        }
        let last = oldest.get(&name).await.expect("read");
        assert_eq!(last["spec"]["retries"], retries, "{last}");
        for kept in ["owner", "resync", "endpoint"] {
            assert_eq!(last["spec"][kept], fleet["spec"][kept], "{last}");
        }
    };
    let steps = async {
        installed.store_in("v1").await;
        let migration = || Migration::new(ResourceType::new(installed.resource.definition()));
        let report = migration().run(&clients[1], |_| {}).await.expect("migrated");
        assert_eq!(report.stored_versions, ["v1"]);
        installed.store_in("v1beta1").await;
        migration().run(&clients[0], |_| {}).await.expect("migrated");
        done.store(true, Ordering::SeqCst);
    };
    futures_util::join!(write(0), write(1), write(2), write(3), steps);
    let versions = cluster.stored(&format!("{}/{NAMESPACE}", installed.resource_path()));
    assert_eq!(versions.len(), 4);
    for stored in &versions {
        let object: Value = serde_json::from_str(&stored.value).expect("JSON");
        assert_eq!(object["apiVersion"], "servers.example.com/v1beta1");
    }
    println!("{} writes", writes.load(Ordering::SeqCst));
}
