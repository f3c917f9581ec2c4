//! Which reviews the server sends and when. `crd-conv/guide/life.md` says what they are for.

use std::collections::BTreeMap;
use std::time::Duration;

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, carrier, shared};
use fleet::Fleet;
use serde_json::{Value, json};

const NAMESPACE: &str = "reviews";

/// An object of a review, before and after.
struct Hop {
    versions: String,
    object: Value,
    converted: Value,
}

/// What came since the last time, once nothing more comes.
async fn hops(installed: &Installed) -> Vec<Hop> {
    let (mut seen, mut quiet) = (installed.webhook.count(), 0);
    while quiet < 8 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let count = installed.webhook.count();
        quiet = if count == seen { quiet + 1 } else { 0 };
        seen = count;
    }
    let recorded = installed.webhook.recorded();
    installed.webhook.record();
    let hop = |exchange: crd_conv_apiserver::Exchange| {
        let mut request: Value = serde_json::from_slice(&exchange.request).expect("JSON");
        let mut response: Value = serde_json::from_slice(&exchange.response).expect("JSON");
        assert_eq!(request["request"]["objects"].as_array().map(Vec::len), Some(1));
        let object = request["request"]["objects"][0].take();
        let converted = response["response"]["convertedObjects"][0].take();
        let [from, to] = [&object, &converted].map(|object| {
            let api_version = object["apiVersion"].as_str().expect("a version");
            api_version.rsplit('/').next().unwrap_or_default().to_owned()
        });
        Hop { versions: format!("{from} to {to}"), object, converted }
    };
    recorded.into_iter().map(hop).collect()
}

#[track_caller]
fn assert_hops(what: &str, hops: &[Hop], expected: &[(&str, usize)]) {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for hop in hops {
        *found.entry(&hop.versions).or_default() += 1;
    }
    assert_eq!(found, expected.iter().copied().collect(), "{what}");
}

fn oldest() -> Value {
    json!({ "spec": { "image": "i", "size": 4, "endpoint": "a:1", "retries": 5 } })
}

/// `v1beta1` is stored.
#[tokio::test]
async fn who_asks_for_a_conversion() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "reviews.example.com").await;
    installed.webhook.record();
    let at = |version| installed.objects(version, NAMESPACE);
    let [older, stored, newer] = [at("v1alpha1"), at("v1beta1"), at("v1")];
    hops(&installed).await;

    let fields = json!({ "spec": { "image": "i", "replicas": 4, "endpoint": "a:1" } });
    stored.create(&stored.object("stored", &fields)).await.expect("created");
    let cached = [("v1beta1 to v1", 1), ("v1beta1 to v1alpha1", 1)];
    assert_hops("a create in the stored version", &hops(&installed).await, &cached);

    let created = older.create(&older.object("f", &oldest())).await.expect("created");
    let seen = hops(&installed).await;
    let expected = [("v1alpha1 to v1beta1", 1), ("v1beta1 to v1alpha1", 2), ("v1beta1 to v1", 1)];
    assert_hops("a create in another", &seen, &expected);
    // The defaults are filled in before, and the new version's own aren't afterwards.
    assert_eq!(seen[0].object["spec"]["strategy"], "Rolling");
    assert_eq!(carrier(&seen[0].converted).len(), 1);

    stored.get("f").await.expect("read");
    assert_hops("a read in the stored version", &hops(&installed).await, &[]);
    older.get("f").await.expect("read");
    assert_hops("a read", &hops(&installed).await, &[("v1beta1 to v1alpha1", 1)]);
    assert_eq!(older.list().await.expect("a list").len(), 2);
    assert_hops("a list", &hops(&installed).await, &[]);

    older.replace(&created).await.expect("written");
    let expected = [("v1alpha1 to v1beta1", 2), ("v1beta1 to v1alpha1", 2)];
    assert_hops("an update without a change", &hops(&installed).await, &expected);
    let mut changed = created.clone();
    changed["spec"]["size"] = json!(5);
    older.replace(&changed).await.expect("written");
    let expected = [("v1alpha1 to v1beta1", 2), ("v1beta1 to v1alpha1", 2), ("v1beta1 to v1", 1)];
    assert_hops("an update", &hops(&installed).await, &expected);

    // From now on `managedFields` names two versions.
    newer.merge_patch("f", &json!({ "spec": { "image": "j" } })).await.expect("patched");
    let seen = hops(&installed).await;
    let expected = [
        ("v1 to v1beta1", 2),
        ("v1 to v1alpha1", 3),
        ("v1beta1 to v1", 2),
        ("v1beta1 to v1alpha1", 1),
    ];
    assert_hops("a patch in another version than a manager's", &seen, &expected);

    installed.store_in("v1").await;
    hops(&installed).await;
    stored.get("f").await.expect("read");
    assert_hops("a read in the version that it was stored in", &hops(&installed).await, &[]);
    let read = newer.get("f").await.expect("read");
    assert_hops("a read in the one it will be", &hops(&installed).await, &[("v1beta1 to v1", 1)]);
    newer.replace(&read).await.expect("written");
    newer.get("stored").await.expect("read");
    hops(&installed).await;
    newer.get("f").await.expect("read");
    assert_hops("a read after the first write", &hops(&installed).await, &[]);
}

/// Two managers at two versions. The second apply drops a field.
#[tokio::test]
async fn server_side_apply_asks_for_parts() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "parts.example.com").await;
    installed.webhook.record();
    let at = |version| installed.objects(version, NAMESPACE);
    let [older, newer] = [at("v1alpha1"), at("v1")];
    older.apply("one", &older.object("f", &oldest())).await.expect("applied");
    let both = json!({ "spec": { "checks": { "path": "/x", "timeoutSeconds": 3 } } });
    newer.apply("two", &newer.object("f", &both)).await.expect("applied");
    hops(&installed).await;
    let one = json!({ "spec": { "checks": { "path": "/x" } } });
    newer.apply("two", &newer.object("f", &one)).await.expect("applied");
    let seen = hops(&installed).await;

    // Without what `two` no longer has and nobody else owns, it goes to the version of `one` and back.
    let parts: Vec<&Hop> =
        seen.iter().filter(|hop| hop.object["spec"].get("strategy").is_none()).collect();
    let versions: Vec<&str> = parts.iter().map(|part| &*part.versions).collect();
    assert_eq!(versions, ["v1 to v1alpha1", "v1alpha1 to v1"]);
    assert_eq!(parts[0].object["spec"], json!({ "checks": { "path": "/x" }, "ports": [] }));
    assert_eq!(parts[1].object["spec"]["image"], "i", "what `one` owns is added there");
    for part in &parts {
        let metadata = part.object["metadata"].as_object().expect("metadata");
        assert!(metadata.contains_key("managedFields") && metadata.contains_key("uid"));
    }
    let annotation = "conversion.parts.example.com/v1.spec.checks.timeoutSeconds";
    let whole = seen.iter().find(|hop| hop.versions == "v1 to v1beta1").expect("the old object");
    assert!(carrier(&whole.converted).contains_key(annotation));
    assert!(!carrier(&parts[0].converted).contains_key(annotation));
}
