//! Carriers that we didn't write, as each client of the server sees them, and CRDs that need none.

use crd_conv::{Versioned, VersionedResource};
use crd_conv_apiserver::{Installed, carrier, shared};
use fleet::Fleet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const NAMESPACE: &str = "carrier";

fn spec(version: &str) -> Value {
    match version {
        "v1alpha1" => json!({ "image": "i", "size": 4, "endpoint": "a:1", "retries": 3 }),
        "v1beta1" => json!({ "image": "i", "replicas": 4, "endpoint": "a:1" }),
        _ => json!({ "image": "i", "replicas": 4, "host": "a", "port": 1 }),
    }
}

/// Creates a fleet at a version with one more annotation, and gives what each version shows.
async fn annotated(
    at: &Installed,
    version: &str,
    name: &str,
    key: &str,
    entry: &str,
) -> Vec<Value> {
    let objects = at.objects(version, NAMESPACE);
    let mut object = objects.object(name, &json!({ "spec": spec(version) }));
    let key = format!("conversion.{}/{key}", at.resource.definition().group);
    object["metadata"]["annotations"] = json!({ key: entry });
    objects.create(&object).await.expect("created");
    let mut shown = Vec::new();
    for version in at.versions() {
        shown.push(at.objects(version, NAMESPACE).get(name).await.expect("read"));
    }
    shown
}

#[tokio::test]
async fn a_forged_entry_sets_its_field_and_nothing_else() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "forged.example.com").await;
    let entry = |keep: Value| json!({ "format": 1, "peer": "v1beta1", "keep": keep }).to_string();
    let limit = |shown: &[Value]| shown[2]["spec"].get("historyLimit").cloned();
    for (number, (key, text, expected)) in [
        // Whoever may write annotations may set every kept field.
        ("v1.spec.historyLimit", entry(json!({ "historyLimit": 42 })), json!(42)),
        // Not with a value of another kind, not another field, not by another text.
        ("v1.spec.historyLimit", entry(json!({ "historyLimit": "x" })), json!(5)),
        ("v1.spec.historyLimit", entry(json!({ "historyLimit": { "a": 1 } })), json!(5)),
        ("v1.spec.historyLimit", entry(json!({ "image": "forged" })), json!(5)),
        ("v1.spec.historyLimit", "nonsense".to_owned(), json!(5)),
        ("v1.spec.historyLimit", String::new(), json!(5)),
        ("v1.spec.historyLimit", "[".repeat(50_000), json!(5)),
        ("v1.spec.image", entry(json!({ "image": "forged" })), json!(5)),
        ("v1.metadata.name", entry(json!({ "name": "forged" })), json!(5)),
        ("v1.metadata.finalizers", entry(json!({ "finalizers": ["forged/x"] })), json!(5)),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("f-{number}");
        let shown = annotated(&installed, "v1beta1", &name, key, &text).await;
        let shown_limit = limit(&shown);
        assert_eq!(shown_limit, Some(expected), "{key}: {text:.60}");
        for shown in &shown {
            assert_eq!(shown["spec"]["image"], "i");
            assert_eq!(shown["metadata"]["name"], json!(name));
            assert_eq!(shown["metadata"].get("finalizers"), None);
        }
        // A write at the newest version takes away what has no meaning and keeps what has one.
        let newest = installed.objects("v1", NAMESPACE);
        newest.replace(&shown[2]).await.expect("written");
        let again = installed.agree(NAMESPACE, &name).await;
        assert_eq!(limit(&again), limit(&shown), "{key}: {text:.60}");
        // An object is listed with all others, whatever it carries.
        for version in installed.versions() {
            let all = installed.objects(version, NAMESPACE).list().await.expect("a list");
            assert_eq!(all.len(), number + 1);
        }
    }
}

#[tokio::test]
async fn an_entry_of_a_later_release_is_left_alone() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "later.example.com").await;
    let later = [
        ("v1.spec.historyLimit", r#"{"format":2,"of":"a later release"}"#),
        ("v2.spec.unheardOf", r#"{"format":1,"peer":"v1","keep":{"unheardOf":1}}"#),
    ];
    for (number, (key, text)) in later.into_iter().enumerate() {
        for (from, version) in installed.versions().into_iter().enumerate() {
            let name = format!("f-{number}-{from}");
            for shown in annotated(&installed, version, &name, key, text).await {
                let whole = format!("conversion.later.example.com/{key}");
                assert_eq!(carrier(&shown).get(&whole), Some(&json!(text)), "{version}: {shown}");
            }
            // Any client may write the object back, and it is still there.
            for version in installed.versions() {
                let objects = installed.objects(version, NAMESPACE);
                let read = objects.get(&name).await.expect("read");
                assert_eq!(objects.replace(&read).await.expect("written"), read);
            }
        }
    }
}

/// A field that a later release gave `v1` has no rule here. After a rollback, a write at `v1` must not delete its entry.
#[tokio::test]
async fn an_entry_of_a_later_rule_is_left_alone() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "rule.example.com").await;
    let (key, text) =
        ("v1.spec.unheardOf", r#"{"format":1,"peer":"v1beta1","keep":{"unheardOf":1}}"#);
    let shown = annotated(&installed, "v1beta1", "f", key, text).await;
    installed.objects("v1", NAMESPACE).replace(&shown[2]).await.expect("written");
    for now in installed.agree(NAMESPACE, "f").await {
        let whole = format!("conversion.rule.example.com/{key}");
        assert_eq!(carrier(&now).get(&whole), Some(&json!(text)), "{now}");
    }
}

/// Two versions that are the same.
mod same {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Older {
        pub(crate) text: Option<String>,
        pub(crate) numbers: Option<Vec<i64>>,
        pub(crate) inner: Option<Inner>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Inner {
        pub(crate) flag: Option<bool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Older)]
    pub(crate) struct Newer {
        pub(crate) text: Option<String>,
        pub(crate) numbers: Option<Vec<i64>>,
        pub(crate) inner: Option<Inner>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "plains", scope = "Namespaced"))]
    pub(crate) enum Plain {
        V1beta1 {
            spec: Older,
        },
        #[versioned(storage)]
        V1 {
            spec: Newer,
        },
    }
}

#[tokio::test]
async fn the_server_converts_alone_only_where_there_is_nothing_to_do() {
    for definition in [Fleet::DEFINITION, crontab::CronTab::DEFINITION] {
        let installed = Installed::new(shared(), definition, "strategy.example.com").await;
        assert_eq!(installed.crd().await["spec"]["conversion"]["strategy"], "Webhook");
    }
    let installed = Installed::new(shared(), same::Plain::DEFINITION, "strategy.example.com").await;
    assert_eq!(installed.crd().await["spec"]["conversion"]["strategy"], "None");
    for version in installed.versions() {
        let objects = installed.objects(version, NAMESPACE);
        for (number, drawn) in installed.random(version, 31, 20).iter().enumerate() {
            let name = format!("{version}-{number}");
            objects.create_text(&objects.named(drawn, &name)).await.expect("created");
            installed.agree(NAMESPACE, &name).await;
        }
    }
    assert_eq!(installed.webhook.count(), 0);
}
