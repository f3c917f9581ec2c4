//! The operator's chart in the hands of Helm: installed, upgraded, rolled back and uninstalled.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crd_conv::server::SelfSigned;
use crd_conv_apiserver::{apply, is_gone, whole};
use crd_conv_helm::{Ran, documents, helm_in, root};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use kube::runtime::{conditions, wait::await_condition};
use kube::{Client, ResourceExt};
use serde_json::{Value, json};
use tempfile::TempDir;

const GROUP: &str = "helm.example.com";
const CRD: &str = "maintenancewindows.helm.example.com";
const SPACE: &str = "charted";

const PATIENCE: Duration = Duration::from_secs(60);

/// The description that one release changes.
const DESCRIPTION: &str = "When work may be done.";
const CHANGED: &str = "When work may be done, in the next release.";

/// A copy of the chart with a group of its own, because all tests share the cluster.
fn chart(folder: &TempDir, name: &str, description: &str) -> PathBuf {
    fn copy(from: &Path, to: &Path, description: &str) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder") {
            let path = entry.expect("an entry").path();
            let to = to.join(path.file_name().expect("a name"));
            if path.is_dir() {
                copy(&path, &to, description);
            } else {
                let text = fs::read_to_string(&path).expect("a file");
                let text = text.replace("example.com", GROUP).replace(DESCRIPTION, description);
                fs::write(to, text).expect("a file");
            }
        }
    }
    let to = folder.path().join(name);
    copy(&root().join("examples/operator/chart"), &to, description);
    to
}

/// Runs Helm for the release, away from the threads of the runtime.
async fn helm(command: &str, chart: Option<&Path>, more: &[&str]) -> Ran {
    let mut args = vec![command.to_owned(), "windows".to_owned()];
    args.extend(chart.map(|chart| chart.display().to_string()));
    args.extend(more.iter().copied().map(str::to_owned));
    args.extend(["--namespace".to_owned(), SPACE.to_owned()]);
    let ran = tokio::task::spawn_blocking(move || {
        helm_in(whole().kubeconfig(), args.iter().map(String::as_str))
    });
    ran.await.expect("it doesn't panic")
}

async fn definition(client: &Client) -> CustomResourceDefinition {
    Api::all(client.clone()).get(CRD).await.expect("a CustomResourceDefinition")
}

fn description(crd: &CustomResourceDefinition) -> String {
    let schema = crd.spec.versions[0].schema.as_ref().and_then(|it| it.open_api_v3_schema.clone());
    let properties = schema.and_then(|schema| schema.properties).expect("properties");
    properties["spec"].description.clone().expect("a description")
}

fn bundle(crd: &CustomResourceDefinition) -> Option<String> {
    let webhook = crd.spec.conversion.as_ref()?.webhook.as_ref()?;
    let bundle = webhook.client_config.as_ref()?.ca_bundle.as_ref()?;
    Some(String::from_utf8_lossy(&bundle.0).into_owned())
}

fn windows(client: &Client) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk(GROUP, "v1", "MaintenanceWindow");
    let resource = ApiResource::from_gvk_with_plural(&kind, "maintenancewindows");
    Api::namespaced_with(client.clone(), "default", &resource)
}

/// Creates a window. The API server serves a new resource some moments after it has established it.
async fn create(client: &Client, window: DynamicObject) {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let established = await_condition(crds, CRD, conditions::is_crd_established());
    tokio::time::timeout(PATIENCE, established).await.expect("in time").expect("a watch");
    let created = async {
        while let Err(error) = windows(client).create(&PostParams::default(), &window).await {
            assert!(matches!(&error, kube::Error::Api(status) if status.is_not_found()), "{error}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, created).await.expect("in time");
}

async fn is_deployed(client: &Client) -> bool {
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), SPACE);
    deployments.get_opt("windows").await.expect("an answer").is_some()
}

/// Writes a CA bundle as the replicas do.
async fn inject(client: &Client) -> String {
    let authority = SelfSigned::new(["windows.charted.svc"]).expect("a certificate");
    let authority = authority.authority().to_owned();
    let encoded = serde_json::to_value(k8s_openapi::ByteString(authority.clone().into_bytes()));
    let patch = json!({
        "spec": { "conversion": { "webhook": { "clientConfig": { "caBundle": encoded.expect("JSON") } } } },
    });
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let params = PatchParams { field_manager: Some("replica".to_owned()), ..Default::default() };
    crds.patch(CRD, &params, &Patch::Merge(patch)).await.expect("patched");
    authority
}

/// The document of the chart, as an administrator without Helm applies it.
fn unmanaged(chart: &Path) -> Value {
    let args = ["template", "windows", chart.to_str().expect("UTF-8"), "--namespace", SPACE];
    let all = helm_in(Path::new("/none"), args).documents();
    let found = all.into_iter().find(|one| one["kind"] == "CustomResourceDefinition");
    found.expect("a CustomResourceDefinition")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_from_the_first_install_to_the_last_uninstall() {
    let client = whole().client().await;
    let folder = TempDir::new().expect("a folder");
    let first = chart(&folder, "first", DESCRIPTION);
    let next = chart(&folder, "next", CHANGED);
    assert!(documents(&fs::read_to_string(next.join("policies.yaml")).expect("a file")).len() > 1);

    // A CustomResourceDefinition that Helm hasn't installed.
    apply(&client, &unmanaged(&first)).await;
    let policies = ["--create-namespace", "--set", "policies=true"];
    let refused = helm("install", Some(&first), &policies).await;
    assert!(
        !refused.succeeded && refused.stderr.contains("invalid ownership metadata"),
        "{refused:?}"
    );
    let taking = [&policies[..], &["--take-ownership"]].concat();
    helm("install", Some(&first), &taking).await.said();
    let window = json!({
        "apiVersion": format!("{GROUP}/v1"), "kind": "MaintenanceWindow", "metadata": { "name": "w" },
        "spec": { "start": "08:00", "minutes": 60 },
    });
    create(&client, serde_json::from_value(window).expect("an object")).await;
    let authority = inject(&client).await;
    assert_eq!(bundle(&definition(&client).await), Some(authority.clone()));

    // The webhook first: the CustomResourceDefinition stays as it is.
    let before = definition(&client).await;
    helm("upgrade", Some(&next), &["--set", "crd.create=false"]).await.said();
    assert_eq!(definition(&client).await.resource_version(), before.resource_version());
    assert_eq!(description(&before), DESCRIPTION, "invalid test case");
    // Whoever has applied it before Helm still owns its fields.
    let refused = helm("upgrade", Some(&next), &["--set", "crd.create=true"]).await;
    assert!(refused.stderr.contains("conflict with \"tests\": .spec.versions"), "{refused:?}");
    assert_eq!(description(&definition(&client).await), DESCRIPTION);
    let forced = ["--set", "crd.create=true", "--force-conflicts"];
    helm("upgrade", Some(&next), &forced).await.said();
    let upgraded = definition(&client).await;
    assert_eq!(description(&upgraded), CHANGED);
    assert_eq!(bundle(&upgraded), Some(authority.clone()), "it isn't in the chart");

    helm("rollback", None, &["1"]).await.said();
    let back = definition(&client).await;
    assert_eq!((description(&back), bundle(&back)), (DESCRIPTION.to_owned(), Some(authority)));

    // Objects outlive the release, which can be installed again.
    helm("uninstall", None, &[]).await.said();
    assert!(!is_deployed(&client).await);
    windows(&client).get("w").await.expect("it is still there");
    helm("install", Some(&next), &[]).await.said();
    assert!(is_deployed(&client).await);
    assert_eq!(description(&definition(&client).await), CHANGED);

    // Unless somebody wants it otherwise.
    helm("upgrade", Some(&next), &["--set", "crd.keep=false"]).await.said();
    let uid = definition(&client).await.uid().expect("a uid");
    helm("uninstall", None, &[]).await.said();
    is_gone(Api::<CustomResourceDefinition>::all(client.clone()), CRD, &uid).await;
}
