//! What is read at any version and written back unchanged changes nothing, not even a byte in etcd.

use crd_conv::{Definition, VersionedResource};
use crd_conv_apiserver::{Draw, Installed, shared};
use crd_conv_tests::gadget::Gadget;
use crontab::CronTab;
use fleet::Fleet;
use serde_json::json;

const NAMESPACE: &str = "store";

/// Writes random objects at random versions, and each of them back at every version.
async fn write_back(definition: &'static Definition, mut draw: Draw, count: usize) {
    let installed = Installed::new(shared(), definition, "store.example.com").await;
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
        for (version, read) in
            installed.versions().into_iter().zip(installed.agree(NAMESPACE, &name).await)
        {
            let objects = installed.objects(version, NAMESPACE);
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
    let draw = Draw::new(11).only("hostPort", json!(["a:1", ":", "[::1]:80", "a:b:c"]));
    write_back(CronTab::DEFINITION, draw, 200).await;
}

#[tokio::test]
async fn fleets() {
    write_back(Fleet::DEFINITION, Draw::new(12), 400).await;
}

/// Its converters are wrong in every way there is.
#[tokio::test]
async fn gadgets() {
    let addresses = json!(["a:1", "a: 1", ":", "b:c:2"]);
    let draw = Draw::new(13)
        .only("hostPort", addresses.clone())
        .only("address", addresses)
        .only("tags", json!([["a"], ["b"], [""], "a", "a,b", ""]))
        .only("percent", json!([0, 50, 100]));
    write_back(Gadget::DEFINITION, draw, 400).await;
}
