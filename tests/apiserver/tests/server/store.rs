//! What the server stores and shows of random objects is, byte for byte, what our conversions and our account of the
//! server's steps (`crd_conv::testing::server`) foretell: for every version of the request, of the storage and of the answer.
//! And what is read at any version and written back unchanged changes nothing, not even a byte in etcd.

use crd_conv::{VersionedResource, definition::Definition};
use crd_conv_apiserver::{Installed, shared};
use crd_conv_tests::gadget::Gadget;
use crontab::CronTab;
use fleet::Fleet;

const NAMESPACE: &str = "store";

/// Writes so many random objects at each version into each version, and each of them back at every version.
async fn store(definition: &'static Definition, count: usize) {
    let installed = Installed::new(shared(), definition, "store.example.com").await;
    let versions = installed.versions();
    for (round, storage) in versions.iter().enumerate() {
        installed.store_in(storage).await;
        for (place, version) in versions.iter().enumerate() {
            let seed = (round * versions.len() + place) as u64;
            for (number, drawn) in installed.random(version, seed, count).iter().enumerate() {
                let name = format!("{version}-in-{storage}-{number}");
                create(&installed, version, &name, drawn).await;
                write_back(&installed, &name).await;
            }
        }
    }
}

async fn create(installed: &Installed, version: &str, name: &str, drawn: &str) {
    let objects = installed.objects(version, NAMESPACE);
    let sent = objects.named(drawn, name);
    let created = objects.create_text(&sent).await;
    let created = created.unwrap_or_else(|error| panic!("{error}: {sent}"));
    let stored = shared().stored_object(&installed.resource_path(), NAMESPACE, name);
    let expected = installed.stored(&sent, &stored);
    assert_eq!(stored.value.trim_end(), expected, "stored, then ours, of {sent}");
    assert_eq!(
        created.trim_end(),
        installed.shown(&stored, version),
        "shown, then ours, of {sent}"
    );
}

async fn write_back(installed: &Installed, name: &str) {
    let path = installed.resource_path();
    let stored = shared().stored_object(&path, NAMESPACE, name);
    let shown = installed.agree(NAMESPACE, name).await;
    for (version, read) in installed.versions().into_iter().zip(shown) {
        let back = installed.objects(version, NAMESPACE).replace(&read).await.expect("written");
        let now = shared().stored_object(&path, NAMESPACE, name);
        assert_eq!(stored, now, "{name}, written back at {version}: {read}");
        assert_eq!(back["metadata"], read["metadata"]);
    }
}

#[tokio::test]
async fn crontabs() {
    store(CronTab::DEFINITION, 50).await;
}

#[tokio::test]
async fn fleets() {
    store(Fleet::DEFINITION, 45).await;
}

/// Its converters are wrong in every way there is.
#[tokio::test]
async fn gadgets() {
    store(Gadget::DEFINITION, 45).await;
}
