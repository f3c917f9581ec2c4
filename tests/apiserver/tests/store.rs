//! What is read at any version and written back unchanged changes nothing, not even a byte in etcd.

use crd_conv::{Definition, VersionedResource};
use crd_conv_apiserver::{Draw, Installed, shared};
use crd_conv_tests::gadget::Gadget;
use crd_conv_tests::nest::Nest;
use crontab::CronTab;
use fleet::Fleet;

const NAMESPACE: &str = "store";

/// Writes random objects at random versions, and each of them back at every version.
async fn write_back(definition: &'static Definition, seed: u64, count: usize) {
    let installed = Installed::new(shared(), definition, "store.example.com").await;
    let mut draw = Draw::new(seed);
    let mut written = 0;
    let mut schemas = Vec::new();
    for version in installed.versions() {
        schemas.push(installed.schema(version).await);
    }
    for number in 0..count {
        let place = draw.below(schemas.len());
        let version = installed.versions()[place];
        let objects = installed.objects(version, NAMESPACE);
        let name = format!("o-{number}");
        let drawn = draw.fields_of_object(&schemas[place]);
        let created = objects.create(&objects.object(&name, &drawn)).await.expect("created");
        let path = installed.resource_path();
        let stored = shared().stored_object(&path, NAMESPACE, &name);
        let revision = created["metadata"]["resourceVersion"].as_str().expect("a revision");
        assert_eq!(revision, stored.mod_revision.to_string());
        for version in installed.versions() {
            let objects = installed.objects(version, NAMESPACE);
            let read = objects.get(&name).await.expect("read");
            let back = objects.replace(&read).await.expect("written back");
            let now = shared().stored_object(&path, NAMESPACE, &name);
            assert_eq!(stored.value, now.value, "{name}, written back at {version}: {read}");
            assert_eq!(stored, now);
            assert_eq!(back["metadata"], read["metadata"]);
            written += 1;
        }
    }
    println!("{count} objects, {written} writes");
}

#[tokio::test]
async fn crontabs() {
    write_back(CronTab::DEFINITION, 11, 200).await;
}

#[tokio::test]
async fn fleets() {
    write_back(Fleet::DEFINITION, 12, 400).await;
}

#[tokio::test]
async fn gadgets() {
    write_back(Gadget::DEFINITION, 13, 200).await;
}

#[tokio::test]
async fn nests() {
    write_back(Nest::DEFINITION, 14, 200).await;
}
