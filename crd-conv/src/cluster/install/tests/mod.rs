//! Installations in an API server with predefined answers.

mod stored;
mod taken;

use serde_json::Value;

use super::*;
use crate::{
    cluster::mock::{Exchange, answers, failure},
    crd::{
        Webhook,
        fixture::{CRON_TAB, DEFINITION, FULL, cron_tab},
    },
    definition::{Definition, VersionDefinition},
};

const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

fn install() -> Install {
    let webhook = Webhook::service("default", "conversion");
    Install::new(cron_tab(), &CrdOptions::new().webhook(webhook)).unwrap()
}

fn found(change: impl FnOnce(&mut Value)) -> Value {
    let mut crd = serde_json::to_value(&install().crd).unwrap();
    crd["metadata"]["generation"] = json!(2);
    crd["metadata"]["resourceVersion"] = json!("7");
    crd["status"] = json!({
        "storedVersions": ["v1"],
        "conditions": [{ "type": "Established", "status": "True" }],
        "acceptedNames": { "kind": "CronTab", "plural": "crontabs" },
    });
    change(&mut crd);
    crd
}

fn get(code: u16, answer: Value) -> Exchange {
    Exchange { method: "GET", path: PATH, code, answer }
}

fn patch(code: u16, answer: Value) -> Exchange {
    Exchange { method: "PATCH", path: PATH, code, answer }
}

/// The list of all objects, in the version that the cluster stores.
fn list(code: u16, answer: Value) -> Exchange {
    Exchange { method: "GET", path: "/apis/example.com/v1/crontabs?limit=500", code, answer }
}

fn objects(items: &[Value]) -> Value {
    json!({ "apiVersion": "example.com/v1", "kind": "CronTabList", "metadata": {}, "items": items })
}

async fn fails(install: Install, exchanges: Vec<Exchange>) -> String {
    let (client, task) = answers(exchanges);
    let error = install.apply(&client).await.unwrap_err().to_string();
    drop(client);
    task.await.unwrap();
    error
}

fn version<'a>(crd: &'a mut Value, name: &str) -> &'a mut Value {
    let versions = crd["spec"]["versions"].as_array_mut().unwrap();
    versions.iter_mut().find(|version| version["name"] == name).unwrap()
}

fn schema<'a>(crd: &'a mut Value, name: &str) -> &'a mut Value {
    &mut version(crd, name)["schema"]["openAPIV3Schema"]
}

/// Adds a third version, as in a newer release.
fn newer(crd: &mut Value) -> &mut Value {
    let mut newer = version(crd, "v1").clone();
    newer["name"] = json!("v2");
    let versions = crd["spec"]["versions"].as_array_mut().unwrap();
    versions.push(newer);
    versions.last_mut().unwrap()
}

#[test]
fn nothing_is_lost_as_the_type_of_k8s_openapi() {
    for (resource, options) in [
        (cron_tab(), CrdOptions::new().webhook(Webhook::url("https://a.b/c").ca_bundle("PEM"))),
        (ResourceType::new(&FULL), CrdOptions::new().webhook(Webhook::service("a", "b").port(1))),
    ] {
        let Ok(crd) = resource.crd(&options) else { continue };
        let same = serde_json::to_value(crd.to_k8s_openapi().unwrap()).unwrap();
        let same = crate::json::Json::from(&same);
        assert_eq!(same, crate::json::Json::from(&serde_json::to_value(&crd).unwrap()));
    }
}

#[test]
fn a_stored_version_that_is_not_the_preferred_one_is_noted() {
    let note = install().note().unwrap();
    assert!(note.starts_with("`v1beta1` is stored, and the API server prefers `v1`: "), "{note}");
    let mut versions = [CRON_TAB.versions[0], CRON_TAB.versions[1]];
    for version in &mut versions {
        version.storage = !version.storage;
    }
    let versions = Box::leak(Box::new(versions));
    let definition = Box::leak(Box::new(Definition { versions, ..DEFINITION }));
    let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
    let install = Install::new(ResourceType::new(definition), &options).unwrap();
    assert_eq!(install.note(), None);
}

#[tokio::test]
async fn what_another_program_adds_meanwhile_is_not_taken_away() {
    let modified = failure(409, "Conflict", "the object has been modified");
    let newer = found(|crd| {
        newer(crd);
        crd["metadata"]["resourceVersion"] = json!("8");
    });
    let (client, task) =
        answers(vec![get(200, found(|_| {})), patch(409, modified), get(200, newer)]);
    let error = install().apply(&client).await.unwrap_err();
    drop(client);
    let sent = task.await.unwrap();
    assert_eq!(sent[1]["metadata"]["resourceVersion"], "7");
    let InstallError::TakesAway { taken, .. } = error else { panic!("{error}") };
    assert_eq!(taken, ["v2"]);
}

#[tokio::test]
async fn a_dry_run_says_what_would_change() {
    let status = |crd: &mut Value| crd["status"]["conditions"] = json!([]);
    let label = |crd: &mut Value| crd["metadata"]["labels"] = json!({ "a": "b" });
    let spec = |crd: &mut Value| crd["spec"]["names"]["shortNames"] = json!([]);
    let there = found(|_| {});
    for (before, after, expected) in [
        (get(404, failure(404, "NotFound", "not found")), there.clone(), Change::Created),
        (get(200, there.clone()), found(status), Change::Unchanged),
        (get(200, there.clone()), found(label), Change::Changed),
        (get(200, there), found(spec), Change::Changed),
    ] {
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.example.com?&dryRun=All";
        let dry = Exchange { method: "PATCH", path, code: 200, answer: after };
        let (client, task) = answers(vec![before, dry]);
        assert_eq!(install().dry_run(&client).await.unwrap(), expected);
        drop(client);
        task.await.unwrap();
    }
}

#[tokio::test]
async fn the_fields_of_another_manager_are_left_to_it() {
    let conflict = failure(409, "Conflict", "conflict with \"kubectl\": .spec.versions");
    let exchanges = vec![get(404, failure(404, "NotFound", "not found")), patch(409, conflict)];
    let error = fails(install(), exchanges).await;
    assert!(error.ends_with("or take over the fields with `take_over`"), "{error}");
    assert!(error.contains("conflict with \"kubectl\""), "{error}");
    // With an existing CustomResourceDefinition, the conflict isn't about a write in between.
    let mut conflict = failure(409, "Conflict", "conflict with \"kubectl\": .spec.versions");
    conflict["details"] =
        json!({ "causes": [{ "reason": "FieldManagerConflict", "field": ".spec.versions" }] });
    let error = fails(install(), vec![get(200, found(|_| {})), patch(409, conflict)]).await;
    assert!(error.contains("conflict with \"kubectl\""), "{error}");
}

#[tokio::test]
async fn one_that_is_too_large_says_what_takes_the_bytes() {
    for (code, reason, message) in [
        (413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"),
        (500, "", "etcdserver: request is too large"),
        (
            500,
            "",
            "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097154 vs. 2097152)",
        ),
    ] {
        let refused = || {
            let there_is_none = get(404, failure(404, "NotFound", "not found"));
            vec![there_is_none, patch(code, failure(code, reason, message))]
        };
        let start = "crontabs.example.com is too large for the API server: ";
        let error = fails(install(), refused()).await;
        assert_eq!(error, format!("{start}{message}"));
        let mut large = install();
        let schema = &mut large.crd.spec.versions[0].schema.open_api_v3_schema;
        schema.description = Some("x".repeat(1_600_000));
        let error = fails(large, refused()).await;
        assert!(error.starts_with(&format!("{start}{message}; the document has ")), "{error}");
        assert!(error.contains("leave them out with `--descriptions none`"), "{error}");
    }
}

#[tokio::test]
async fn who_may_not_read_it_is_told_so() {
    let message = "customresourcedefinitions \"crontabs.example.com\" is forbidden";
    let error = fails(install(), vec![get(403, failure(403, "Forbidden", message))]).await;
    assert!(error.starts_with("can't read crontabs.example.com: "), "{error}");
    assert!(error.ends_with("with a ClusterRole and a binding"), "{error}");
}

#[tokio::test]
async fn a_webhook_that_does_not_answer_is_found_before_anything_changes() {
    // Nothing listens on a port that was just released.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let probe = Probe::url(format!("https://127.0.0.1:{port}/convert")).patience(Duration::ZERO);
    let error = fails(install().probe(probe), Vec::new()).await;
    assert!(error.starts_with("the conversion webhook at https://127.0.0.1:"), "{error}");
}

#[tokio::test]
async fn names_that_another_resource_has() {
    let taken = found(|crd| {
        crd["status"]["conditions"] = json!([{
            "type": "NamesAccepted", "status": "False", "message": "\"ct\" is already in use", "reason": "ShortNamesConflict",
        }]);
    });
    let list = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinitionList",
        "metadata": { "resourceVersion": "7" }, "items": [taken],
    });
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?";
    let error = fails(
        install(),
        vec![
            get(404, failure(404, "NotFound", "not found")),
            patch(201, taken),
            Exchange { method: "GET", path, code: 200, answer: list },
        ],
    )
    .await;
    assert!(error.contains("\"ct\" is already in use; choose others"), "{error}");
}
