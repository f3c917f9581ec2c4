//! What `check` says about writes is what the server does.

use crd_conv::cli::{Cli, Streams};
use crd_conv::crd::Webhook;
use crd_conv::{ResourceType, VersionedResource};
use crd_conv_apiserver::{Installed, refusal, shared};
use crd_conv_tests::kite::{Kite, changes, spec};
use serde_json::{Value, json};

const NAMESPACE: &str = "kites";

/// The findings of `check` about writes in `v2`.
fn check(resource: &ResourceType, objects: &[Value]) -> Value {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let stdin = objects.iter().map(Value::to_string).collect::<String>();
    let mut streams =
        Streams { stdin: &mut stdin.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    Cli::new([ResourceType::new(resource.definition())])
        .webhook(Webhook::service("a", "b"))
        .run_with(["operator", "check", "--format", "json"], &mut streams);
    let mut report: Value = serde_json::from_slice(&stdout).expect("a report");
    let writes = report["kites.kites.example.com"]["writes"].take();
    assert_eq!(writes[1]["version"], "v2", "{writes}");
    writes[1].clone()
}

/// The sentence of the server in what was found of an object.
fn found<'a>(findings: &'a Value, name: &str) -> Option<(&'a str, &'a Value)> {
    let object = format!("`{NAMESPACE}/{name}`");
    let finding = findings.as_array()?.iter().find(|finding| finding["object"] == object)?;
    let reason = finding["reason"].as_str()?.split(" (in the Rust type").next()?;
    Some((reason, &finding["unchanged"]))
}

/// A change that leaves the kite invalid, where the server would look at the value again.
fn change_of(name: &str) -> Value {
    match name {
        "color" => json!({ "color": "black" }),
        "shape" => json!({ "shape": "??" }),
        "size" => json!({ "size": 13 }),
        "owner" => json!({ "size": 4 }),
        "tags" => json!({ "tags": ["summer", "new"] }),
        "length" => json!({ "lines": [{ "name": "a", "length": 102 }] }),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn check_knows_which_writes_the_server_refuses() {
    let installed = Installed::new(shared(), Kite::DEFINITION, "kites.example.com").await;
    let [older, newer] = ["v1", "v2"].map(|version| installed.objects(version, NAMESPACE));
    let mut changes = changes();
    let (wind, _) = changes.pop().expect("the last one");
    for (name, change) in &changes {
        let kite = older.object(name, &json!({ "spec": spec(change) }));
        older.create(&kite).await.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let said = refusal(
        older.create(&older.object(wind, &json!({ "spec": spec(&json!({ "wind": 10 })) }))).await,
    );
    assert!(said.contains("spec.wind in body should be less than or equal to 9"), "{said}");

    let from_older = check(&installed.resource, &older.list().await.expect("a list"));
    let writes = check(&installed.resource, &newer.list().await.expect("a list"));
    for list in ["refused", "refused_if_changed"] {
        let names = |writes: &Value| -> Vec<Value> {
            writes[list]
                .as_array()
                .expect("findings")
                .iter()
                .map(|found| found["object"].clone())
                .collect()
        };
        let [mut a, mut b] = [names(&from_older), names(&writes)];
        let [a, b] = [&mut a, &mut b].map(|names| {
            names.sort_by_key(Value::to_string);
            names
        });
        assert_eq!(a, b, "the version of the input doesn't matter");
    }
    let mut counts = [0; 4];
    for (name, _) in &changes {
        let stored = newer.get(name).await.expect("a kite");
        let mut relabeled = stored.clone();
        relabeled["metadata"]["labels"] = json!({ "a": "b" });
        let created = newer
            .create(&newer.object(&format!("{name}-2"), &json!({ "spec": stored["spec"] })))
            .await;
        let relabeled = newer.replace(&relabeled).await;
        if let Some((reason, _)) = found(&writes["refused"], name) {
            counts[0] += 1;
            for said in [refusal(relabeled), refusal(created)] {
                assert!(said.contains(reason), "{name}: {said}\n{reason}");
            }
            continue;
        }
        let mut now = relabeled.unwrap_or_else(|error| panic!("{name}: {error}"));
        let Some((reason, unchanged)) = found(&writes["refused_if_changed"], name) else {
            counts[1] += 1;
            created.unwrap_or_else(|error| panic!("{name}: {error}"));
            continue;
        };
        let said = refusal(created);
        assert!(said.contains(reason), "{name}: {said}\n{reason}");
        if unchanged != "spec" {
            now["spec"]["size"] = json!(if *name == "size" { 12 } else { 5 });
            now["spec"]["wind"] = json!(5);
            let outcome = newer.replace(&now).await;
            now = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        if unchanged.is_null() {
            counts[2] += 1;
            now["spec"]["lines"][0]["length"] = json!(3);
            newer.replace(&now).await.unwrap_or_else(|error| panic!("{name}: {error}"));
            continue;
        }
        counts[3] += 1;
        for (field, value) in change_of(name).as_object().expect("fields") {
            now["spec"][field] = value.clone();
        }
        let field = reason.split(':').next().expect("a path");
        let said = refusal(newer.replace(&now).await);
        assert!(said.contains(&format!("{field}: ")), "{name}: {said}");
    }
    assert_eq!(counts, [1, 1, 1, 6], "refused, accepted, only as new, if changed");
}
