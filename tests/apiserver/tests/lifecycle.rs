//! Objects that are written, read and changed at every version, while the storage version goes forth and back.

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, comparable, shared};
use crontab::CronTab;
use serde_json::json;

#[tokio::test]
async fn the_documentations_object_is_served_in_both_versions() {
    let installed = Installed::new(shared(), CronTab::DEFINITION, "first.example.com").await;
    let (older, newer) = (installed.objects("v1beta1", "a"), installed.objects("v1", "a"));
    let written = older.object("c", &json!({ "hostPort": "localhost:1234" }));
    let created = older.create(&written).await.expect("created");
    let read = newer.get("c").await.expect("read");
    assert_eq!((&read["host"], &read["port"]), (&json!("localhost"), &json!("1234")));
    assert_eq!(read, installed.convert(&created, "v1"));
    assert_eq!(comparable(&older.get("c").await.expect("read")), comparable(&created));
}
