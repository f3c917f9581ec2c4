//! What the server stores and shows of random objects is, byte for byte, what our conversions and our account of the
//! server's steps (`crd_conv::testing::server`) foretell: for every version of the request, of the storage and of the answer.

use crd_conv::{Definition, VersionedResource};
use crd_conv_apiserver::{Installed, shared};
use crd_conv_tests::gadget::Gadget;
use crontab::CronTab;
use fleet::Fleet;

const NAMESPACE: &str = "steps";

async fn foretold(definition: &'static Definition, count: usize) {
    let installed = Installed::new(shared(), definition, "steps.example.com").await;
    let versions = installed.versions();
    for (round, storage) in versions.iter().enumerate() {
        installed.store_in(storage).await;
        for (place, version) in versions.iter().enumerate() {
            let objects = installed.objects(version, NAMESPACE);
            let seed = (round * versions.len() + place) as u64;
            for (number, drawn) in installed.random(version, seed, count).iter().enumerate() {
                let name = format!("{version}-in-{storage}-{number}");
                let sent = objects.named(drawn, &name);
                let created = objects.create_text(&sent).await;
                let created = created.unwrap_or_else(|error| panic!("{error}: {sent}"));
                let stored = shared().stored_object(&installed.resource_path(), NAMESPACE, &name);
                let expected = installed.stored(&sent, &stored);
                assert_eq!(stored.value.trim_end(), expected, "stored, then ours, of {sent}");
                installed.agree(NAMESPACE, &name).await;
                assert_eq!(created.trim_end(), installed.shown(&stored, version), "{sent}");
            }
        }
    }
}

#[tokio::test]
async fn crontabs() {
    foretold(CronTab::DEFINITION, 40).await;
}

#[tokio::test]
async fn fleets() {
    foretold(Fleet::DEFINITION, 30).await;
}

#[tokio::test]
async fn gadgets() {
    foretold(Gadget::DEFINITION, 30).await;
}
