//! What `crd --policies` prints, against those who may write objects and those who may write their status.

use crd_conv::cli::{Cli, Streams};
use crd_conv::{ResourceType, VersionedResource};
use crd_conv_apiserver::desk::Desk;
use crd_conv_apiserver::{Installed, Objects, apply, bind, carrier, in_group, namespace, whole};
use serde_json::{Map, Value, json};

const NAMESPACE: &str = "policies";
const GROUP: &str = "policies.example.com";

/// The policies for the annotations of desks.
fn policies() -> Vec<Value> {
    printed(GROUP, &[])
}

fn printed(group: &'static str, more: &[&'static str]) -> Vec<Value> {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let args = ["desk", "crd", "--policies", "--format", "json"].iter().chain(more);
    let desks = ResourceType::new(in_group(Desk::DEFINITION, group));
    assert_eq!(Cli::new([desks]).run_with(args, &mut streams), 0);
    let documents = serde_json::Deserializer::from_slice(&stdout).into_iter::<Value>();
    documents.map(|document| document.expect("JSON")).collect()
}

/// What somebody may write, at each version.
type Writer = [Objects; 2];

/// Installs desks and their policies; Alice may write desks, and Bob their status.
async fn installed() -> (Installed, Writer, Writer) {
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

fn forged() -> Value {
    let kept = json!({ "format": 1, "peer": "v1", "keep": { "owner": "eve" } }).to_string();
    json!({ format!("conversion.{GROUP}/v1beta1.spec.owner"): kept })
}

fn full() -> Value {
    json!({ "a": "x".repeat(262_000) })
}

fn label() -> Value {
    json!({ format!("conversion.{GROUP}/complete-in"): "v1beta1" })
}

fn desk(at: &Objects, name: &str, metadata: &Value) -> Value {
    let mut desk = at.object(name, &json!({ "spec": { "size": 3 } }));
    for (field, value) in metadata.as_object().into_iter().flatten() {
        desk["metadata"][field] = value.clone();
    }
    desk
}

fn refused(outcome: kube::Result<Value>, part: &str) {
    match outcome {
        Err(kube::Error::Api(status)) => {
            let message = &status.message;
            assert!(status.code == 422 && message.contains(part), "{part}: {message}");
        }
        other => panic!("{part}: {other:?}"),
    }
}

const ANNOTATIONS: &str = "only conversions write them";
const AS_READ: &str = "send those of an existing object back as you read them";
const LABEL: &str = "only conversions set it";
const ROOM: &str = "may have ";

/// The expressions are checked against the types of every version, and the policy is in force.
async fn in_force(installed: &Installed, at: &Objects) {
    let client = whole().client().await;
    let name = policies()[0]["metadata"]["name"].as_str().expect("a name").to_owned();
    let status = async || {
        let path =
            format!("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}");
        let request = http::Request::get(path).body(Vec::new()).expect("a request");
        client.request::<Value>(request).await.expect("the policy")["status"].clone()
    };
    installed
        .until("the policy is type-checked", async || status().await["typeChecking"].is_object())
        .await;
    let checked = &status().await["typeChecking"];
    assert_eq!(*checked, json!({}), "warnings: {checked:#}");
    installed
        .until("the policy is in force", async || {
            let made = desk(at, "early", &json!({ "annotations": forged() }));
            let outcome = at.create(&made).await;
            let _ = at.delete("early").await;
            outcome.is_err()
        })
        .await;
}

async fn new_objects(at: &Objects, name: &str) {
    // What is harmless goes through, also null for what may be absent.
    for annotations in [json!({ "note": "n" }), Value::Null, json!({})] {
        let harmless = json!({ "annotations": annotations, "labels": null });
        let outcome = at.create(&desk(at, name, &harmless)).await;
        outcome.unwrap_or_else(|error| panic!("{annotations}: {error}"));
        at.delete(name).await.expect("deleted");
    }
    for (metadata, part) in [
        (json!({ "annotations": forged() }), ANNOTATIONS),
        (json!({ "annotations": full() }), ROOM),
        (json!({ "labels": label() }), LABEL),
    ] {
        refused(at.create(&desk(at, name, &metadata)).await, part);
        refused(at.apply("eve", &desk(at, name, &metadata)).await, part);
    }
}

/// An object that there is, with an owner and an approval that its versions keep for each other.
async fn changes(at: &Objects, name: &str, keeps: bool) {
    let shown = at.get(name).await.expect("read");
    for (metadata, part) in [
        (json!({ "annotations": forged() }), ANNOTATIONS),
        (json!({ "annotations": full() }), ROOM),
        (json!({ "labels": label() }), LABEL),
    ] {
        refused(at.merge_patch(name, &json!({ "metadata": metadata })).await, part);
    }
    let kept = carrier(&shown);
    assert_eq!(!kept.is_empty(), keeps, "{shown}");
    if keeps {
        let mut bare = shown.clone();
        bare["metadata"].as_object_mut().expect("metadata").remove("annotations");
        refused(at.replace(&bare).await, AS_READ);
        let gone: Map<_, _> = kept.keys().map(|key| (key.clone(), Value::Null)).collect();
        let patch = json!({ "metadata": { "annotations": gone } });
        refused(at.merge_patch(name, &patch).await, AS_READ);
    }
    // Sent back as it was read, with an edit, it goes through.
    let mut edited = shown;
    edited["metadata"]["labels"] = json!({ "a": "b" });
    at.replace(&edited).await.expect("written");
}

/// Whoever may write the status gets at nothing else with it, and whoever may write the object doesn't set the status.
async fn the_other_part(alice: &Writer, bob: &Writer, name: &str) {
    let status = format!("{name}/status");
    for at in bob {
        let patch = json!({
            "metadata": { "annotations": forged(), "labels": { "complete": "no" } },
            "spec": { "size": 9 }, "status": { "phase": "Done" },
        });
        at.merge_patch(&status, &patch).await.expect("the status is written");
    }
    for at in alice {
        let patch = json!({ "status": { "phase": "Forged", "approver": "eve" } });
        at.merge_patch(name, &patch).await.expect("ignored");
        let denied = at.merge_patch(&status, &patch).await;
        assert!(matches!(denied, Err(kube::Error::Api(denied)) if denied.code == 403));
    }
}

#[tokio::test]
async fn expressions_are_type_checked_and_nobody_gets_around_them() {
    let (installed, alice, bob) = installed().await;
    in_force(&installed, &alice[1]).await;
    for (at, version) in alice.iter().zip(["v1beta1", "v1"]) {
        let name = format!("desk-{version}");
        new_objects(at, &name).await;

        let [older, newer] = &alice;
        let spec = json!({ "size": 3, "owner": "ada" });
        older.create(&older.object(&name, &json!({ "spec": spec }))).await.expect("created");
        let asked = json!({ "phase": "Asked", "note": "please" });
        let done = json!({ "phase": "Done", "approved": true, "approver": "bob" });
        for (at, status) in bob.iter().zip([asked, done]) {
            let patch = json!({ "status": status });
            at.merge_patch(&format!("{name}/status"), &patch).await.expect("written");
        }
        changes(at, &name, version == "v1").await;
        the_other_part(&alice, &bob, &name).await;

        let older = older.get(&name).await.expect("read");
        let newer = newer.get(&name).await.expect("read");
        assert_eq!(
            (&older["spec"], &older["status"]["note"]),
            (&spec, &json!("please")),
            "{older}"
        );
        let status = (&newer["status"]["phase"], &newer["status"]["approver"]);
        assert_eq!(status, (&json!("Done"), &json!("bob")), "{newer}");
        let kept = carrier(&newer);
        let entry = &kept[&format!("conversion.{GROUP}/v1beta1.spec.owner")];
        assert!(kept.len() == 1 && entry.as_str().is_some_and(|entry| entry.contains("ada")));
    }
}

#[tokio::test]
async fn clients_are_warned_about_fields_that_the_newest_version_lacks() {
    const GROUP: &str = "warnings.example.com";
    let client = whole().client().await;
    namespace(&client, "warnings").await;
    let installed = Installed::new(whole(), Desk::DEFINITION, GROUP).await;
    let policies = printed(GROUP, &["--warn-fields"]);
    let name = format!("fields.v1beta1.desks.{GROUP}");
    assert!(policies.iter().any(|policy| policy["metadata"]["name"] == *name), "{policies:#?}");
    for policy in &policies {
        apply(&client, policy).await;
    }
    let [older, newer] =
        ["v1beta1", "v1"].map(|version| installed.objects_of(&client, version, "warnings"));
    let warnings = async |at: &Objects, spec: &Value| {
        let made =
            at.warnings(&at.object("early", &json!({ "spec": spec }))).await.expect("created");
        at.delete("early").await.expect("deleted");
        made
    };
    let with_owner = json!({ "size": 3, "owner": "ada" });
    installed
        .until("the policy is in force", async || !warnings(&older, &with_owner).await.is_empty())
        .await;
    let said = warnings(&older, &with_owner).await;
    let text = format!("`spec.owner` is deprecated: `{GROUP}/v1` doesn't have it");
    assert!(said.len() == 1 && said[0].contains(&text), "{said:?}");
    // Neither without the field nor at the newest version.
    assert_eq!(warnings(&older, &json!({ "size": 3 })).await, [""; 0]);
    assert_eq!(warnings(&newer, &json!({ "size": 3 })).await, [""; 0]);
    // What a person sees.
    let manifest = older.object("late", &json!({ "spec": with_owner }));
    let seen = whole().kubectl("warnings", &["apply", "-f", "-"], &manifest).stderr;
    let seen = String::from_utf8(seen).expect("text");
    assert!(seen.starts_with("Warning: ") && seen.contains(&text), "{seen}");
    let status =
        format!("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}");
    let checked = async || {
        let request = http::Request::get(&status).body(Vec::new()).expect("a request");
        let policy = client.request::<Value>(request).await.expect("the policy");
        policy["status"]["typeChecking"].clone()
    };
    installed.until("it is type-checked", async || checked().await.is_object()).await;
    assert_eq!(checked().await, json!({}));
}
