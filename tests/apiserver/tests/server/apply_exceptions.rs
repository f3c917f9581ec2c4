//! Where server-side apply at two versions doesn't do what it does at one. `apply.rs` shows that it does everywhere else.

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, shared};
use fleet::Fleet;
use serde_json::{Value, json};

const NAMESPACE: &str = "exceptions";

async fn fleets(group: &'static str) -> Installed {
    Installed::new(shared(), Fleet::DEFINITION, group).await
}

async fn apply(at: &Installed, version: &str, name: &str, manager: &str, spec: Value) -> Value {
    let objects = at.objects(version, NAMESPACE);
    let object = objects.object(name, &json!({ "spec": spec }));
    objects.apply(manager, &object).await.expect("applied")
}

fn required(version: &str) -> Value {
    match version {
        "v1alpha1" => json!({ "image": "i", "size": 4, "endpoint": "a:1", "retries": 3 }),
        "v1beta1" => json!({ "image": "i", "replicas": 4, "endpoint": "a:1" }),
        _ => json!({ "image": "i", "replicas": 4, "host": "a", "port": 1 }),
    }
}

/// The server finds out what a manager has dropped by converting the object without it. There the fill's absence is an
/// entry, under the key of the entry that holds the value, and the server takes a key's value from the whole object.
#[tokio::test]
async fn a_dropped_field_with_a_fill_stays_while_an_older_version_has_a_manager() {
    let installed = fleets("fill.example.com").await;
    for (version, stays) in [("v1alpha1", true), ("v1beta1", true), ("v1", false)] {
        apply(&installed, version, version, "base", required(version)).await;
        let limit = json!({ "historyLimit": 1 });
        let applied = apply(&installed, "v1", version, "other", limit).await;
        assert_eq!(applied["spec"]["historyLimit"], 1);
        let dropped = apply(&installed, "v1", version, "other", json!({})).await;
        assert_eq!(dropped["spec"]["historyLimit"], if stays { 1 } else { 5 }, "{version}");
        installed.agree(NAMESPACE, version).await;
    }
}

/// Entries of one rule inside a list or map share an annotation, and the server can't take a part of it.
#[tokio::test]
async fn a_dropped_field_of_an_item_stays_while_another_item_has_the_field() {
    let installed = fleets("items.example.com").await;
    let mut base = required("v1alpha1");
    base["ports"] = json!([{ "name": "a", "number": 1 }, { "name": "b", "number": 2 }]);
    apply(&installed, "v1alpha1", "f", "base", base).await;
    let service_ports = |applied: &Value| {
        let ports = applied["spec"]["ports"].as_array().expect("ports").iter();
        ports.map(|port| port.get("servicePort").and_then(Value::as_i64)).collect::<Vec<_>>()
    };
    let item = |name: &str, port: i64, outside: i64| json!({ "name": name, "port": port, "servicePort": outside });

    let both = json!({ "ports": [item("a", 1, 10), item("b", 2, 20)] });
    let applied = apply(&installed, "v1", "f", "other", both).await;
    assert_eq!(service_ports(&applied), [Some(10), Some(20)]);
    let one = json!({ "ports": [{ "name": "a", "port": 1 }, item("b", 2, 20)] });
    let dropped = apply(&installed, "v1", "f", "other", one).await;
    assert_eq!(service_ports(&dropped), [Some(10), Some(20)], "one of two stays");
    let dropped = apply(&installed, "v1", "f", "other", json!({})).await;
    assert_eq!(service_ports(&dropped), [Some(10), None], "what stayed has no owner to drop it");
    installed.agree(NAMESPACE, "f").await;
}

/// `checks` is only its moved fields in `v1alpha1`. Where the server converts an object without these by way of
/// `v1alpha1`, there is no `checks` left to hold `timeoutSeconds`, although its manager never dropped it.
#[tokio::test]
async fn a_kept_field_beside_moved_ones_stays() {
    let installed = fleets("beside.example.com").await;
    for number in 0..10 {
        let name = &format!("f-{number}");
        apply(&installed, "v1alpha1", name, "base", required("v1alpha1")).await;
        let period = json!({ "checks": { "periodSeconds": 2 } });
        apply(&installed, "v1beta1", name, "one", period).await;
        let timeout = json!({ "checks": { "timeoutSeconds": 2 } });
        for time in 0..4 {
            let applied = apply(&installed, "v1", name, "other", timeout.clone()).await;
            assert_eq!(applied["spec"]["checks"]["timeoutSeconds"], 2, "{name}, time {time}");
        }
    }
}

/// The server has `null` for a struct whose last field was dropped, and from a client that would mean that all of it goes.
#[tokio::test]
async fn a_kept_field_goes_with_the_last_other_field_of_its_struct_until_it_is_applied_again() {
    let installed = fleets("kept.example.com").await;
    apply(&installed, "v1beta1", "f", "base", required("v1beta1")).await;
    let both = json!({ "checks": { "path": "/a", "timeoutSeconds": 2 } });
    apply(&installed, "v1", "f", "other", both).await;
    let timeout = json!({ "checks": { "timeoutSeconds": 2 } });
    let first = apply(&installed, "v1", "f", "other", timeout.clone()).await;
    assert_eq!(first["spec"]["checks"].get("timeoutSeconds"), None, "{first}");
    let again = apply(&installed, "v1", "f", "other", timeout).await;
    assert_eq!(again["spec"]["checks"]["timeoutSeconds"], 2, "{again}");
    installed.agree(NAMESPACE, "f").await;
}
