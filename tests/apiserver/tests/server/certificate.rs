//! A certificate that replicas share in a Secret, as the server's client sees it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crd_conv::cluster::{CertificateSecret, Install, Probe};
use crd_conv::crd::{CrdOptions, Webhook};
use crd_conv::server::{Bound, Conversion, Server};
use crd_conv::{ResourceType, VersionedResource, definition::Definition};
use crd_conv_apiserver::{Secrets, in_group, shared};
use fleet::Fleet;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};

const GROUP: &str = "certificate.example.com";

/// In the place of a Service: new connections go to the replicas in turn.
async fn service(replicas: [SocketAddr; 2]) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let mut turns = replicas.into_iter().cycle();
        while let (Ok((mut client, _)), Some(replica)) = (listener.accept().await, turns.next()) {
            tokio::spawn(async move {
                let mut server = TcpStream::connect(replica).await?;
                tokio::io::copy_bidirectional(&mut client, &mut server).await
            });
        }
    });
    address
}

async fn replica(definition: &'static Definition, secrets: &Secrets) -> Bound {
    let client = secrets.client(shared().client().await);
    let secret = CertificateSecret::new(client, "operators", "tls")
        .names(["127.0.0.1"])
        .overlap(Duration::from_secs(2));
    Server::new([ResourceType::new(definition)])
        .address(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
        .certificate_secret(secret)
        .reload_every(Duration::from_millis(200))
        .bind()
        .await
        .expect("a server")
}

fn reloads(conversion: &Conversion) -> bool {
    !conversion.metrics().contains("crd_conv_certificate_reloads_total{result=\"loaded\"} 0\n")
}

async fn bundle_of(crds: Api<CustomResourceDefinition>, name: String) -> String {
    let crd = crds.get(&name).await.expect("a CRD");
    let config = crd.spec.conversion.and_then(|conversion| conversion.webhook?.client_config);
    let pem = config.and_then(|config| config.ca_bundle).map(|bundle| bundle.0);
    String::from_utf8(pem.unwrap_or_default()).expect("PEM")
}

#[tokio::test(flavor = "multi_thread")]
async fn it_changes_without_a_failed_request() {
    let client = shared().client().await;
    let definition = in_group(Fleet::DEFINITION, GROUP);
    let secrets = Secrets::default();
    let replicas = [replica(definition, &secrets).await, replica(definition, &secrets).await];
    let address = service([replicas[0].address(), replicas[1].address()]).await;
    let conversions = [replicas[0].conversion(), replicas[1].conversion()];
    for replica in replicas {
        tokio::spawn(replica.serve_until(std::future::pending()));
    }

    let webhook = Webhook::url(format!("https://{address}/convert"));
    let install = Install::new(ResourceType::new(definition), &CrdOptions::new().webhook(webhook))
        .expect("a CRD");
    install.apply(&client).await.expect("installed");
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let bundle = {
        let name = install.name().to_owned();
        move || bundle_of(crds.clone(), name.clone())
    };
    let mut first = String::new();
    while first.is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
        first = bundle().await;
    }
    // Another installation leaves it where it is.
    install.apply(&client).await.expect("installed again");
    assert_eq!(bundle().await, first);
    let probe = Probe::url(format!("https://{address}/convert")).ca_bundle(first.clone());
    probe.check(&ResourceType::new(definition)).await.expect("both are trusted");

    let objects = |version: &str| -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk(GROUP, version, "Fleet");
        let resource = ApiResource::from_gvk_with_plural(&kind, "fleets");
        Api::default_namespaced_with(client.clone(), &resource)
    };
    let object = json!({
        "apiVersion": format!("{GROUP}/v1"), "kind": "Fleet", "metadata": { "name": "f" },
        "spec": { "image": "i", "replicas": 2, "host": "a", "port": 1 },
    });
    let object = serde_json::from_value(object).expect("an object");
    // The server hears of the bundle a moment after it is there.
    while objects("v1").create(&PostParams::default(), &object).await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    let (read, failed) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(std::sync::Mutex::new(Vec::new())));
    let readers: Vec<_> = ["v1alpha1", "v1"]
        .into_iter()
        .map(|version| {
            let (objects, read, failed) =
                (objects(version), Arc::clone(&read), Arc::clone(&failed));
            tokio::spawn(async move {
                loop {
                    match objects.get("f").await {
                        Ok(_) => drop(read.fetch_add(1, Ordering::SeqCst)),
                        Err(error) => failed.lock().expect("no panic").push(error.to_string()),
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            })
        })
        .collect();

    // The server keeps its connections. Each of these asks has one of its own, to one replica after the other.
    let probed = Arc::new(AtomicUsize::new(0));
    let asking = {
        let (bundle, probed, failed) = (bundle.clone(), Arc::clone(&probed), Arc::clone(&failed));
        tokio::spawn(async move {
            loop {
                let probe =
                    Probe::url(format!("https://{address}/convert")).ca_bundle(bundle().await);
                let probe = probe.patience(Duration::ZERO);
                match probe.check(&ResourceType::new(definition)).await {
                    Ok(()) => drop(probed.fetch_add(1, Ordering::SeqCst)),
                    Err(error) => failed.lock().expect("no panic").push(error.to_string()),
                }
            }
        })
    };

    // Whoever wants a new certificate at once deletes the Secret.
    secrets.delete("operators", "tls");
    let waited = tokio::time::timeout(Duration::from_secs(60), async {
        while !conversions.iter().all(reloads) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    waited.await.expect("both serve another certificate");
    let before = probed.load(Ordering::SeqCst);
    while probed.load(Ordering::SeqCst) < before + 4 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    readers.iter().chain([&asking]).for_each(tokio::task::JoinHandle::abort);
    let failed = failed.lock().expect("no panic").clone();
    assert!(failed.is_empty(), "{failed:?}");
    let (read, probed) = (read.load(Ordering::SeqCst), probed.load(Ordering::SeqCst));
    assert!(read > 0 && probed > 4, "invalid test case: {read} reads, {probed} probes");
    println!("{read} reads and {probed} probes while the certificate changed, none failed");

    let second = bundle().await;
    assert_eq!(second.matches("BEGIN").count(), 2, "{second}");
    assert!(second.ends_with(&first), "the one before is trusted, too");
}
