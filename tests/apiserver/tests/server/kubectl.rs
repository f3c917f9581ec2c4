//! What people do with kubectl, and what of it the carrier outlives.

use std::process::Output;

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, carrier, shared};
use fleet::Fleet;
use serde_json::{Value, json};

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Runs kubectl with a manifest on its standard input. It must succeed.
#[track_caller]
pub(crate) fn kubectl(args: &[&str], manifest: &Value) -> Output {
    shared().kubectl("kubectl", args, manifest)
}

fn manifest(installed: &Installed, version: &str, name: &str, fields: &Value) -> Value {
    installed.objects(version, "kubectl").object(name, fields)
}

fn full() -> Value {
    json!({ "spec": {
        "image": "i", "size": 4, "endpoint": "a:08", "resync": "90s", "owner": "ada", "retries": 5, "checkPath": "/a",
    } })
}

#[tokio::test]
async fn client_side_apply_removes_what_the_manifest_no_longer_has() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "kubectl.example.com").await;
    let mut wanted = manifest(&installed, "v1alpha1", "f", &full());
    kubectl(&["apply", "-f", "-"], &wanted);
    let created = installed.agree("kubectl", "f").await;
    // The text of the last manifest is as it was, in every version.
    for shown in &created {
        let text = shown["metadata"]["annotations"][LAST_APPLIED].as_str().expect("text");
        let text: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(text["spec"], wanted["spec"]);
    }
    // A manifest that is applied again changes nothing.
    kubectl(&["apply", "-f", "-"], &wanted);
    assert_eq!(installed.agree("kubectl", "f").await, created);

    wanted["spec"].as_object_mut().expect("an object").remove("owner");
    wanted["spec"]["size"] = json!(7);
    kubectl(&["apply", "-f", "-"], &wanted);
    let shown = installed.agree("kubectl", "f").await;
    assert_eq!(shown[0]["spec"].get("owner"), None);
    assert_eq!(shown[2]["spec"]["replicas"], 7);
    assert!(
        carrier(&shown[2]).keys().all(|key| !key.contains("spec.owner")),
        "{:?}",
        carrier(&shown[2])
    );
    assert_eq!(shown[0]["spec"]["resync"], "90s");

    // The same object by a manifest of another version: kubectl compares with the older text, and what has another name
    // there counts as dropped. It sets what the new manifest has, so nothing of that is lost.
    let other = json!({ "spec": { "image": "i2", "replicas": 7, "host": "a", "port": 8, "resyncSeconds": 90 } });
    let wanted = manifest(&installed, "v1", "f", &other);
    kubectl(&["apply", "-f", "-"], &wanted);
    let shown = installed.agree("kubectl", "f").await;
    assert_eq!(shown[2]["spec"]["image"], "i2");
    // Not in the new manifest: unlike in one version, these stay, for `v1` has no field of these names to remove.
    assert_eq!(shown[0]["spec"]["retries"], 5);
    assert_eq!(shown[0]["spec"]["checkPath"], "/a");
    // The manifest says what the object had, so it has the old spelling too.
    assert_eq!(shown[0]["spec"]["resync"], "90s");
    assert_eq!(shown[0]["spec"]["endpoint"], "a:08");
}

#[tokio::test]
async fn replace_from_a_file_gives_up_what_only_the_carrier_held() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "replace.example.com").await;
    let written = manifest(&installed, "v1alpha1", "f", &full());
    kubectl(&["create", "-f", "-"], &written);
    let file = json!({ "spec": { "image": "i", "replicas": 4, "host": "a", "port": 8, "resyncSeconds": 90 } });
    kubectl(&["replace", "-f", "-"], &manifest(&installed, "v1", "f", &file));
    let shown = installed.agree("kubectl", "f").await;
    assert_eq!(shown[0]["spec"].get("owner"), None);
    // Required in `v1alpha1`, so its value for that comes.
    assert_eq!(shown[0]["spec"]["retries"], 3);
    assert_eq!(shown[0]["spec"]["resync"], "1m30s");
    assert_eq!(shown[0]["spec"]["endpoint"], "a:8");
    assert_eq!(carrier(&shown[2]), serde_json::Map::new());
}

#[tokio::test]
async fn an_exported_object_takes_its_carrier_along() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "export.example.com").await;
    let written = manifest(&installed, "v1alpha1", "f", &full());
    kubectl(&["create", "-f", "-"], &written);
    let resource = "fleets.v1.export.example.com";
    let exported = kubectl(&["get", resource, "f", "-o", "json"], &Value::Null);
    let mut exported: Value = serde_json::from_slice(&exported.stdout).expect("JSON");
    let metadata = exported["metadata"].as_object_mut().expect("metadata");
    for name in ["resourceVersion", "uid", "creationTimestamp", "generation"] {
        metadata.remove(name);
    }

    // Under another name it is a copy with everything, at every version.
    exported["metadata"]["name"] = json!("copy");
    kubectl(&["apply", "-f", "-"], &exported);
    let copy = installed.agree("kubectl", "copy").await;
    assert_eq!(copy[0]["spec"], installed.agree("kubectl", "f").await[0]["spec"]);

    // An edit in the file wins, and the rest stays.
    exported["spec"]["port"] = json!(9);
    kubectl(&["apply", "-f", "-"], &exported);
    let copy = installed.agree("kubectl", "copy").await;
    assert_eq!(copy[0]["spec"]["endpoint"], "a:9");
    assert_eq!(copy[0]["spec"]["owner"], "ada");

    // Renamed to another version by hand, the entries mean nothing there where their home is that version.
    let mut renamed = manifest(
        &installed,
        "v1alpha1",
        "renamed",
        &json!({ "spec": {
        "image": "i", "size": 1, "endpoint": "b:1", "retries": 1,
    } }),
    );
    renamed["metadata"]["annotations"] = exported["metadata"]["annotations"].clone();
    kubectl(&["apply", "-f", "-"], &renamed);
    let shown = installed.objects("v1alpha1", "kubectl").get("renamed").await.expect("read");
    assert_eq!(shown["spec"].get("owner"), None, "the manifest says what there is");
    assert_eq!(shown["spec"]["endpoint"], "b:1");
    let newest = installed.objects("v1", "kubectl").get("renamed").await.expect("read");
    assert_eq!((&newest["spec"]["host"], &newest["spec"]["port"]), (&json!("b"), &json!(1)));
}
