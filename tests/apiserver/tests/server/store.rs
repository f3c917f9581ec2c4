//! What is read at any version and written back unchanged changes nothing, not even a byte in etcd.

use crd_conv::{Definition, VersionedResource};
use crd_conv_apiserver::{Installed, shared};
use crd_conv_tests::gadget::Gadget;
use crontab::CronTab;
use fleet::Fleet;
use serde_json::Value;

const NAMESPACE: &str = "store";

/// Writes so many random objects at each version, and each of them back at every version.
async fn write_back(definition: &'static Definition, seed: u64, count: usize) {
    let installed = Installed::new(shared(), definition, "store.example.com").await;
    for version in installed.versions() {
        for (number, drawn) in installed.random(version, seed, count).iter().enumerate() {
            let name = format!("{version}-{number}");
            let objects = installed.objects(version, NAMESPACE);
            let created = objects.create_text(&objects.named(drawn, &name)).await;
            let created: Value = serde_json::from_str(&created.expect("created")).expect("JSON");
            let path = installed.resource_path();
            let stored = shared().stored_object(&path, NAMESPACE, &name);
            let revision = created["metadata"]["resourceVersion"].as_str().expect("a revision");
            assert_eq!(revision, stored.mod_revision.to_string());
            for (version, read) in
                installed.versions().into_iter().zip(installed.agree(NAMESPACE, &name).await)
            {
                let objects = installed.objects(version, NAMESPACE);
                let back = objects.replace(&read).await.expect("written back");
                let now = shared().stored_object(&path, NAMESPACE, &name);
                assert_eq!(stored.value, now.value, "{name}, written back at {version}: {read}");
                assert_eq!(stored, now);
                assert_eq!(back["metadata"], read["metadata"]);
            }
        }
    }
}

#[tokio::test]
async fn crontabs() {
    write_back(CronTab::DEFINITION, 11, 100).await;
}

#[tokio::test]
async fn fleets() {
    write_back(Fleet::DEFINITION, 12, 134).await;
}

/// Its converters are wrong in every way there is.
#[tokio::test]
async fn gadgets() {
    write_back(Gadget::DEFINITION, 13, 134).await;
}
