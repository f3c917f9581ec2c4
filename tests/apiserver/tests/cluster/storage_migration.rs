//! Kubernetes' own `StorageVersionMigration`.

use crd_conv::cluster::Install;
use crd_conv::crd::CrdOptions;
use crd_conv::migrate::{Migration, MigrationError, Removal, RemovalStep};
use crd_conv::{ResourceType, VersionedResource};
use crd_conv_apiserver::{Installed, apply, namespace, release, whole};
use fleet::Fleet;
use serde_json::{Value, json};

/// How many objects are stored in a version.
fn stored_in(installed: &Installed, version: &str) -> usize {
    let api_version = format!("{}/{version}", installed.resource.definition().group);
    let all = whole().stored(&installed.resource_path());
    let objects =
        all.iter().map(|stored| serde_json::from_str::<Value>(&stored.value).expect("JSON"));
    objects.filter(|object| object["apiVersion"] == api_version).count()
}

/// Fleets that are stored in the oldest version, while the newest one is the storage version; and the outcome of a migration that
/// Kubernetes runs.
async fn migrated(group: &'static str, refused: bool) -> (Installed, Value) {
    let client = whole().client().await;
    let space = group.split('.').next().expect("a name");
    for name in [space, "probe"] {
        namespace(&client, name).await;
    }
    let installed = Installed::changed(whole(), Fleet::DEFINITION, group, |crd| {
        for version in &mut crd.spec.versions {
            version.storage = version.name == "v1alpha1";
        }
    })
    .await;
    let oldest = installed.objects("v1alpha1", space);
    for (number, fleet) in installed.random("v1alpha1", 7, 6).iter().enumerate() {
        let name = format!("f-{number}");
        oldest.create_text(&oldest.named(fleet, &name)).await.expect("created");
    }
    installed.store_in("v1").await;
    let policy = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy", "metadata": { "name": group },
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": { "resourceRules": [{
                "apiGroups": [group], "apiVersions": ["*"], "operations": ["UPDATE"], "resources": ["fleets"],
            }] },
            "validations": [{ "expression": "object.metadata.name != 'f-3'", "message": "f-3 stays as it is" }],
        },
    });
    if refused {
        apply(&client, &policy).await;
        let binding = json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": { "name": group },
            "spec": { "policyName": group, "validationActions": ["Deny"] },
        });
        apply(&client, &binding).await;
        let label = json!({ "metadata": { "labels": { "a": "b" } } });
        installed
            .until("the policy is in force", async || {
                installed.objects("v1", space).merge_patch("f-3?dryRun=All", &label).await.is_err()
            })
            .await;
    }
    let migration = json!({
        "apiVersion": "storagemigration.k8s.io/v1", "kind": "StorageVersionMigration", "metadata": { "name": group },
        "spec": { "resource": { "group": group, "resource": "fleets" } },
    });
    apply(&client, &migration).await;
    let path = format!("/apis/storagemigration.k8s.io/v1/storageversionmigrations/{group}");
    let outcome = async || {
        let request = http::Request::get(&path).body(Vec::new()).expect("a request");
        let migration = client.request::<Value>(request).await.expect("the migration");
        let conditions = migration["status"]["conditions"].as_array().cloned().unwrap_or_default();
        conditions.into_iter().find(|condition| {
            condition["status"] == "True"
                && (condition["type"] == "Succeeded" || condition["type"] == "Failed")
        })
    };
    installed.until("the migration has ended", async || outcome().await.is_some()).await;
    let outcome = outcome().await.expect("an outcome");
    installed
        .until("the CustomResourceDefinition says so", async || {
            installed.crd().await["status"]["storedVersions"] == json!(["v1"])
        })
        .await;
    (installed, outcome)
}

#[tokio::test]
async fn it_moves_all_objects() {
    let (installed, outcome) = migrated("moved.example.com", false).await;
    assert_eq!(outcome["type"], "Succeeded", "{outcome}");
    assert_eq!((stored_in(&installed, "v1alpha1"), stored_in(&installed, "v1")), (0, 6));
}

/// One object that a policy refuses ends it, and `status.storedVersions` says that all went through. Nothing of ours believes that.
#[tokio::test]
async fn failed_it_leaves_a_status_that_is_untrue() {
    let group = "stopped.example.com";
    let (installed, outcome) = migrated(group, true).await;
    assert_eq!(outcome["type"], "Failed", "{outcome}");
    assert!(stored_in(&installed, "v1alpha1") > 0, "{outcome}");
    let migrating = async || {
        let crd = installed.crd().await;
        assert_eq!(crd["status"]["storedVersions"], json!(["v1"]));
        let conditions = crd["status"]["conditions"].as_array().expect("conditions");
        let condition = conditions.iter().find(|condition| condition["type"] == "StorageMigrating");
        let condition = condition.expect("a condition");
        ["status", "reason"].map(|name| condition[name].as_str().expect("text").to_owned())
    };
    assert_eq!(migrating().await, ["False", "MigrationFailed"]);

    let client = whole().client().await;
    let without = release(Fleet::DEFINITION, group, &["v1beta1", "v1"], "v1");
    let install = async || {
        let options = CrdOptions::new().webhook(installed.webhook.config());
        let install = Install::new(ResourceType::new(without), &options).expect("a CRD");
        let install = install.take_over().take_away("v1alpha1");
        install.apply(&client).await
    };
    let refused = install().await.expect_err("objects may be stored in it").to_string();
    assert!(refused.contains("v1alpha1") && refused.contains("migrate"), "{refused}");

    // What the policy refuses is named, and all others move.
    let whole_release = release(Fleet::DEFINITION, group, &["v1alpha1", "v1beta1", "v1"], "v1");
    let removal = || Removal::new(Migration::new(ResourceType::new(whole_release)), "v1alpha1");
    let Err(MigrationError::Objects { report, .. }) = removal().run(&client, |_| {}).await else {
        panic!("one object stays")
    };
    assert_eq!((report.failed, report.failures[0].object.as_str()), (1, "stopped/f-3"));
    assert_eq!(stored_in(&installed, "v1alpha1"), 1);
    assert_eq!(migrating().await, ["False", "MigrationFailed"]);
    assert!(install().await.is_err());

    let policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
    let request = http::Request::delete(format!("{policies}/{group}")).body(Vec::new());
    client.request::<Value>(request.expect("a request")).await.expect("deleted");
    installed
        .until("nothing is refused", async || {
            let label = json!({ "metadata": { "labels": { "a": "b" } } });
            installed.objects("v1", "stopped").merge_patch("f-3?dryRun=All", &label).await.is_ok()
        })
        .await;
    let (step, _) = removal().run(&client, |_| {}).await.expect("moved");
    assert_eq!(step, RemovalStep::Served { version: "v1alpha1".to_owned() });
    assert_eq!(stored_in(&installed, "v1alpha1"), 0);
    assert_eq!(migrating().await, ["False", "MigrationSucceeded"]);
    install().await.expect("no object is stored in it");
    assert_eq!(installed.objects("v1", "stopped").list().await.expect("a list").len(), 6);
}
