//! Objects that are written, read and changed at every version, while the storage version goes forth and back.

use std::collections::BTreeMap;

use crd_conv::VersionedResource;
use crd_conv_apiserver::{ApiServer, Installed, carrier, comparable, shared};
use crontab::CronTab;
use fleet::Fleet;
use futures_util::{TryStreamExt, pin_mut};
use kube::api::{ListParams, PostParams, WatchEvent, WatchParams};
use kube::{Api, ResourceExt};
use serde_json::{Value, json};

const NAMESPACE: &str = "lifecycle";

/// Objects of a version, without a status.
type Samples = BTreeMap<&'static str, Value>;

fn crontabs() -> Samples {
    BTreeMap::from([
        ("v1beta1", json!({ "hostPort": "localhost:1234" })),
        // Half of what `v1beta1` has in one field.
        ("v1", json!({ "port": "1234" })),
    ])
}

fn fleets() -> Samples {
    BTreeMap::from([
        (
            "v1alpha1",
            json!({ "spec": {
                "image": "i", "size": 4, "endpoint": "a:08", "resync": "90s", "owner": "ada", "retries": 5,
                "checkPath": "/healthz", "checkPeriod": 10, "strategy": "OneByOne",
                "ports": [{ "name": "data", "number": 1 }],
                "pools": { "arm": { "weight": 1, "zone": "a", "tolerations": [{ "key": "spot", "seconds": 60 }] } },
            } }),
        ),
        (
            "v1beta1",
            json!({ "spec": {
                "image": "i", "replicas": 4, "endpoint": "a:1", "resyncSeconds": 90, "paused": true,
                "checks": { "path": "/healthz" }, "strategy": "Recreate",
                "ports": [{ "name": "gossip", "port": 1, "protocol": "UDP" }],
                "pools": { "arm": { "weight": 1, "labels": { "arch": "arm64" } } },
            } }),
        ),
        (
            "v1",
            json!({ "spec": {
                "image": "i", "replicas": 4, "host": "a", "port": 1, "resyncSeconds": 90, "paused": false,
                "checks": { "path": "/", "periodSeconds": 3, "timeoutSeconds": 2 }, "strategy": "Canary", "historyLimit": 3,
                "ports": [{ "name": "data", "port": 1, "servicePort": 16379 }, { "name": "more", "port": 2 }],
                "pools": { "arm": { "weight": 1, "zones": ["a", "b"], "labels": { "arch": "arm64" } } },
            } }),
        ),
    ])
}

/// Whether all of one value stands in another.
fn within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(name, part)| whole.get(name).is_some_and(|whole| within(part, whole)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len()
                && part.iter().zip(whole).all(|(part, whole)| within(part, whole))
        }
        _ => part == whole,
    }
}

/// Writes an object at a version in every way, with an assertion at all versions after each.
async fn write(installed: &Installed, version: &str, name: &str, sample: &Value) {
    let objects = installed.objects(version, NAMESPACE);
    let written = objects.object(name, sample);
    let created = objects.create(&written).await.expect("created");
    assert!(within(&written, &created), "{created}");
    let place = installed.versions().iter().position(|each| *each == version).expect("a version");
    assert_eq!(installed.agree(NAMESPACE, name).await[place], created, "exact return");

    let mut changed = created.clone();
    changed["metadata"]["labels"] = json!({ "changed": "yes" });
    let replaced = objects.replace(&changed).await.expect("replaced");
    assert_eq!(comparable(&replaced), comparable(&changed));
    installed.agree(NAMESPACE, name).await;

    let annotate = json!({ "metadata": { "annotations": { "example.com/merged": "yes" } } });
    let merged = objects.merge_patch(name, &annotate).await.expect("merged");
    changed["metadata"]["annotations"]["example.com/merged"] = json!("yes");
    assert_eq!(comparable(&merged), comparable(&changed));
    installed.agree(NAMESPACE, name).await;

    let label = json!([{ "op": "add", "path": "/metadata/labels/patched", "value": "yes" }]);
    let patched = objects.json_patch(name, &label).await.expect("patched");
    changed["metadata"]["labels"]["patched"] = json!("yes");
    assert_eq!(comparable(&patched), comparable(&changed));
    installed.agree(NAMESPACE, name).await;

    // The same values as are there, so that nobody else's field is in the way.
    let applied = objects.apply("lifecycle", &written).await.expect("applied");
    assert_eq!(comparable(&applied), comparable(&changed));
    installed.agree(NAMESPACE, name).await;
}

/// What every version shows of every object.
async fn shown(installed: &Installed) -> BTreeMap<(String, &'static str), Value> {
    let mut shown = BTreeMap::new();
    for version in installed.versions() {
        for object in installed.objects(version, NAMESPACE).list().await.expect("a list") {
            let name = object["metadata"]["name"].as_str().expect("a name").to_owned();
            shown.insert((name, version), object);
        }
    }
    shown
}

async fn lifecycle(installed: &Installed, samples: &Samples) {
    let versions = installed.versions();
    let before = shown(installed).await;
    assert!(before.is_empty());
    for (round, storage) in versions.iter().chain(versions.iter().rev()).enumerate() {
        let before = shown(installed).await;
        installed.store_in(storage).await;
        let after = shown(installed).await;
        assert_eq!(before, after, "the same objects with {storage} for storage");

        for (version, sample) in samples {
            write(installed, version, &format!("{version}-{round}"), sample).await;
        }
        // An object that was stored in another version is stored in this one once it is written.
        for (index, version) in versions.iter().enumerate() {
            let objects = installed.objects(version, NAMESPACE);
            let name = format!("{}-0", versions[index]);
            let read = objects.get(&name).await.expect("read");
            let replaced = objects.replace(&read).await.expect("replaced");
            assert_eq!(comparable(&replaced), comparable(&read));
            installed.agree(NAMESPACE, &name).await;
        }
    }
    let crd = installed.crd().await;
    let mut stored: Vec<&str> = crd["status"]["storedVersions"]
        .as_array()
        .expect("versions")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    stored.sort_unstable();
    let mut all = versions;
    all.sort_unstable();
    assert_eq!(stored, all);
}

#[tokio::test]
async fn crontabs_while_the_storage_version_changes() {
    let installed = Installed::new(shared(), CronTab::DEFINITION, "life.example.com").await;
    lifecycle(&installed, &crontabs()).await;
}

#[tokio::test]
async fn fleets_while_the_storage_version_changes() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "life.example.com").await;
    lifecycle(&installed, &fleets()).await;
}

#[tokio::test]
async fn random_fleets_and_their_status() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "random.example.com").await;
    let drawn = installed.versions().into_iter().flat_map(|version| {
        installed.random(version, 1, 20).into_iter().map(move |drawn| (version, drawn))
    });
    for (number, (version, drawn)) in drawn.enumerate() {
        let objects = installed.objects(version, NAMESPACE);
        let name = format!("f-{number}");
        let drawn = objects.named(&drawn, &name);
        let created = objects.create_text(&drawn).await.expect("created");
        installed.agree(NAMESPACE, &name).await;

        // Each version writes the status in its turn, and each sees what the other wrote.
        let mut with_status: Value = serde_json::from_str(&created).expect("JSON");
        let drawn: Value = serde_json::from_str(&drawn).expect("JSON");
        with_status["status"] = drawn["status"].clone();
        let written = objects.replace_status(&with_status).await.expect("written");
        for shown in installed.agree(NAMESPACE, &name).await {
            let version = shown["apiVersion"].as_str().expect("a version");
            let version = version.rsplit('/').next().expect("a version");
            let same = installed.objects(version, NAMESPACE).replace_status(&shown).await;
            assert_eq!(same.expect("written"), shown);
        }
        assert_eq!(objects.get(&name).await.expect("read"), written);
    }
}

#[tokio::test]
async fn watches_show_what_reads_show() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "watch.example.com").await;
    let sample = fleets()["v1alpha1"].clone();
    for version in installed.versions() {
        let api = installed.objects(version, NAMESPACE).api();
        let list = api.list(&ListParams::default()).await.expect("a list");
        let since = list.metadata.resource_version.expect("a version");
        let events = api.watch(&WatchParams::default(), &since).await.expect("a watch");
        pin_mut!(events);
        let name = format!("seen-at-{version}");
        let older = installed.objects("v1alpha1", NAMESPACE);
        older.create(&older.object(&name, &sample)).await.expect("created");
        let Some(WatchEvent::Added(seen)) = events.try_next().await.expect("an event") else {
            panic!("not the event of a new object")
        };
        let seen = serde_json::to_value(seen).expect("JSON");
        let read = installed.objects(version, NAMESPACE).get(&name).await.expect("read");
        assert_eq!(comparable(&seen), comparable(&read));
        assert_eq!(carrier(&seen), carrier(&read));
        older.delete(&name).await.expect("deleted");
        let Some(WatchEvent::Deleted(gone)) = events.try_next().await.expect("an event") else {
            panic!("not the event of a deleted object")
        };
        let gone = serde_json::to_value(gone).expect("JSON");
        assert_eq!(comparable(&gone), comparable(&read));
    }
}

#[tokio::test]
async fn typed_objects_of_the_newest_version() {
    // kube's types name their group, so this is the only test of it.
    let installed = Installed::new(shared(), Fleet::DEFINITION, "example.com").await;
    let typed: Api<fleet::v1::Fleet> = Api::namespaced(shared().client().await, NAMESPACE);
    let older = installed.objects("v1alpha1", NAMESPACE);
    older.create(&older.object("f", &fleets()["v1alpha1"])).await.expect("created");

    let mut read = typed.get("f").await.expect("read");
    assert_eq!((read.spec.host.as_str(), read.spec.port), ("a", 8));
    assert_eq!(read.spec.resync_seconds, Some(90));
    read.spec.replicas = 7;
    read.labels_mut().insert("typed".to_owned(), "yes".to_owned());
    typed.replace("f", &PostParams::default(), &read).await.expect("replaced");

    let shown = older.get("f").await.expect("read");
    let mut expected = fleets()["v1alpha1"].clone();
    expected["spec"]["size"] = json!(7);
    assert_eq!(shown["spec"], expected["spec"], "the edit is there, and everything else as it was");
    // kube's types write `null` where there is nothing, and that isn't the same as nothing. A struct with such a null in it
    // is said to be there.
    for (key, entry) in carrier(&shown) {
        let entry = entry.as_str().expect("text");
        let said = entry.matches("null}").count() + entry.matches("{}").count();
        assert_eq!(said, 1, "{key}: {entry}");
    }
    installed.agree(NAMESPACE, "f").await;
    let all = typed.list(&ListParams::default()).await.expect("a list");
    assert_eq!(all.items[0].spec.replicas, 7);
}

#[tokio::test]
async fn unknown_fields_survive_where_the_schema_keeps_them() {
    let group = "unknown.example.com";
    let installed = Installed::changed(shared(), Fleet::DEFINITION, group, |crd| {
        for version in &mut crd.spec.versions {
            let properties = &mut version.schema.open_api_v3_schema.properties;
            let spec = properties.get_mut("spec").expect("a stanza");
            spec.extensions.preserve_unknown_fields = Some(true);
        }
    })
    .await;
    for storage in installed.versions() {
        installed.store_in(storage).await;
        for (version, mut sample) in fleets() {
            let unknown = json!({ "deep": [{ "er": null }, 1.5, "x"], "big": 1e30 });
            sample["spec"]["unknown"] = unknown.clone();
            let name = format!("{version}-in-{storage}");
            let objects = installed.objects(version, NAMESPACE);
            let created = objects.create(&objects.object(&name, &sample)).await.expect("created");
            for shown in installed.agree(NAMESPACE, &name).await {
                assert_eq!(shown["spec"]["unknown"], unknown);
            }
            assert_eq!(objects.get(&name).await.expect("read"), created);
        }
    }
}

/// With this gate the server converts the objects of a version's cache in parallel.
#[tokio::test]
async fn caches_filled_in_parallel_hold_the_same() {
    let server = Box::leak(Box::new(ApiServer::start("ConcurrentWatchObjectDecode=true")));
    let installed = Installed::new(server, Fleet::DEFINITION, "cache.example.com").await;
    let objects = installed.objects("v1alpha1", NAMESPACE);
    for number in 0..100 {
        let mut object = objects.object(&format!("f-{number:03}"), &fleets()["v1alpha1"]);
        object["spec"]["size"] = json!(number);
        objects.create(&object).await.expect("created");
    }
    // The server fills its caches anew.
    installed.store_in("v1").await;
    for version in installed.versions() {
        let objects = installed.objects(version, NAMESPACE);
        let read = objects.list().await.expect("a list");
        installed
            .until("the cache is full", async || {
                objects.list_cached().await.is_ok_and(|cached| cached.len() == read.len())
            })
            .await;
        assert_eq!(objects.list_cached().await.expect("a list"), read);
    }
}
