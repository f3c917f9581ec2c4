//! `crd_conv::migrate` in the server.

use std::collections::BTreeMap;

use crd_conv::migrate::{Migration, MigrationError, Removal, RemovalStep, Report};
use crd_conv::{Definition, Resource, Reviewer, VersionedResource};
use crd_conv_apiserver::{Installed, carrier, refusal, shared};
use fleet::Fleet;
use serde_json::{Value, json};

const NAMESPACE: &str = "migrate";

/// A resource in a group of its own, with another version in storage, and without the versions that come before `oldest`.
fn definition(
    of: &'static Definition,
    group: &'static str,
    oldest: &str,
    storage: &str,
) -> &'static Definition {
    let place = of.versions.iter().position(|version| version.name == oldest).expect("a version");
    let mut versions = of.versions[place..].to_vec();
    versions[0].plan = None;
    for version in &mut versions {
        version.storage = version.name == storage;
    }
    let versions = Box::leak(versions.into_boxed_slice());
    Box::leak(Box::new(Definition { group, versions, ..*of }))
}

fn fleet() -> Value {
    json!({ "spec": {
        "image": "i", "size": 4, "endpoint": "a:08", "resync": "90s", "owner": "ada", "retries": 5,
        "checkPath": "/healthz", "checkPeriod": 10, "strategy": "OneByOne",
    } })
}

/// In how many objects each version is stored.
fn stored(installed: &Installed) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for stored in shared().stored(&installed.resource_path()) {
        let object: Value = serde_json::from_str(&stored.value).expect("JSON");
        let api_version = object["apiVersion"].as_str().expect("a version");
        let version = api_version.rsplit('/').next().expect("a version");
        *counts.entry(version.to_owned()).or_default() += 1;
    }
    counts
}

async fn stored_versions(installed: &Installed) -> Value {
    installed.crd().await["status"]["storedVersions"].clone()
}

async fn fill(installed: &Installed, version: &str, count: usize) {
    let objects = installed.objects(version, NAMESPACE);
    for number in 0..count {
        let object = objects.object(&format!("f-{number:05}"), &fleet());
        objects.create(&object).await.expect("created");
    }
}

fn migration(installed: &Installed) -> Migration {
    Migration::new(Resource::new(installed.resource.definition()))
}

async fn migrate(installed: &Installed) -> Report {
    let client = shared().client().await;
    migration(installed).run(&client, |_| {}).await.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn stored_objects_move_into_the_storage_version() {
    let group = "migrate.example.com";
    let before = definition(Fleet::DEFINITION, group, "v1alpha1", "v1alpha1");
    let installed = Installed::new(shared(), before, group).await;
    fill(&installed, "v1alpha1", 20).await;
    installed.store_in("v1").await;
    assert_eq!(stored(&installed), BTreeMap::from([("v1alpha1".to_owned(), 20)]));
    assert_eq!(stored_versions(&installed).await, json!(["v1alpha1", "v1"]));

    let shown = installed.agree(NAMESPACE, "f-00000").await;
    let client = shared().client().await;
    let tried = migration(&installed).dry_run().run(&client, |_| {}).await.expect("tried");
    assert_eq!((tried.objects, tried.failed), (20, 0));
    assert_eq!(stored(&installed), BTreeMap::from([("v1alpha1".to_owned(), 20)]));
    assert_eq!(stored_versions(&installed).await, json!(["v1alpha1", "v1"]));

    let report = migrate(&installed).await;
    assert_eq!((report.objects, report.rewritten), (20, 20));
    assert_eq!(stored(&installed), BTreeMap::from([("v1".to_owned(), 20)]));
    assert_eq!(stored_versions(&installed).await, json!(["v1"]));
    // What everybody sees is as it was.
    let after = installed.agree(NAMESPACE, "f-00000").await;
    for (before, after) in shown.iter().zip(&after) {
        assert_eq!(before["spec"], after["spec"]);
        assert_eq!(before["metadata"]["generation"], after["metadata"]["generation"]);
    }

    let again = migrate(&installed).await;
    assert_eq!((again.objects, again.unchanged), (20, 20));
}

/// Changes a version in the CustomResourceDefinition, and waits until it isn't served.
async fn stop_serving(installed: &Installed, version: &str) {
    installed
        .change_crd(|crd| {
            for each in crd["spec"]["versions"].as_array_mut().expect("versions") {
                if each["name"] == version {
                    each["served"] = json!(false);
                }
            }
        })
        .await;
    until_unserved(installed, version).await;
}

async fn drop_version(installed: &Installed, version: &str) {
    installed
        .change_crd(|crd| {
            let versions = crd["spec"]["versions"].as_array_mut().expect("versions");
            versions.retain(|each| each["name"] != version);
        })
        .await;
    until_unserved(installed, version).await;
}

async fn until_unserved(installed: &Installed, version: &str) {
    let objects = installed.objects(version, NAMESPACE);
    installed.until("it isn't served", async || objects.list().await.is_err()).await;
}

/// An object to which two managers have applied, in the oldest version and in the newest one.
async fn apply_at_both(installed: &Installed, name: &str) {
    let (old, new) = (installed.objects("v1alpha1", NAMESPACE), installed.objects("v1", NAMESPACE));
    let one = old.object(name, &fleet());
    old.apply("one", &one).await.expect("applied in the oldest version");
    let two = new.object(name, &json!({ "spec": { "historyLimit": 3 } }));
    new.apply("two", &two).await.expect("applied in the newest version");
}

/// The set of fields of each manager.
fn managers(object: &Value) -> BTreeMap<(String, String), Value> {
    let entries = object["metadata"]["managedFields"].as_array().expect("entries");
    let text = |entry: &Value, name: &str| entry[name].as_str().expect("text").to_owned();
    let named = |entry: &Value| (text(entry, "manager"), text(entry, "apiVersion"));
    entries.iter().map(|entry| (named(entry), entry["fieldsV1"].clone())).collect()
}

#[tokio::test]
async fn an_outage_of_the_webhook_costs_nobody_fields() {
    let group = "migrate-outage.example.com";
    let whole = definition(Fleet::DEFINITION, group, "v1alpha1", "v1");
    let installed = Installed::new(shared(), whole, group).await;
    apply_at_both(&installed, "f").await;
    apply_at_both(&installed, "updated").await;
    let new = installed.objects("v1", NAMESPACE);
    let before = new.get("f").await.expect("read");
    assert_eq!(managers(&before).len(), 2);

    // A replica of another release answers: it doesn't know the oldest version.
    let later = definition(Fleet::DEFINITION, group, "v1beta1", "v1");
    installed.webhook.replace(Reviewer::new([Resource::new(later)]));
    let label = json!({ "metadata": { "labels": { "a": "b" } } });
    let updated = new.merge_patch("updated", &label).await.expect("written");
    assert_eq!(updated["metadata"].get("managedFields"), None, "what any other update does");
    let client = shared().client().await;
    let outcome = migration(&installed).run(&client, |_| {}).await;
    let Err(MigrationError::Objects { report, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!((report.objects, report.failed), (2, 1));
    assert_eq!(report.failures[0].object, format!("{NAMESPACE}/f"));
    assert_eq!(new.get("f").await.expect("read"), before);

    installed.webhook.replace(Reviewer::new([Resource::new(whole)]));
    let report = migrate(&installed).await;
    assert_eq!((report.objects, report.unchanged), (2, 2));
    assert_eq!(new.get("f").await.expect("read"), before);
}

/// What `one` applies in the newest version, in place of what it applied in the oldest one, but for one field.
fn without_resync() -> Value {
    json!({ "spec": { "image": "i", "replicas": 6, "host": "a", "port": 8 } })
}

#[tokio::test]
async fn without_cleaning_applies_fail_and_updates_lose_all_owners() {
    let group = "migrate-uncleaned.example.com";
    let before = definition(Fleet::DEFINITION, group, "v1alpha1", "v1");
    let installed = Installed::new(shared(), before, group).await;
    for name in ["f", "updated"] {
        apply_at_both(&installed, name).await;
    }
    // The steps of the Kubernetes documentation, and nothing else.
    stop_serving(&installed, "v1alpha1").await;
    drop_version(&installed, "v1alpha1").await;
    let after = definition(Fleet::DEFINITION, group, "v1beta1", "v1");
    installed.webhook.replace(Reviewer::new([Resource::new(after)]));

    let new = installed.objects("v1", NAMESPACE);
    let label = json!({ "metadata": { "labels": { "a": "b" } } });
    let said = refusal(new.apply("one", &new.object("f", &without_resync())).await);
    assert!(said.contains("invalid group/version"), "{said}");
    // The API server gives up on an object's managers when somebody updates it, and then all fields belong to nobody.
    let updated = new.merge_patch("updated", &label).await.expect("written");
    assert_eq!(updated["metadata"].get("managedFields"), None);
    let said = refusal(new.apply("one", &new.object("updated", &without_resync())).await);
    assert!(said.contains("conflict with \"before-first-apply\""), "{said}");

    let client = shared().client().await;
    let report = Migration::new(Resource::new(after)).run(&client, |_| {}).await.expect("mended");
    assert_eq!((report.objects, report.managed_fields_cleaned), (2, 1));
    let object = new.get("f").await.expect("read");
    let managers = managers(&object);
    let api_version = format!("{group}/v1");
    // Nobody knows any more what `size` was. `image` is known by its name.
    let one = &managers[&("one".to_owned(), api_version.clone())]["f:spec"];
    assert_eq!(one["f:image"], json!({}), "{managers:?}");
    assert_eq!(one.get("f:size"), None);
    assert!(managers.contains_key(&("two".to_owned(), api_version)));
    new.merge_patch("f", &label).await.expect("written");
    new.apply("one", &new.object("f", &json!({ "spec": { "image": "j" } })))
        .await
        .expect("applied");
}

#[tokio::test]
async fn a_version_is_removed_step_by_step() {
    let group = "migrate-remove.example.com";
    let before = definition(Fleet::DEFINITION, group, "v1alpha1", "v1alpha1");
    let installed = Installed::new(shared(), before, group).await;
    apply_at_both(&installed, "f").await;
    let client = shared().client().await;
    let remove = async |definition| {
        let migration = Migration::new(Resource::new(definition));
        let removal = Removal::new(migration, "v1alpha1");
        removal.run(&client, |_| {}).await.unwrap_or_else(|error| panic!("{error}"))
    };
    let version = || "v1alpha1".to_owned();

    let (step, report) = remove(before).await;
    assert_eq!(step, RemovalStep::InStorage { version: version() });
    assert!(report.is_none(), "nothing was done");

    installed.store_in("v1").await;
    let (step, report) = remove(before).await;
    assert_eq!(step, RemovalStep::Served { version: version() });
    let report = report.expect("all objects were rewritten");
    assert_eq!((report.rewritten, report.managed_fields_cleaned), (1, 0));
    assert_eq!(stored_versions(&installed).await, json!(["v1"]));

    stop_serving(&installed, "v1alpha1").await;
    let new = installed.objects("v1", NAMESPACE);
    let shown = new.get("f").await.expect("read");
    let (step, report) = remove(before).await;
    let (in_cluster, in_program) = (true, true);
    assert_eq!(step, RemovalStep::Unused { version: version(), in_cluster, in_program });
    assert_eq!(report.expect("a report").managed_fields_cleaned, 1);
    let object = new.get("f").await.expect("read");
    assert_eq!(object["spec"], shown["spec"]);
    assert_eq!(carrier(&object), carrier(&shown), "nothing is lost yet");
    assert!(!carrier(&object).is_empty());
    let managers = managers(&object);
    let api_version = format!("{group}/v1");
    let one = &managers[&("one".to_owned(), api_version.clone())]["f:spec"];
    for field in ["f:image", "f:replicas", "f:host", "f:port", "f:resyncSeconds"] {
        assert_eq!(one[field], json!({}), "{managers:?}");
    }
    assert_eq!(one.get("f:historyLimit"), None, "that is of the other one");
    assert_eq!(managers.len(), 2, "{managers:?}");

    drop_version(&installed, "v1alpha1").await;
    let after = definition(Fleet::DEFINITION, group, "v1beta1", "v1");
    installed.webhook.replace(Reviewer::new([Resource::new(after)]));
    let (step, report) = remove(after).await;
    assert_eq!(step, RemovalStep::Removed { version: version() });
    let (mut left, mut gone) = (carrier(&object), carrier(&object));
    left.retain(|key, _| !key.contains("/v1alpha1."));
    gone.retain(|key, _| key.contains("/v1alpha1."));
    assert!(!gone.is_empty() && !left.is_empty(), "entries of either kind");
    assert_eq!(report.expect("a report").annotations_removed, gone.len() as u64);
    assert_eq!(carrier(&new.get("f").await.expect("read")), left);

    // Later writes succeed, and owners own what they did: what they leave out vanishes, what is another's they may not change.
    let applied = new.apply("one", &new.object("f", &without_resync())).await.expect("applied");
    assert_eq!(applied["spec"].get("resyncSeconds"), None);
    assert_eq!(applied["spec"]["replicas"], 6);
    assert_eq!(applied["spec"]["historyLimit"], 3);
    let said =
        refusal(new.apply("two", &new.object("f", &json!({ "spec": { "replicas": 1 } }))).await);
    assert!(said.contains("conflict with \"one\""), "{said}");
    new.merge_patch("f", &json!({ "metadata": { "labels": { "a": "b" } } }))
        .await
        .expect("written");
}
