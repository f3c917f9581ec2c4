//! What the server makes of what is inside converted values: nobody edits anything, and every value comes back.

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, comparable, shared};
use crd_conv_tests::shipment::Shipment;
use serde_json::{Value, json};

const NAMESPACE: &str = "inside";

/// Each value is more than what the next version shows of it.
fn spec() -> Value {
    json!({
        "named": 1500, "moded": 1500, "defaulted": 1500, "skipped": 1500, "deep": 2500, "around": 1500, "tagged": 2500,
        "beside": 2500, "bare": 1500, "foreign": 1500, "timeout": "90s", "config": "level: Debug # my comment",
        "allNamed": [{ "kilo": 1 }, { "kilo": 2, "name": "b" }], "first": [{ "kilo": 1 }],
        "parts": [{ "weight": 1500 }, { "weight": 1501, "note": "n" }],
    })
}

#[tokio::test]
async fn values_come_back_from_every_version_that_stores_them() {
    let group = "inside.example.com";
    let installed = Installed::new(shared(), Shipment::DEFINITION, group).await;
    for storage in installed.versions() {
        installed.store_in(storage).await;
        let name = format!("in-{storage}");
        let oldest = installed.objects("v1alpha1", NAMESPACE);
        let sent = oldest.object(&name, &json!({ "spec": spec() }));
        let created = oldest.create(&sent).await.expect("created");
        for version in ["v1beta1", "v1"] {
            let objects = installed.objects(version, NAMESPACE);
            let read = objects.get(&name).await.expect("read");
            assert_ne!(read["spec"], created["spec"], "the test's premise");
            objects.replace(&read).await.expect("written");
            let back = oldest.get(&name).await.expect("read");
            let message = format!("stored in {storage}, written at {version}: {read}");
            assert_eq!(comparable(&back), comparable(&created), "{message}");
        }
    }
}
