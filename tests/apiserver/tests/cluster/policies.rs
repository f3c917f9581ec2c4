//! What `crd --policies` prints, against those who may write objects and those who may write their status.

use crd_conv::cli::{Cli, Streams};
use crd_conv::{Resource, VersionedResource};
use crd_conv_apiserver::desk::Desk;
use crd_conv_apiserver::{Installed, Objects, apply, bind, carrier, in_group, namespace, whole};
use serde_json::{Value, json};

const NAMESPACE: &str = "policies";
const GROUP: &str = "policies.example.com";

/// The policies for desks.
fn policies() -> Vec<Value> {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let args = ["desk", "crd", "--policies", "--format", "json"];
    let desks = Resource::new(in_group(Desk::DEFINITION, GROUP));
    assert_eq!(Cli::new([desks]).run_with(args, &mut streams), 0);
    let documents = serde_json::Deserializer::from_slice(&stdout).into_iter::<Value>();
    documents.map(|document| document.expect("JSON")).collect()
}

/// Installs desks and their policies; Alice may write desks, and Bob their status.
async fn installed() -> (Installed, [Objects; 2], [Objects; 2]) {
    let client = whole().client().await;
    namespace(&client, NAMESPACE).await;
    let installed = Installed::new(whole(), Desk::DEFINITION, GROUP).await;
    for (user, resource, verbs) in [
        ("alice", "desks", &["get", "list", "create", "update", "patch", "delete"][..]),
        ("bob", "desks/status", &["get", "update", "patch"]),
    ] {
        let subject =
            json!({ "kind": "User", "name": user, "apiGroup": "rbac.authorization.k8s.io" });
        let rules = json!([{ "apiGroups": [GROUP], "resources": [resource], "verbs": verbs }]);
        bind(&client, &subject, &format!("policies-{user}"), &rules).await;
    }
    for policy in policies() {
        apply(&client, &policy).await;
    }
    let by = async |user: &str| {
        let client = whole().client_with(&format!("{user}-token")).await;
        ["v1beta1", "v1"].map(|version| installed.objects_of(&client, version, NAMESPACE))
    };
    let (alice, bob) = (by("alice").await, by("bob").await);
    (installed, alice, bob)
}

fn entry(group: &str) -> Value {
    let kept = json!({ "format": 1, "peer": "v1", "keep": { "owner": "eve" } }).to_string();
    json!({ format!("conversion.{group}/v1beta1.spec.owner"): kept })
}

/// The expressions are checked against the types of every version, and are right.
#[tokio::test]
async fn expressions_are_type_checked_and_nobody_gets_around_them() {
    let (installed, alice, bob) = installed().await;
    let client = whole().client().await;
    let name = policies()[0]["metadata"]["name"].as_str().expect("a name").to_owned();
    let policy = async || {
        let path =
            format!("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}");
        let request = http::Request::get(path).body(Vec::new()).expect("a request");
        client.request::<Value>(request).await.expect("the policy")
    };
    installed
        .until("the policy is type-checked", async || {
            policy().await["status"]["typeChecking"].is_object()
        })
        .await;
    let checked = &policy().await["status"]["typeChecking"];
    assert_eq!(*checked, json!({}), "warnings: {checked:#}");

    let object = |at: &Objects, name: &str, annotations: &Value| {
        at.object(
            name,
            &json!({
                "metadata": { "name": name, "annotations": annotations }, "spec": { "size": 3 },
            }),
        )
    };
    let forged = entry(GROUP);
    // The policy is in force a moment after it is there.
    installed
        .until("the policy is in force", async || {
            let made = alice[1].create(&object(&alice[1], "early", &forged)).await;
            let _ = alice[1].delete("early").await;
            made.is_err()
        })
        .await;
    let refused = |outcome: kube::Result<Value>, part: &str| match outcome {
        Err(kube::Error::Api(status)) => assert!(
            status.code == 422 && status.message.contains(part),
            "{part}: {} {}",
            status.code,
            status.message
        ),
        other => panic!("{part}: {other:?}"),
    };

    for (at, version) in alice.iter().zip(["v1beta1", "v1"]) {
        let name = format!("desk-{version}");
        // What is harmless goes through, also null for what may be absent.
        for annotations in [json!({ "note": "n" }), Value::Null, json!({})] {
            let labelled = object(at, &name, &annotations);
            let mut labelled = labelled;
            labelled["metadata"]["labels"] = Value::Null;
            at.create(&labelled).await.unwrap_or_else(|error| panic!("{annotations}: {error}"));
            at.delete(&name).await.expect("deleted");
        }
        let label = format!("conversion.{GROUP}/complete-in");
        refused(at.create(&object(at, &name, &forged)).await, "only conversions write them");
        let mut marked = object(at, &name, &json!({}));
        marked["metadata"]["labels"] = json!({ label.clone(): "v1beta1" });
        refused(at.create(&marked).await, "only conversions set it");
        let full = json!({ "a": "x".repeat(262_000) });
        refused(at.create(&object(at, &name, &full)).await, "may have ");
        refused(at.apply("eve", &object(at, &name, &forged)).await, "only conversions write them");

        // An object that there is, with an owner and an approval that its versions keep for each other.
        let older = &alice[0];
        let mut desk = older.object(&name, &json!({ "spec": { "size": 3, "owner": "ada" } }));
        older.create(&desk).await.expect("created");
        desk["status"] = json!({ "phase": "Asked", "note": "please" });
        bob[0]
            .merge_patch(&format!("{name}/status"), &json!({ "status": desk["status"] }))
            .await
            .expect("written");
        let status = json!({ "status": { "phase": "Done", "approved": true, "approver": "bob" } });
        bob[1].merge_patch(&format!("{name}/status"), &status).await.expect("written");
        let shown = at.get(&name).await.expect("read");

        let annotations = |value: &Value| json!({ "metadata": { "annotations": value } });
        refused(at.merge_patch(&name, &annotations(&forged)).await, "only conversions write them");
        refused(
            at.merge_patch(
                &name,
                &json!({ "metadata": { "labels": { label.clone(): "v1beta1" } } }),
            )
            .await,
            "only conversions set it",
        );
        refused(at.merge_patch(&name, &annotations(&full)).await, "may have ");
        let kept = carrier(&shown);
        assert_eq!(kept.is_empty(), version == "v1beta1", "{shown}");
        if !kept.is_empty() {
            let mut bare = shown.clone();
            bare["metadata"].as_object_mut().expect("metadata").remove("annotations");
            refused(at.replace(&bare).await, "send those of an object back as they were read");
            let gone: Value = kept
                .keys()
                .map(|key| (key.clone(), Value::Null))
                .collect::<serde_json::Map<_, _>>()
                .into();
            refused(
                at.merge_patch(&name, &annotations(&gone)).await,
                "send those of an object back",
            );
        }
        // Sent back as it was read, with an edit, it goes through.
        let mut edited = at.get(&name).await.expect("read");
        edited["metadata"]["labels"] = json!({ "a": "b" });
        at.replace(&edited).await.expect("written");

        // Whoever may write the status gets at nothing else with it, and no policy is asked.
        for at in &bob {
            let patch = json!({
                "metadata": { "annotations": forged, "labels": { "complete": "no" } },
                "spec": { "size": 9 }, "status": { "phase": "Done" },
            });
            at.merge_patch(&format!("{name}/status"), &patch).await.expect("the status is written");
        }
        // And whoever may write the object doesn't set the status.
        for at in &alice {
            let patch = json!({ "status": { "phase": "Forged", "approver": "eve" } });
            at.merge_patch(&name, &patch).await.expect("ignored");
            let path = format!("{name}/status");
            let denied = at.merge_patch(&path, &patch).await;
            assert!(matches!(denied, Err(kube::Error::Api(status)) if status.code == 403));
        }
        let [older, newer] = [&alice[0], &alice[1]];
        let (older, newer) =
            (older.get(&name).await.expect("read"), newer.get(&name).await.expect("read"));
        assert_eq!(older["spec"], json!({ "size": 3, "owner": "ada" }), "{older}");
        assert_eq!(older["status"]["note"], "please", "{older}");
        assert_eq!(
            (&newer["status"]["phase"], &newer["status"]["approver"]),
            (&json!("Done"), &json!("bob")),
            "{newer}"
        );
        assert_eq!(
            carrier(&newer).keys().collect::<Vec<_>>(),
            [&format!("conversion.{GROUP}/v1beta1.spec.owner")]
        );
        assert!(
            carrier(&newer)
                .values()
                .all(|kept| kept.as_str().is_some_and(|kept| kept.contains("ada")))
        );
    }
}
