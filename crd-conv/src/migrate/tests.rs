//! Tests with an API server that gives predefined answers.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::report::Outcome;
use super::{Cause, Event, Migration, MigrationError, Removal, RemovalStep, Report};
use crate::crd::fixture::cron_tab;
use crate::kube::mock::{Exchange, answers, failure};

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
) -> (Result<Report, MigrationError>, Vec<Value>) {
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

/// The message of a migration for an object that the API server refuses in this way, and the cause
/// in the report.
async fn said_of(code: u16, message: &str) -> (String, Cause) {
    let older = "/apis/example.com/v1beta1/namespaces/n/crontabs/a?fieldManager=crd-conv";
    let mut exchanges = vec![get(LIST, list("", &[object(&metadata(true))]))];
    // If the webhook doesn't answer, the request is retried, and no other version is tried.
    let tries = if message.contains("failed: Post ") { 6 } else { 1 };
    exchanges.extend((0..tries).map(|_| fails("PATCH", OBJECT, code, message)));
    if matches!(code, 422 | 500) && tries == 1 {
        exchanges.push(fails("PATCH", older, code, message));
    }
    let error = run(migration(), exchanges).await.0.unwrap_err();
    let MigrationError::Objects { report, .. } = &error else { panic!("{error}") };
    assert_eq!(report.causes.iter().collect::<Vec<_>>(), [(&report.failures[0].cause, &1)]);
    (error.to_string(), report.failures[0].cause)
}

#[tokio::test(start_paused = true)]
async fn the_remedy_is_for_what_is_to_blame() {
    let of_webhook = |what: &str| {
        format!("conversion webhook for example.com/v1beta1, Kind=CronTab failed: {what}")
    };
    for refused in [
        "object 1: can't convert CronTab `n/a` from v1beta1 to v1: `hostPort`: expected `host:port`",
        "object 1: can't convert a nameless CronTab from v1beta1 to v1: `hostPort`: expected `host:port`",
    ] {
        let (said, cause) = said_of(500, &of_webhook(refused)).await;
        assert_eq!(cause, Cause::Object, "{said}");
        assert!(said.ends_with("; fix or delete them, and run this again"), "{said}");
    }
    assert_eq!(said_of(422, "CronTab \"a\" is invalid").await.1, Cause::Object);
    for down in [
        "Post \"https://a/convert?timeout=30s\": dial tcp 10.0.0.1:443: connect: connection refused",
        "Post \"https://a/convert?timeout=30s\": x509: certificate signed by unknown authority",
        "an error on the server (\"\") has prevented the request from succeeding",
        "the server could not find the requested resource",
        "the server is currently unable to handle the request",
        "no response provided",
        "couldn't get version/kind; json parse error: invalid character '<'",
        "object 1: can't convert `n/a`: `example.com` has CronTab in v1, not in `v1beta1`",
    ] {
        let (said, cause) = said_of(500, &of_webhook(down)).await;
        assert_eq!(cause, Cause::Webhook, "{said}");
        assert!(!said.contains("fix or delete"), "{said}");
        assert!(
            said.ends_with(
                "; make sure that the conversion webhook answers, in a release that knows every version: nothing is wrong with them, and run this again"
            ),
            "{said}"
        );
    }
    for (code, other) in [(403, "forbidden"), (500, "etcdserver: no leader"), (400, "bad")] {
        let (said, cause) = said_of(code, other).await;
        assert_eq!(cause, Cause::Other, "{said}");
        assert!(said.ends_with("; find the reason for them, and run this again"), "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_needs_a_webhook_which_is_down_says_so() {
    let down = "conversion webhook for example.com/v1beta1, Kind=CronTab failed: Post \"https://a/\": refused";
    let older = "/apis/example.com/v1beta1/crontabs?limit=500";
    let tries = [LIST, older].into_iter().flat_map(|path| (0..6).map(move |_| path));
    let exchanges = tries.map(|path| fails("GET", path, 500, down)).collect();
    let said = run(migration(), exchanges).await.0.unwrap_err().to_string();
    assert!(said.starts_with("can't list the objects of crontabs.example.com: "), "{said}");
    assert!(said.ends_with("in a release that knows every version, and run this again"), "{said}");
}

#[test]
fn several_causes_have_their_remedies_beside_each_other() {
    let mut report = Report { objects: 9, ..Report::default() };
    for cause in [Cause::Object, Cause::Webhook, Cause::Object, Cause::Other] {
        report.add("n/a".to_owned(), Outcome::Failed(cause, "it is so".to_owned()));
    }
    let error = MigrationError::Objects { name: "a.b".to_owned(), report: Box::new(report) };
    assert_eq!(
        error.to_string(),
        "4 of 13 objects of a.b can't be rewritten, the first of them n/a: it is so; fix or delete 2 of them; make sure that the conversion \
         webhook answers, in a release that knows every version: nothing is wrong with 1 of them; find the reason for 1 of them, and run this again"
    );
}

#[tokio::test]
async fn what_is_not_installed_is_said_so() {
    let (client, task) = answers(vec![fails("GET", CRD, 404, "not found")]);
    let error = migration().run(&client, |_| {}).await.unwrap_err().to_string();
    drop(client);
    task.await.unwrap();
    assert_eq!(
        error,
        "the cluster has no CustomResourceDefinition crontabs.example.com; install it first"
    );
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

#[tokio::test]
async fn a_removal_does_not_begin_while_the_version_is_in_storage() {
    let (client, task) = answers(vec![get(CRD, crd(3, &["v1"]))]);
    let removal = Removal::new(migration(), "v1");
    let (step, report) = removal.run(&client, |_| {}).await.unwrap();
    drop(client);
    task.await.unwrap();
    assert_eq!(step, RemovalStep::InStorage { version: "v1".to_owned() });
    assert!(report.is_none());
}

/// Migrates this many objects, of which every `nth` changes, with an API server that takes some
/// time for each. Returns when each object was written and whether it changed, and how long the
/// migration took.
async fn paced(
    migration: Migration,
    objects: usize,
    nth: usize,
) -> (Vec<(Instant, bool)>, Duration) {
    let named = |at: usize| {
        let mut metadata = metadata(true);
        metadata["name"] = json!(format!("{at}"));
        metadata
    };
    let (service, handle) = tower_test::mock::pair::<
        http::Request<kube::client::Body>,
        http::Response<kube::client::Body>,
    >();
    let sent: Arc<Mutex<Vec<(Instant, bool)>>> = Arc::default();
    let seen = Arc::clone(&sent);
    tokio::spawn(async move {
        let mut handle = std::pin::pin!(handle);
        while let Some((request, respond)) = handle.next_request().await {
            let (method, path) = (request.method().clone(), request.uri().path().to_owned());
            let seen = Arc::clone(&seen);
            tokio::spawn(async move {
                let name = path.rsplit('/').next().and_then(|name| name.parse::<usize>().ok());
                let answer = match name {
                    Some(at) if method == "PATCH" => {
                        // The object is written at some time between the request and the answer.
                        sleep(Duration::from_millis(at as u64 * 7 % 50)).await;
                        let changes = at.is_multiple_of(nth);
                        seen.lock().unwrap().push((Instant::now(), changes));
                        sleep(Duration::from_millis(at as u64 * 13 % 70)).await;
                        let mut metadata = named(at);
                        if changes {
                            metadata["resourceVersion"] = json!("2");
                        }
                        object(&metadata)
                    }
                    _ if path.ends_with("/crontabs") => {
                        list("", &(1..=objects).map(|at| object(&named(at))).collect::<Vec<_>>())
                    }
                    _ => crd(3, &["v1"]),
                };
                let body = answer.to_string().into_bytes().into();
                respond.send_response(http::Response::new(body));
            });
        }
    });
    let start = Instant::now();
    let client = kube::Client::new(service, "default");
    let report = migration.run(&client, |_| {}).await.unwrap();
    assert_eq!(report.objects, objects as u64);
    let sent = sent.lock().unwrap().clone();
    (sent, start.elapsed())
}

fn rate(rate: u32) -> Migration {
    Migration::new(cron_tab()).rate(NonZeroU32::new(rate).unwrap())
}

#[tokio::test(start_paused = true)]
async fn objects_that_do_not_change_wait_for_no_slot() {
    // No object changes, each takes 60 milliseconds on average, and 8 are in progress at a time.
    let (sent, took) = paced(rate(10), 400, usize::MAX).await;
    assert_eq!(sent.len(), 400);
    assert!(took < Duration::from_secs(4), "{took:?}");
    // With one slot, they are written one after the other.
    let (_, took) = paced(rate(1), 40, usize::MAX).await;
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn no_second_has_more_writes_than_the_rate() {
    for (limit, objects, nth) in
        [(1, 12, 3), (5, 100, 1), (20, 300, 2), (100, 500, 1), (10, 400, 7)]
    {
        let (sent, took) = paced(rate(limit), objects, nth).await;
        let mut changed: Vec<_> =
            sent.iter().filter(|(_, changed)| *changed).map(|(at, _)| *at).collect();
        changed.sort_unstable();
        assert_eq!(changed.len(), objects / nth);
        let limit = limit as usize;
        for within in changed.windows(limit + 1) {
            let span = within[limit] - within[0];
            assert!(span >= Duration::from_secs(1), "{limit} a second: {span:?}");
        }
        // It also isn't much slower than the limit allows.
        let least = (changed.len() / limit) as u64;
        assert!(took < Duration::from_millis(least * 1250 + 4000), "{limit} a second: {took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_object_of_a_dry_run_counts() {
    let (_, took) = paced(rate(10).dry_run(), 100, usize::MAX).await;
    assert!(took >= Duration::from_secs(9), "{took:?}");
}

/// If `status.storedVersions` lists only the storage version, it may still be wrong.
#[tokio::test]
async fn a_removal_rewrites_every_object_before_it_says_that_none_is_stored_in_the_version() {
    let whole = || crd(3, &["v1"]);
    let mut unserved = whole();
    unserved["spec"]["versions"][0]["served"] = json!(false);
    let mut dropped = whole();
    dropped["spec"]["versions"].as_array_mut().unwrap().remove(0);
    let version = || "v1beta1".to_owned();
    let unused =
        |in_cluster| RemovalStep::Unused { version: version(), in_cluster, in_program: true };
    for (there, expected) in [
        (whole(), RemovalStep::Served { version: version() }),
        (unserved, unused(true)),
        (dropped, unused(false)),
    ] {
        let exchanges = vec![
            get(CRD, there.clone()),
            get(LIST, list("", &[object(&metadata(true))])),
            patch(OBJECT, written()),
            get(CRD, there),
        ];
        let (client, task) = answers(exchanges);
        let removal = Removal::new(migration(), "v1beta1");
        let (step, report) = removal.run(&client, |_| {}).await.unwrap();
        drop(client);
        task.await.unwrap();
        assert_eq!((step, report.unwrap().rewritten), (expected, Some(1)));
    }
}

#[tokio::test]
async fn a_removal_stops_at_objects_that_are_stored_in_a_version_that_is_gone() {
    let lost = "Internal error occurred: request to convert CR from an invalid group/version: example.com/v1beta1";
    let mut dropped = crd(3, &["v1"]);
    dropped["spec"]["versions"].as_array_mut().unwrap().remove(0);
    let tries =
        [500, 50, 5, 1].map(|_| fails("GET", "/apis/example.com/v1/crontabs?limit=", 500, lost));
    let exchanges = [get(CRD, dropped)].into_iter().chain(tries).collect();
    let (client, task) = answers(exchanges);
    let removal = Removal::new(migration(), "v1beta1");
    let said = removal.run(&client, |_| {}).await.unwrap_err().to_string();
    drop(client);
    task.await.unwrap();
    assert!(
        said.ends_with(
            "; objects are stored in a version that crontabs.example.com doesn't have any more: reinstall the last release that has it, the \
             binary first, and run its `migrate`"
        ),
        "{said}"
    );
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
}
