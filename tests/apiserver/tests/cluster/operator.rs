//! The operator of the examples as its manifests have it: its service account, its permissions, its Secret.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};

use ::operator::{MaintenanceWindow, Run, run, webhook};
use crd_conv::cli::Cli;
use crd_conv::{ResourceType, yaml};
use crd_conv_apiserver::{Ran, apply, command, namespace, token, whole};
use kube::api::{Api, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};

const SPACE: &str = "maintenance-system";
const ACCOUNT: &str = "maintenance-operator";

fn documents(manifest: &str) -> Vec<Value> {
    let documents = yaml::to_json(manifest).expect("YAML");
    documents.iter().map(|json| serde_json::from_str(json).expect("JSON")).collect()
}

/// Windows of a version, in the namespace `default`.
fn windows(client: &kube::Client, version: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("example.com", version, "MaintenanceWindow");
    let resource = ApiResource::from_gvk_with_plural(&kind, "maintenancewindows");
    Api::default_namespaced_with(client.clone(), &resource)
}

/// Runs a command of the operator's program as the administrator, and returns all that it prints.
async fn said(args: &[&str]) -> String {
    let program = || Cli::new([ResourceType::of::<MaintenanceWindow>()]).webhook(webhook());
    let Ran { code, stdout, stderr } = command(program, args, whole().kubeconfig()).await;
    assert_eq!(code, 0, "{args:?}: {stdout}{stderr}");
    stdout
}

/// Without cert-manager, and with the permissions that the manifests give and no others: RBAC refuses all others, and the audit log shows
/// that each of these is needed.
#[tokio::test(flavor = "multi_thread")]
async fn it_has_a_certificate_of_its_own_and_no_permission_too_many() {
    let admin = whole().client().await;
    namespace(&admin, SPACE).await;
    let roles = [
        include_str!("../../../../examples/operator/deploy/base/rbac.yaml"),
        include_str!("../../../../examples/operator/deploy/own-certificate/rbac.yaml"),
    ]
    .map(documents)
    .concat();
    let secret = include_str!("../../../../examples/operator/deploy/own-certificate/secret.yaml");
    for object in roles.iter().chain(&documents(secret)) {
        apply(&admin, object).await;
    }
    let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let address =
        std::net::TcpListener::bind(free).expect("a port").local_addr().expect("an address");
    let options = Run {
        address,
        probe_address: free,
        cert: None,
        key: None,
        secret: Some("maintenance-operator-tls".to_owned()),
        service: None,
        certificate_name: vec!["127.0.0.1".to_owned()],
    };
    let client = whole().client_with(&token(&admin, SPACE, ACCOUNT).await).await;
    let operator = tokio::spawn(async move { run(client, &options).await });

    let installed = said(&["install", "--url", &format!("https://{address}/convert")]).await;
    assert_eq!(installed, "maintenancewindows.example.com created\n");
    let window = json!({
        "apiVersion": "example.com/v1", "kind": "MaintenanceWindow", "metadata": { "name": "w" },
        "spec": { "start": "08:00", "minutes": 1440 },
    });
    let window = serde_json::from_value(window).expect("an object");
    let newest = windows(&admin, "v1");
    newest.create(&PostParams::default(), &window).await.expect("created");
    // As soon as the operator has written its authority.
    let oldest = windows(&admin, "v1alpha1");
    let mut seen = Value::Null;
    for _ in 0..1200 {
        seen = oldest.get("w").await.map_or(Value::Null, |object| object.data);
        if seen["status"]["active"] == true {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(
        (&seen["spec"]["window"], &seen["status"]["active"]),
        (&json!("08:00-08:00"), &json!(true)),
        "{seen}"
    );
    // The commands that its messages name.
    for args in [&["check", "--cluster"][..], &["migrate", "--dry-run"]] {
        println!("{}", said(args).await);
    }
    operator.abort();

    let mut given = BTreeSet::new();
    for rule in roles.iter().flat_map(|role| role["rules"].as_array().into_iter().flatten()) {
        let texts = |name: &str| -> Vec<String> {
            serde_json::from_value(rule[name].clone()).expect("texts")
        };
        for resource in texts("resources") {
            for verb in texts("verbs") {
                given.insert((verb, texts("apiGroups").concat(), resource.clone()));
            }
        }
    }
    let user = format!("system:serviceaccount:{SPACE}:{ACCOUNT}");
    let asked = || -> BTreeSet<_> {
        let asked = whole().audit().into_iter();
        let asked = asked.filter(|asked| asked.user == user && asked.code < 400);
        asked.map(|asked| (asked.verb, asked.group, asked.resource)).collect()
    };
    // A watch is in the log when it has ended.
    for _ in 0..600 {
        if asked() == given {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(asked(), given, "asked for, and given");
}
