//! Who may write what is kept about the status: who may write the status, and nobody else.

use std::process::Command;

use crd_conv::definition::Definition;
use crd_conv::migrate::{Migration, Removal, RemovalStep};
use crd_conv::{ResourceType, Versioned, VersionedResource};
use crd_conv_apiserver::desk::{Desk, v1, v1beta1};
use crd_conv_apiserver::{
    Installed, Objects, carrier, in_group, path_with_kubectl, refusal, shared,
};
use kube::api::{Patch, PatchParams};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::migrate::{roll_out, unserved};

const NAMESPACE: &str = "status";

/// A desk, written at the older version and approved at the newer one, as both show it.
async fn approved(at: &Installed, name: &str) -> [Value; 2] {
    let [older, newer] = ["v1beta1", "v1"].map(|version| at.objects(version, NAMESPACE));
    let spec = json!({ "spec": { "size": 3, "owner": "ada" } });
    let mut object = older.create(&older.object(name, &spec)).await.expect("created");
    object["status"] = json!({ "phase": "Asked", "note": "please" });
    older.replace_status(&object).await.expect("the status is written");
    let status = json!({ "status": { "phase": "Done", "approved": true, "approver": "bob" } });
    newer.merge_patch(&format!("{name}/status"), &status).await.expect("patched");
    shown(at, name).await
}

async fn shown(at: &Installed, name: &str) -> [Value; 2] {
    let read = |version| at.objects(version, NAMESPACE);
    let [older, newer] = ["v1beta1", "v1"].map(read);
    [older.get(name).await.expect("read"), newer.get(name).await.expect("read")]
}

fn is_as_written([older, newer]: &[Value; 2]) {
    assert_eq!(older["status"]["note"], "please", "{older}");
    assert_eq!(older["spec"], json!({ "size": 3, "owner": "ada" }));
    assert_eq!(newer["status"]["approved"], true, "{newer}");
    assert_eq!(newer["status"]["approver"], "bob");
    assert!([older, newer].iter().all(|object| object["status"]["phase"] == "Done"), "{older}");
}

/// Annotations about the status hold nothing that counts.
fn has_none_about_the_status(objects: &[Value]) {
    for object in objects {
        let about = |key: &String| key.contains(".status");
        assert!(!carrier(object).keys().any(about), "{object}");
    }
}

#[tokio::test]
async fn what_is_kept_about_the_status_stands_in_it() {
    let installed = Installed::new(shared(), Desk::DEFINITION, "in-status.example.com").await;
    let shown = approved(&installed, "d").await;
    is_as_written(&shown);
    has_none_about_the_status(&shown);
    let entries = |object: &Value| {
        let entries = object["status"]["conversionEntries"].as_object().cloned();
        entries.unwrap_or_default().into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    let key = |rest: &str| format!("conversion.in-status.example.com/{rest}");
    assert_eq!(entries(&shown[0]), [key("v1.status.approved"), key("v1.status.approver")]);
    assert_eq!(entries(&shown[1]), [key("v1beta1.status.note")]);
}

#[tokio::test]
async fn a_manifest_without_annotations_leaves_the_status_alone() {
    let installed = Installed::new(shared(), Desk::DEFINITION, "bare.example.com").await;
    let [mut older, _] = approved(&installed, "d").await;
    let objects = installed.objects("v1beta1", NAMESPACE);
    let metadata = older["metadata"].as_object_mut().expect("metadata");
    metadata.remove("annotations");
    metadata.remove("managedFields");
    let manifest = older.as_object_mut().expect("an object");
    manifest.remove("status");
    objects.replace(&json!(manifest)).await.expect("replaced");
    is_as_written(&shown(&installed, "d").await);
}

#[tokio::test]
async fn a_manifest_of_before_does_not_set_the_status_back() {
    let installed = Installed::new(shared(), Desk::DEFINITION, "saved.example.com").await;
    let [mut saved, _] = approved(&installed, "d").await;
    let newer = installed.objects("v1", NAMESPACE);
    let refused = json!({ "status": { "approved": false, "approver": "eve" } });
    let now = newer.merge_patch("d/status", &refused).await.expect("patched");

    // As `kubectl replace` does.
    saved["metadata"]["resourceVersion"] = now["metadata"]["resourceVersion"].clone();
    saved["spec"]["size"] = json!(4);
    installed.objects("v1beta1", NAMESPACE).replace(&saved).await.expect("replaced");
    let [_, newer] = shown(&installed, "d").await;
    assert_eq!(newer["spec"]["size"], 4);
    assert_eq!(newer["status"]["approved"], false, "{newer}");
    assert_eq!(newer["status"]["approver"], "eve");
}

fn forged(group: &str) -> Value {
    let entry = json!({ "format": 1, "peer": "v1beta1", "keep": { "approved": true } });
    let key = format!("conversion.{group}/v1.status.approved");
    json!({ key: entry.to_string() })
}

#[tokio::test]
async fn a_writer_of_the_object_does_not_set_the_status() {
    let group = "forged-status.example.com";
    let installed = Installed::new(shared(), Desk::DEFINITION, group).await;
    let objects = installed.objects("v1beta1", NAMESPACE);
    let mut object = objects.object("d", &json!({ "spec": { "size": 3 } }));
    object["metadata"]["annotations"] = forged(group);
    object["status"] =
        json!({ "phase": "Asked", "conversionEntries": object["metadata"]["annotations"] });
    objects.create(&object).await.expect("created");
    let [_, newer] = shown(&installed, "d").await;
    assert_eq!(newer.get("status"), None, "{newer}");

    // Not with the status that a controller gives it later either, nor in a write afterwards.
    objects
        .merge_patch("d/status", &json!({ "status": { "phase": "Asked" } }))
        .await
        .expect("patched");
    let [_, newer] = shown(&installed, "d").await;
    assert_eq!(newer["status"], json!({ "phase": "Asked" }), "{newer}");
    let forged = json!({
        "metadata": { "annotations": forged(group) },
        "status": { "conversionEntries": forged(group) },
    });
    for version in installed.versions() {
        let objects = installed.objects(version, NAMESPACE);
        objects.merge_patch("d", &forged).await.expect("patched");
        let [older, newer] = shown(&installed, "d").await;
        assert_eq!(newer["status"], json!({ "phase": "Asked" }), "{version}: {newer}");
        assert_eq!(older["status"], json!({ "phase": "Asked" }), "{version}: {older}");
    }
}

#[tokio::test]
async fn a_writer_of_the_status_sets_nothing_else() {
    let group = "forged-spec.example.com";
    let installed = Installed::new(shared(), Desk::DEFINITION, group).await;
    approved(&installed, "d").await;
    let entry = json!({ "format": 1, "peer": "v1", "keep": { "owner": "eve" } }).to_string();
    let forged = json!({ format!("conversion.{group}/v1beta1.spec.owner"): entry });
    let patch = json!({
        "metadata": { "annotations": forged },
        "spec": { "size": 7 },
        "status": { "conversionEntries": forged },
    });
    for version in installed.versions() {
        installed
            .objects(version, NAMESPACE)
            .merge_patch("d/status", &patch)
            .await
            .expect("patched");
        is_as_written(&shown(&installed, "d").await);
    }
}

#[tokio::test]
async fn a_copy_is_born_without_the_status() {
    let installed = Installed::new(shared(), Desk::DEFINITION, "copied.example.com").await;
    for (version, source) in installed.versions().into_iter().zip(approved(&installed, "d").await) {
        let objects = installed.objects(version, NAMESPACE);
        let mut copy = source;
        let metadata = copy["metadata"].as_object_mut().expect("metadata");
        metadata.remove("resourceVersion");
        metadata.remove("uid");
        let name = format!("copy-{version}");
        metadata["name"] = json!(name);
        objects.create(&copy).await.expect("created");
        let [older, newer] = shown(&installed, &name).await;
        assert_eq!(older["spec"]["owner"], "ada", "{older}");
        assert!([&older, &newer].iter().all(|object| object.get("status").is_none()), "{newer}");

        // Its first status is its own.
        let patch = json!({ "status": { "phase": "Asked" } });
        objects.merge_patch(&format!("{name}/status"), &patch).await.expect("patched");
        for object in shown(&installed, &name).await {
            assert_eq!(object["status"], json!({ "phase": "Asked" }), "{object}");
        }
    }
}

/// The older version has no status of its own, but the subresource.
#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "shelves", scope = "Namespaced"))]
pub(crate) enum Shelf {
    #[versioned(status)]
    V1beta1 { spec: v1beta1::Spec },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
        #[versioned(added)]
        status: Option<v1::Status>,
    },
}

#[tokio::test]
async fn a_version_without_a_status_leaves_it_alone() {
    let installed = Installed::new(shared(), Shelf::DEFINITION, "own-status.example.com").await;
    let [older, newer] = ["v1beta1", "v1"].map(|version| installed.objects(version, NAMESPACE));
    let object = older.object("s", &json!({ "spec": { "size": 3, "owner": "ada" } }));
    older.create(&object).await.expect("created");
    let status = json!({ "phase": "Done", "approved": true });
    newer.merge_patch("s/status", &json!({ "status": status })).await.expect("patched");

    let mut read = older.get("s").await.expect("read");
    let keys = read["status"]["conversionEntries"].as_object().expect("entries").keys();
    assert_eq!(keys.collect::<Vec<_>>(), ["conversion.own-status.example.com/v1.status"]);
    // With a manifest that has neither annotations nor a status.
    let manifest = read.as_object_mut().expect("an object");
    manifest.remove("status");
    manifest["metadata"].as_object_mut().expect("metadata").remove("annotations");
    manifest["spec"]["size"] = json!(4);
    older.replace(&read).await.expect("replaced");
    let now = newer.get("s").await.expect("read");
    assert_eq!((&now["status"], &now["spec"]["size"]), (&status, &json!(4)));
    has_none_about_the_status(&[now]);
}

/// What an owner leaves out goes, also where it applied it at another version, and what others own stays: as in the spec.
#[tokio::test]
async fn server_side_apply_of_the_status_at_both_versions() {
    let installed = Installed::new(shared(), Desk::DEFINITION, "applied-status.example.com").await;
    let [older, newer] = ["v1beta1", "v1"].map(|version| installed.objects(version, NAMESPACE));
    newer.create(&newer.object("d", &json!({ "spec": { "size": 3 } }))).await.expect("created");
    let apply = async |at: &Objects, manager: &str, status: Value| {
        let object = at.object("d", &json!({ "status": status }));
        let patch = Patch::Apply(&object);
        let applied = at.api().patch_status("d", &PatchParams::apply(manager), &patch).await;
        applied.expect("applied");
    };
    apply(&newer, "controller", json!({ "phase": "Done", "approved": true })).await;
    apply(&newer, "approver", json!({ "approver": "bob" })).await;
    let [_, now] = shown(&installed, "d").await;
    assert_eq!(now["status"], json!({ "phase": "Done", "approved": true, "approver": "bob" }));

    apply(&older, "controller", json!({ "phase": "Done", "note": "please" })).await;
    let [older_now, now] = shown(&installed, "d").await;
    assert_eq!(older_now["status"]["note"], "please", "{older_now}");
    assert_eq!((now["status"].get("approved"), &now["status"]["approver"]), (None, &json!("bob")));

    apply(&older, "controller", json!({ "phase": "Done" })).await;
    let [older_now, now] = shown(&installed, "d").await;
    assert_eq!(older_now["status"].get("note"), None, "{older_now}");
    assert_eq!(now["status"]["approver"], "bob", "{now}");
}

/// The same with statuses that carry along what other versions have.
mod carrying {
    use crd_conv::ConversionEntries;

    use super::*;

    pub(crate) mod v1beta1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct Status {
            pub(crate) phase: String,
            pub(crate) note: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(crate) conversion_entries: Option<ConversionEntries>,
        }
    }

    pub(crate) mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1beta1::Status, removed(note))]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct Status {
            pub(crate) phase: String,
            #[versioned(added)]
            pub(crate) approved: Option<bool>,
            #[versioned(added)]
            pub(crate) approver: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(crate) conversion_entries: Option<ConversionEntries>,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "desks", scope = "Namespaced"))]
    pub(crate) enum Desk {
        V1beta1 {
            spec: super::v1beta1::Spec,
            status: Option<v1beta1::Status>,
        },
        #[versioned(storage)]
        V1 {
            spec: super::v1::Spec,
            status: Option<v1::Status>,
        },
    }
}

/// Reads the status at the newer version as a type and writes the whole of it, as a controller does, while another one patches at
/// the older version. Gives what the older version shows then.
async fn replaced_as<T: Serialize + DeserializeOwned>(
    installed: &Installed,
    change: impl Fn(&mut T),
) -> Value {
    let newer = installed.objects("v1", NAMESPACE);
    let older = installed.objects("v1beta1", NAMESPACE);
    approved(installed, "d").await;
    let replace = async || {
        let mut object = newer.get("d").await.expect("read");
        let mut status: T = serde_json::from_value(object["status"].take()).expect("a status");
        change(&mut status);
        object["status"] = serde_json::to_value(&status).expect("JSON");
        newer.replace_status(&object).await
    };
    replace().await.expect("replaced");
    let patch = json!({ "status": { "note": "again" } });
    // Between the two steps of the controller: it gets a conflict, and reads again.
    let mut stale = newer.get("d").await.expect("read");
    older.merge_patch("d/status", &patch).await.expect("patched");
    stale["status"]["phase"] = json!("Stale");
    let conflict = refusal(newer.replace_status(&stale).await);
    assert!(conflict.contains("object has been modified"), "{conflict}");
    replace().await.expect("replaced");
    older.get("d").await.expect("read")
}

#[tokio::test]
async fn a_status_that_is_replaced_as_a_type_keeps_what_the_type_carries() {
    let installed =
        Installed::new(shared(), carrying::Desk::DEFINITION, "carrying.example.com").await;
    let change = |status: &mut carrying::v1::Status| status.phase = "Again".to_owned();
    let older = replaced_as(&installed, change).await;
    assert_eq!(
        (&older["status"]["note"], &older["status"]["phase"]),
        (&json!("again"), &json!("Again"))
    );

    // Without the field in it, it drops what only the other version has, as it drops every field that it doesn't know.
    let installed = Installed::new(shared(), Desk::DEFINITION, "dropping.example.com").await;
    let change = |status: &mut v1::Status| status.phase = "Again".to_owned();
    let older = replaced_as(&installed, change).await;
    assert_eq!((older["status"].get("note"), &older["status"]["phase"]), (None, &json!("Again")));
    assert_eq!(older["spec"]["owner"], "ada", "{older}");
}

/// Objects of a release that kept in annotations what belongs to the status.
#[tokio::test]
async fn what_annotations_say_about_the_status_is_read_only_where_the_author_says_so() {
    let group = "former.example.com";
    let installed = Installed::new(shared(), Desk::DEFINITION, group).await;
    let [older, newer] = ["v1beta1", "v1"].map(|version| installed.objects(version, NAMESPACE));
    let mut object = newer.object("d", &json!({ "spec": { "size": 3 } }));
    let entry = json!({ "format": 1, "peer": "v1", "keep": { "note": "former" } }).to_string();
    let key = format!("conversion.{group}/v1beta1.status.note");
    object["metadata"]["annotations"] = json!({ &key: entry });
    let mut object = newer.create(&object).await.expect("created");
    object["status"] = json!({ "phase": "Done" });
    newer.replace_status(&object).await.expect("the status is written");

    // It stays where it is.
    let [now, _] = shown(&installed, "d").await;
    assert_eq!(now["status"], json!({ "phase": "Done" }), "{now}");
    assert_eq!(carrier(&now).get(&key), Some(&json!(entry)), "{now}");

    let definition = installed.resource.definition();
    installed.webhook.replace([ResourceType::new(definition).reading_status_annotations()]);
    installed
        .until("the release has changed", async || {
            older.get("d").await.is_ok_and(|now| now["status"]["note"] == "former")
        })
        .await;
    // A write at the other version, even one that changes nothing, moves it to its place.
    kubectl_patches("desks", group);
    installed.webhook.replace([ResourceType::new(definition)]);
    installed
        .until("the entry has moved", async || {
            let [older, newer] = shown(&installed, "d").await;
            older["status"]["note"] == "former" && carrier(&newer).is_empty()
        })
        .await;
}

/// Runs the guide's command for all objects.
fn kubectl_patches(plural: &str, group: &str) {
    const GUIDE: &str = include_str!("../../../../crd-conv/guide/carrier.md");
    let start =
        GUIDE.find("kubectl get fleets.v1beta1.example.com -A --no-headers").expect("the command");
    let (command, _) = GUIDE[start..].split_once("\n```").expect("the end of the block");
    let command =
        command.replace("fleets.v1beta1.example.com", &format!("{plural}.v1beta1.{group}"));
    let shell = Command::new("sh")
        .arg("-ec")
        .arg(&command)
        .env("KUBECONFIG", shared().kubeconfig())
        .env("PATH", path_with_kubectl())
        .output();
    let output = shell.expect("a shell");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(!output.stdout.is_empty(), "{command} finds something");
}

/// A resource over three releases, of which each has other versions.
mod releases {
    use super::*;

    pub(super) mod v1alpha1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            pub(crate) size: i64,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Status {
            pub(crate) phase: String,
        }
    }

    pub(super) mod v1beta1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1alpha1::Spec)]
        pub(crate) struct Spec {
            pub(crate) size: i64,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[versioned(from = super::v1alpha1::Status)]
        pub(crate) struct Status {
            pub(crate) phase: String,
            #[versioned(added)]
            pub(crate) conditions: Option<Vec<String>>,
            #[versioned(added)]
            pub(crate) next_change: Option<String>,
        }
    }

    pub(super) mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1beta1::Spec)]
        pub(crate) struct Spec {
            pub(crate) size: i64,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1beta1::Status, removed(conditions, next_change))]
        pub(crate) struct Status {
            pub(crate) phase: String,
        }
    }

    /// The oldest version alone.
    pub(super) mod first {
        use super::*;

        #[derive(Versioned)]
        #[versioned(resource(group = "example.com", plural = "boards", scope = "Namespaced"))]
        pub(crate) enum Board {
            #[versioned(storage)]
            V1alpha1 { spec: v1alpha1::Spec, status: Option<v1alpha1::Status> },
        }
    }

    /// With one more.
    pub(super) mod second {
        use super::*;

        #[derive(Versioned)]
        #[versioned(resource(group = "example.com", plural = "boards", scope = "Namespaced"))]
        pub(crate) enum Board {
            #[versioned(storage)]
            V1alpha1 {
                spec: v1alpha1::Spec,
                status: Option<v1alpha1::Status>,
            },
            V1beta1 {
                spec: v1beta1::Spec,
                status: Option<v1beta1::Status>,
            },
        }
    }

    /// With all of them, the newest one in storage.
    pub(super) mod third {
        use super::*;

        #[derive(Versioned)]
        #[versioned(resource(group = "example.com", plural = "boards", scope = "Namespaced"))]
        pub(crate) enum Board {
            V1alpha1 {
                spec: v1alpha1::Spec,
                status: Option<v1alpha1::Status>,
            },
            V1beta1 {
                spec: v1beta1::Spec,
                status: Option<v1beta1::Status>,
            },
            #[versioned(storage)]
            V1 {
                spec: v1::Spec,
                status: Option<v1::Status>,
            },
        }
    }

    /// Without the one in the middle: the others are the same.
    pub(super) mod without {
        use super::*;

        pub(super) mod v1 {
            use super::*;

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            #[versioned(from = super::v1alpha1::Spec)]
            pub(crate) struct Spec {
                pub(crate) size: i64,
            }

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            #[versioned(from = super::v1alpha1::Status)]
            pub(crate) struct Status {
                pub(crate) phase: String,
            }
        }

        #[derive(Versioned)]
        #[versioned(resource(group = "example.com", plural = "boards", scope = "Namespaced"))]
        pub(crate) enum Board {
            V1alpha1 {
                spec: v1alpha1::Spec,
                status: Option<v1alpha1::Status>,
            },
            #[versioned(storage)]
            V1 {
                spec: v1::Spec,
                status: Option<v1::Status>,
            },
        }
    }
}

/// As the guide has it: a version goes, but its annotations stay.
async fn take_back(installed: &Installed, with: &'static Definition, version: &str) {
    let client = shared().client().await;
    let remove = async |release| {
        let migration = Migration::new(ResourceType::new(release));
        let removal = Removal::new(migration, version).run(&client, |_| {}).await;
        removal.unwrap_or_else(|error| panic!("{error}")).0
    };
    assert!(matches!(remove(with).await, RemovalStep::Served { .. }));
    let stops = unserved(with, version);
    roll_out(installed, stops).await;
    assert!(matches!(remove(stops).await, RemovalStep::Unused { .. }));
}

fn full() -> Value {
    json!({ "phase": "Open", "conditions": ["Ready"], "nextChange": "noon" })
}

/// The status without what is kept of others.
fn plain(mut object: Value) -> Value {
    let mut status = object["status"].take();
    status.as_object_mut().expect("a status").remove("conversionEntries");
    status
}

#[tokio::test]
async fn a_rollback_to_the_first_release_loses_no_status() {
    let group = "status-back.example.com";
    let [first, second] = [releases::first::Board::DEFINITION, releases::second::Board::DEFINITION]
        .map(|release| in_group(release, group));
    let installed = Installed::new(shared(), second, group).await;
    roll_out(&installed, first).await;
    let [older, newer] = ["v1alpha1", "v1beta1"].map(|at| installed.objects(at, NAMESPACE));
    older.create(&older.object("b", &json!({ "spec": { "size": 3 } }))).await.expect("created");

    roll_out(&installed, second).await;
    newer.merge_patch("b/status", &json!({ "status": full() })).await.expect("patched");
    take_back(&installed, second, "v1beta1").await;
    roll_out(&installed, first).await;
    let patch = json!({ "status": { "phase": "Shut" } });
    older.merge_patch("b/status", &patch).await.expect("patched");
    older.merge_patch("b", &json!({ "spec": { "size": 4 } })).await.expect("patched");

    roll_out(&installed, second).await;
    let now = newer.get("b").await.expect("read");
    assert_eq!(now["spec"]["size"], 4);
    let expected = json!({ "phase": "Shut", "conditions": ["Ready"], "nextChange": "noon" });
    assert_eq!(plain(now), expected);
}

#[tokio::test]
async fn a_version_in_the_middle_that_goes_and_comes_back_loses_no_status() {
    let group = "status-middle.example.com";
    let [whole, without] =
        [releases::third::Board::DEFINITION, releases::without::Board::DEFINITION]
            .map(|release| in_group(release, group));
    let installed = Installed::new(shared(), whole, group).await;
    let [oldest, middle, newest] =
        ["v1alpha1", "v1beta1", "v1"].map(|at| installed.objects(at, NAMESPACE));
    newest.create(&newest.object("b", &json!({ "spec": { "size": 3 } }))).await.expect("created");
    middle.merge_patch("b/status", &json!({ "status": full() })).await.expect("patched");

    take_back(&installed, whole, "v1beta1").await;
    roll_out(&installed, without).await;
    for (at, phase) in [(&oldest, "Shutting"), (&newest, "Shut")] {
        let patch = json!({ "status": { "phase": phase } });
        at.merge_patch("b/status", &patch).await.expect("patched");
        let kept = &at.get("b").await.expect("read")["status"]["conversionEntries"];
        let keys: Vec<_> = kept.as_object().expect("entries").keys().collect();
        assert!(keys.iter().all(|key| key.contains("/v1beta1.status.")), "{keys:?}");
        assert_eq!(keys.len(), 2, "{keys:?}");
    }

    roll_out(&installed, whole).await;
    let expected = json!({ "phase": "Shut", "conditions": ["Ready"], "nextChange": "noon" });
    assert_eq!(plain(middle.get("b").await.expect("read")), expected);
}
