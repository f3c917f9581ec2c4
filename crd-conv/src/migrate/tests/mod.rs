//! Tests with an API server that gives predefined answers.

mod failures;
mod pace;
mod removal;

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::report::Outcome;
use super::{
    Cause, Event, Migration, MigrationError, MigrationReport, References, Removal, RemovalStep,
};
use crate::cluster::mock::{Exchange, answers, failure};
use crate::crd::fixture::cron_tab;

const CRD: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.example.com";
const LIST: &str = "/apis/example.com/v1/crontabs?limit=500";
const OBJECT: &str = "/apis/example.com/v1/namespaces/n/crontabs/a?fieldManager=crd-conv";
const READ: &str = "/apis/example.com/v1/namespaces/n/crontabs/a";

/// Two versions. The newer one is the storage version.
fn crd(generation: i64, stored: &[&str]) -> Value {
    let version = |name: &str| {
        let schema = json!({ "openAPIV3Schema": { "type": "object" } });
        json!({ "name": name, "served": true, "storage": name == "v1", "schema": schema })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "crontabs.example.com", "generation": generation, "resourceVersion": "7" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "kind": "CronTab", "plural": "crontabs" },
            "versions": [version("v1beta1"), version("v1")],
        },
        "status": { "storedVersions": stored },
    })
}

fn metadata(managed: bool) -> Value {
    let mut metadata = json!({ "namespace": "n", "name": "a", "uid": "u", "resourceVersion": "1" });
    if managed {
        metadata["managedFields"] = json!([{
            "manager": "m", "operation": "Update", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1",
            "fieldsV1": { "f:port": {} },
        }]);
    }
    metadata
}

fn object(metadata: &Value) -> Value {
    json!({ "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": metadata })
}

fn list(token: &str, items: &[Value]) -> Value {
    json!({
        "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList",
        "metadata": { "continue": token, "resourceVersion": "9" }, "items": items,
    })
}

fn written() -> Value {
    let mut metadata = metadata(true);
    metadata["resourceVersion"] = json!("2");
    object(&metadata)
}

fn get(path: &'static str, answer: Value) -> Exchange {
    Exchange { method: "GET", path, code: 200, answer }
}

fn patch(path: &'static str, answer: Value) -> Exchange {
    Exchange { method: "PATCH", path, code: 200, answer }
}

fn fails(method: &'static str, path: &'static str, code: u16, message: &str) -> Exchange {
    let reason = match code {
        404 => "NotFound",
        409 => "Conflict",
        410 => "Expired",
        _ => "InternalError",
    };
    Exchange { method, path, code, answer: failure(code, reason, message) }
}

/// The last requests of a successful migration.
fn finish() -> [Exchange; 2] {
    let status =
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.example.com/status";
    [get(CRD, crd(3, &["v1beta1", "v1"])), patch(status, crd(3, &["v1"]))]
}

fn migration() -> Migration {
    Migration::new(cron_tab()).concurrency(NonZeroU32::MIN)
}

/// Runs a migration. Returns its outcome and the bodies that were sent.
async fn run(
    migration: Migration,
    between: Vec<Exchange>,
) -> (Result<MigrationReport, MigrationError>, Vec<Value>) {
    let mut exchanges = vec![get(CRD, crd(3, &["v1beta1", "v1"]))];
    exchanges.extend(between);
    let (client, task) = answers(exchanges);
    let outcome = migration.run(&client, |_| {}).await;
    drop(client);
    (outcome, task.await.unwrap())
}

#[tokio::test]
async fn objects_with_owners_get_an_apply_of_nothing_and_others_an_empty_patch() {
    let (mut bare, mut exchanges) = (metadata(false), Vec::new());
    bare["name"] = json!("b");
    let other = "/apis/example.com/v1/namespaces/n/crontabs/b?fieldManager=crd-conv";
    exchanges.push(get(LIST, list("", &[object(&metadata(true)), object(&bare)])));
    exchanges.extend([patch(OBJECT, written()), patch(other, object(&bare))]);
    exchanges.extend(finish());
    let (outcome, bodies) = run(migration(), exchanges).await;
    let report = outcome.unwrap();
    assert_eq!((report.objects, report.rewritten, report.unchanged), (2, Some(1), Some(1)));
    assert_eq!(report.stored_versions, ["v1"]);
    let nothing = json!({
        "apiVersion": "example.com/v1", "kind": "CronTab",
        "metadata": { "namespace": "n", "name": "a", "uid": "u" },
    });
    assert_eq!(bodies[2..4], [nothing, json!({})]);
    let status = json!({
        "metadata": { "resourceVersion": "7" }, "status": { "storedVersions": ["v1"] },
    });
    assert_eq!(bodies[5], status);
}

#[tokio::test]
async fn an_expired_token_is_replaced_by_the_one_that_comes_with_the_answer() {
    let mut expired = fails("GET", "/apis/example.com/v1/crontabs?limit=500&continue=old", 410, "");
    expired.answer["metadata"] = json!({ "continue": "newer" });
    let rest = "/apis/example.com/v1/crontabs?limit=500&continue=newer";
    let mut exchanges = vec![get(LIST, list("old", &[object(&metadata(true))]))];
    exchanges.extend([patch(OBJECT, written()), expired, get(rest, list("", &[]))]);
    exchanges.extend(finish());
    assert_eq!(run(migration(), exchanges).await.0.unwrap().objects, 1);
}

#[tokio::test]
async fn conflicts_are_tried_again_and_what_is_gone_is_left() {
    let mut exchanges = vec![get(LIST, list("", &[object(&metadata(true))]))];
    exchanges.extend([fails("PATCH", OBJECT, 409, "modified"), get(READ, object(&metadata(true)))]);
    exchanges.push(patch(OBJECT, written()));
    exchanges.extend(finish());
    assert_eq!(run(migration(), exchanges).await.0.unwrap().rewritten, Some(1));

    // An apply with a `uid` doesn't create a deleted object again. It is a conflict.
    let mut exchanges = vec![get(LIST, list("", &[object(&metadata(true))]))];
    exchanges.extend([fails("PATCH", OBJECT, 409, "uid mismatch"), fails("GET", READ, 404, "")]);
    exchanges.extend(finish());
    assert_eq!(run(migration(), exchanges).await.0.unwrap().gone, 1);

    let mut exchanges = vec![get(LIST, list("", &[object(&metadata(false))]))];
    exchanges.push(fails("PATCH", OBJECT, 404, "not found"));
    exchanges.extend(finish());
    assert_eq!(run(migration(), exchanges).await.0.unwrap().gone, 1);
}

#[tokio::test]
async fn what_passes_is_waited_for() {
    let down = "conversion webhook for example.com/v1beta1, Kind=CronTab failed: Post \"https://a/\": refused";
    let mut exchanges = vec![fails("GET", LIST, 503, "later")];
    exchanges.push(get(LIST, list("", &[object(&metadata(true))])));
    exchanges.extend([fails("PATCH", OBJECT, 500, down), patch(OBJECT, written())]);
    exchanges.extend(finish());
    assert_eq!(run(migration(), exchanges).await.0.unwrap().rewritten, Some(1));
}

#[tokio::test]
async fn a_page_with_an_object_that_a_version_cannot_show_is_listed_in_another_one() {
    let older = "/apis/example.com/v1beta1/crontabs?limit=500";
    let written_older = "/apis/example.com/v1beta1/namespaces/n/crontabs/a?fieldManager=crd-conv";
    let broken = "conversion webhook for example.com/v1beta1, Kind=CronTab failed: can't convert";
    let exchanges = vec![
        fails("GET", LIST, 500, broken),
        get(older, list("", &[object(&metadata(true))])),
        fails("PATCH", OBJECT, 500, broken),
        fails("PATCH", written_older, 500, broken),
    ];
    let outcome = run(migration(), exchanges).await.0;
    let Err(MigrationError::Objects { report, .. }) = &outcome else { panic!("{outcome:?}") };
    assert_eq!((report.failed, report.failures[0].object.as_str()), (1, "n/a"));
    assert_eq!(report.stored_versions, ["v1beta1", "v1"]);
    let said = outcome.unwrap_err().to_string();
    assert!(
        said.starts_with("1 of 1 objects of crontabs.example.com can't be rewritten, "),
        "{said}"
    );
}

#[tokio::test]
async fn a_definition_that_changed_keeps_its_stored_versions() {
    let exchanges = vec![get(LIST, list("", &[])), get(CRD, crd(4, &["v1beta1", "v1"]))];
    let error = run(migration(), exchanges).await.0.unwrap_err();
    assert!(matches!(error, MigrationError::Changed { .. }), "{error}");
}

#[tokio::test]
async fn a_dry_run_stores_nothing() {
    let tried = "/apis/example.com/v1/namespaces/n/crontabs/a?fieldManager=crd-conv&dryRun=All";
    // In a dry run, the API server answers with the previous resource version, whatever it would
    // have stored.
    let same = object(&metadata(true));
    let exchanges = vec![get(LIST, list("", std::slice::from_ref(&same))), patch(tried, same)];
    let report = run(migration().dry_run(), exchanges).await.0.unwrap();
    assert_eq!(report.stored_versions, ["v1beta1", "v1"]);
    assert_eq!((report.objects, report.rewritten_at_most), (1, Some(1)));
    assert_eq!((report.rewritten, report.unchanged), (None, None), "nobody knows");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["rewrittenAtMost"], 1);
    assert_eq!((json.get("rewritten"), json.get("unchanged")), (None, None));
}

#[tokio::test]
async fn owners_that_the_server_would_not_bring_up_to_date_keep_their_fields() {
    let mut stale = metadata(true);
    stale["managedFields"][0]["apiVersion"] = json!("example.com/v1alpha1");
    let mut whole = object(&stale);
    whole["apiVersion"] = json!("example.com/v1");
    whole["kind"] = json!("CronTab");
    whole["port"] = json!(1);
    let exchanges = |answer: Value| {
        let tried = "/apis/example.com/v1/namespaces/n/crontabs/a?fieldManager=crd-conv&dryRun=All";
        vec![get(LIST, list("", &[object(&stale)])), get(READ, whole.clone()), patch(tried, answer)]
    };
    // Before 1.37, no fields would have an owner. Since then, the previous owners would stay.
    for tried in [object(&metadata(false)), object(&stale)] {
        let outcome = run(migration(), exchanges(tried)).await.0;
        let Err(MigrationError::Objects { report, .. }) = &outcome else { panic!("{outcome:?}") };
        let reason = &report.failures[0].reason;
        assert!(reason.contains("didn't update the owners of its fields"), "{reason}");
    }

    let mut more = exchanges(object(&metadata(true)));
    more.push(patch(OBJECT, written()));
    more.extend(finish());
    let (outcome, bodies) = run(migration(), more).await;
    assert_eq!(outcome.unwrap().managed_fields_cleaned, 1);
    // This program doesn't know `v1alpha1`, so the field is found by its name.
    let sent = &bodies[4]["metadata"];
    assert_eq!(sent["resourceVersion"], "1");
    assert_eq!(sent["managedFields"], metadata(true)["managedFields"]);
}

/// A failed `StorageVersionMigration` leaves a condition that nothing else clears.
#[tokio::test]
async fn a_migration_ends_what_one_that_failed_has_left() {
    let mut failed = crd(3, &["v1"]);
    failed["status"]["conditions"] = json!([
        { "type": "Established", "status": "True" },
        { "type": "StorageMigrating", "status": "False", "reason": "MigrationFailed" },
    ]);
    let status = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.example.com/status?&force=true&fieldManager=crd-conv";
    let exchanges = vec![
        get(CRD, failed.clone()),
        get(LIST, list("", &[])),
        get(CRD, failed.clone()),
        patch(status, failed),
    ];
    let (client, task) = answers(exchanges);
    migration().run(&client, |_| {}).await.unwrap();
    drop(client);
    let sent = &task.await.unwrap()[3];
    assert_eq!(sent["metadata"]["resourceVersion"], "7");
    assert_eq!(sent["status"]["storedVersions"], json!(["v1"]));
    let [condition] = sent["status"]["conditions"].as_array().unwrap().as_slice() else {
        panic!("{sent}")
    };
    assert_eq!(
        (&condition["type"], &condition["reason"]),
        (&json!("StorageMigrating"), &json!("MigrationSucceeded"))
    );
}

#[test]
fn a_migration_runs_in_a_task() {
    fn is_send(_: &impl Send) {}
    let (service, _) = tower_test::mock::pair::<
        http::Request<kube::client::Body>,
        http::Response<kube::client::Body>,
    >();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _guard = runtime.enter();
    let client = kube::Client::new(service, "default");
    let migration = migration();
    is_send(&migration.run(&client, |_: Event<'_>| {}));
    is_send(&Removal::new(self::migration(), "v1").run(&client, |_| {}));
    is_send(&References::to_version(&client, &cron_tab(), "v1"));
}
