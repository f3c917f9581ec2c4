//! Objects that are too large for the annotations of some version.

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, Objects, refusal, shared};
use crd_conv_tests::budget::{LIMIT, Page, noise, size};
use futures_util::{StreamExt, TryStreamExt};
use kube::api::{ListParams, WatchEvent, WatchParams};
use serde_json::{Value, json};

const NAMESPACE: &str = "budget";

fn with(at: &Objects, name: &str, field: &str, length: usize) -> Value {
    at.object(name, &json!({ "spec": { "tags": [], field: noise(length) } }))
}

fn has_tombstone(object: &Value) -> bool {
    object["metadata"]["annotations"].to_string().contains("tombstone")
}

#[tokio::test]
async fn what_has_no_room_is_not_stored() {
    let installed = Installed::new(shared(), Page::DEFINITION, "stored.example.com").await;
    for (version, field) in [("v1alpha1", "owner"), ("v1", "history")] {
        let objects = installed.objects(version, NAMESPACE);
        for (kibibytes, fits) in [(250, true), (256, false), (300, false)] {
            let name = format!("{field}-{kibibytes}");
            let created = objects.create(&with(&objects, &name, field, kibibytes << 10)).await;
            if fits {
                let shown = installed.agree(NAMESPACE, &name).await;
                assert!(shown.contains(&created.expect("created")));
                continue;
            }
            let message = refusal(created);
            let expected = format!("`spec.{field}` of {version} (");
            assert!(message.contains(&expected) && message.contains("allows 262144"), "{message}");
        }
        assert_eq!(objects.list().await.expect("a list").len(), 1 + usize::from(version == "v1"));
    }
}

/// The server counts as we do.
#[tokio::test]
async fn the_last_byte_is_stored() {
    let installed = Installed::new(shared(), Page::DEFINITION, "last.example.com").await;
    let [oldest, stored] = ["v1alpha1", "v1beta1"].map(|at| installed.objects(at, NAMESPACE));
    let probe = with(&oldest, "probe", "owner", 1);
    oldest.create(&probe).await.expect("created");
    let carried = size(&stored.get("probe").await.expect("read").to_string());
    let users = json!({ "a/\u{62}": "\u{e9}\n\"" });
    let room = LIMIT - carried - "a/b\u{e9}\n\"".len() + 1;
    for (length, fits) in [(room, true), (room + 1, false)] {
        let mut object = with(&oldest, "last", "owner", length);
        object["metadata"]["annotations"] = users.clone();
        let created = oldest.create(&object).await;
        if fits {
            created.expect("created");
            let stored = stored.get("last").await.expect("read");
            assert_eq!(size(&stored.to_string()), LIMIT);
            oldest.delete("last").await.expect("deleted");
        } else {
            assert!(refusal(created).contains("would have 262145 bytes"));
        }
    }
    // Without us it is the server who refuses.
    let mut object = stored.object("last", &json!({ "spec": {} }));
    for (length, fits) in [(LIMIT - 1, true), (LIMIT, false)] {
        object["metadata"]["annotations"] = json!({ "a": noise(length) });
        assert_eq!(stored.create(&object).await.is_ok(), fits);
    }
}

#[tokio::test]
async fn what_is_stored_can_be_read_in_every_version() {
    let installed = Installed::new(shared(), Page::DEFINITION, "read.example.com").await;
    let stored = installed.objects("v1beta1", NAMESPACE);
    for kibibytes in [250, 256, 300] {
        let name = format!("notes-{kibibytes}");
        let object = with(&stored, &name, "notes", kibibytes << 10);
        stored.create(&object).await.expect("created");
        for version in ["v1alpha1", "v1"] {
            let objects = installed.objects(version, NAMESPACE);
            let shown = objects.get(&name).await.expect("read");
            assert_eq!(has_tombstone(&shown), kibibytes > 250);
            if kibibytes == 250 {
                assert_eq!(objects.replace(&shown).await.expect("written"), shown);
            }
            let lists = [objects.list().await, objects.list_cached().await];
            assert!(lists.into_iter().all(|list| list.is_ok()));
        }
        assert_eq!(stored.get(&name).await.expect("read")["spec"], object["spec"]);
    }
}

/// The server converts what its cache has before it looks at a write: in this version even a delete is refused.
#[tokio::test]
async fn an_object_with_a_tombstone_is_changed_where_it_is_complete() {
    let group = "lacking.example.com";
    let installed = Installed::new(shared(), Page::DEFINITION, group).await;
    let [stored, newest] = ["v1beta1", "v1"].map(|at| installed.objects(at, NAMESPACE));
    stored.create(&with(&stored, "large", "notes", 300 << 10)).await.expect("created");
    let shown = newest.get("large").await.expect("read");
    assert!(has_tombstone(&shown));
    let key = format!("conversion.{group}/v1beta1.spec.notes");
    let title = json!({ "spec": { "title": "t" } });
    let gone = json!({ "metadata": { "annotations": { &key: null } } });
    for refused in [
        newest.replace(&shown).await,
        newest.merge_patch("large", &title).await,
        newest.merge_patch("large", &gone).await,
        newest.apply("one", &newest.object("large", &title)).await,
        newest.delete("large").await,
    ] {
        let message = refusal(refused);
        assert!(message.contains("`spec.notes` of v1beta1 (307244 bytes)"), "{message}");
        assert!(message.contains("change or delete it in v1beta1"), "{message}");
    }
    let complete = stored.merge_patch("large", &title).await.expect("written");
    assert_eq!(complete["spec"]["notes"].as_str().map(str::len), Some(300 << 10));

    // A copy is incomplete, unless somebody says that this is meant.
    let mut copy = newest.object("copy", &json!({ "spec": shown["spec"] }));
    copy["metadata"]["annotations"] = shown["metadata"]["annotations"].clone();
    assert!(refusal(newest.create(&copy).await).contains("create a new object without"));
    copy["metadata"]["annotations"].as_object_mut().expect("annotations").remove(&key);
    newest.create(&copy).await.expect("created");

    let shorter = json!({ "spec": { "notes": noise(100_000) } });
    stored.merge_patch("large", &shorter).await.expect("written");
    installed
        .until("the cache has it", async || {
            newest.list_cached().await.is_ok_and(|list| !list.iter().any(has_tombstone))
        })
        .await;
    newest.merge_patch("large", &title).await.expect("written");
    installed.agree(NAMESPACE, "large").await;
    newest.delete("large").await.expect("deleted");
}

/// Whoever can write annotations in the stored version can write a tombstone. Nobody else's list fails of it.
#[tokio::test]
async fn a_forged_tombstone_stops_nobody() {
    let group = "forgery.example.com";
    let installed = Installed::new(shared(), Page::DEFINITION, group).await;
    let stored = installed.objects("v1beta1", NAMESPACE);
    for (number, rule) in
        ["v1.spec.history", "v1beta1.spec.notes", "v1alpha1.spec.gone"].into_iter().enumerate()
    {
        let name = format!("p-{number}");
        let key = format!("conversion.{group}/{rule}");
        let text = r#"{"format":1,"peer":"v1beta1","tombstone":300000}"#;
        let mut object = stored.object(&name, &json!({ "spec": { "title": "t" } }));
        object["metadata"]["annotations"] = json!({ key: text });
        stored.create(&object).await.expect("created");
        for version in ["v1alpha1", "v1"] {
            let objects = installed.objects(version, NAMESPACE);
            assert_eq!(objects.list().await.expect("a list").len(), number + 1);
            let shown = objects.get(&name).await.expect("read");
            objects.replace(&shown).await.expect("written");
        }
        assert!(!has_tombstone(&stored.get(&name).await.expect("read")));
    }
}

/// A user's own annotations, up to the last byte that the server takes.
#[tokio::test]
async fn annotations_that_leave_no_room_fail_no_read() {
    let group = "crowded.example.com";
    let installed = Installed::new(shared(), Page::DEFINITION, group).await;
    let label = format!("conversion.{group}/complete-in");
    let [stored, elsewhere] =
        [NAMESPACE, "other"].map(|namespace| installed.objects("v1beta1", namespace));
    let others = ["v1alpha1", "v1"].map(|version| installed.objects(version, NAMESPACE));
    let newest = &others[1];
    let mut watches = Vec::new();
    for objects in others.iter().chain([&stored]) {
        let api = objects.api_everywhere();
        let list = api.list(&ListParams::default()).await.expect("a list");
        let revision = list.metadata.resource_version.expect("a revision");
        watches.push(api.watch(&WatchParams::default(), &revision).await.expect("a watch").boxed());
    }

    elsewhere.create(&with(&elsewhere, "plain", "notes", 10)).await.expect("created");
    let sizes = [262_000, 262_040, 262_080, 262_120, 262_140, 262_143, LIMIT];
    for size in sizes {
        let mut object = with(&stored, &format!("p-{size}"), "notes", 1_000);
        object["metadata"]["annotations"] = json!({ "a": noise(size - 1) });
        stored.create(&object).await.expect("created");
    }
    let everywhere = sizes.len() + 1;
    for watch in watches {
        let seen: Vec<_> = watch.take(everywhere).try_collect().await.expect("events");
        assert!(seen.iter().all(|event| matches!(event, WatchEvent::Added(_))), "{seen:?}");
    }

    for objects in &others {
        let (mut tombstones, mut labels) = (0, 0);
        for size in sizes {
            let shown = objects.get(&format!("p-{size}")).await.expect("read");
            let is_labelled = shown["metadata"]["labels"][&label] == "v1beta1";
            assert_ne!(is_labelled, has_tombstone(&shown), "{size}");
            tombstones += usize::from(!is_labelled);
            labels += usize::from(is_labelled);
        }
        assert!(tombstones > 0 && labels > 0, "{tombstones} {labels}");
        for list in [objects.list().await, objects.list_cached().await] {
            assert_eq!(list.expect("a list").len(), sizes.len());
        }
        for parameters in [ListParams::default(), ListParams::default().match_any()] {
            let list = objects.api_everywhere().list(&parameters).await.expect("a list");
            assert_eq!(list.items.len(), everywhere);
            let list = objects.api_everywhere().list(&parameters.labels(&label)).await;
            assert_eq!(list.expect("a list").items.len(), labels);
        }
    }

    // Where it isn't complete it can't be written, nor deleted: the server converts what its cache has before it looks at the request.
    let name = format!("p-{LIMIT}");
    let shown = newest.get(&name).await.expect("read");
    let title = json!({ "spec": { "title": "t" } });
    let gone = json!({ "metadata": { "labels": { &label: null } } });
    for refused in [
        newest.replace(&shown).await,
        newest.merge_patch(&name, &title).await,
        newest.merge_patch(&name, &gone).await,
        newest.apply("one", &newest.object(&name, &title)).await,
        newest.delete(&name).await,
        newest.delete_all().await,
    ] {
        let message = refusal(refused);
        assert!(message.contains("kept values that didn't fit into its annotations"), "{message}");
        assert!(message.contains("delete it in v1beta1"), "{message}");
    }
    let notes = |object: &Value| object["spec"]["notes"].as_str().map(str::len);
    let complete = stored.merge_patch(&name, &title).await.expect("written");
    assert_eq!(notes(&complete), Some(1_000));

    // With smaller annotations it is complete everywhere.
    let smaller = json!({ "metadata": { "annotations": { "a": "" } } });
    stored.merge_patch(&name, &smaller).await.expect("written");
    let shown = newest.get(&name).await.expect("read");
    assert!(!has_tombstone(&shown) && shown["metadata"]["labels"].is_null());
    installed.agree(NAMESPACE, &name).await;

    // The deletion of a namespace gets through in this version.
    stored.delete_all().await.expect("deleted");
    assert!(newest.list().await.expect("a list").is_empty());
}
