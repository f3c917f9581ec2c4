//! `crd_conv::migrate` in the server.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crd_conv::cli::{Cli, Streams};
use crd_conv::cluster::{Install, InstallError};
use crd_conv::crd::{CrdOptions, Webhook};
use crd_conv::migrate::{Migration, MigrationError, MigrationReport, Removal, RemovalStep};
use crd_conv::server::SelfSigned;
use crd_conv::{ResourceType, VersionedResource, definition::Definition};
use crd_conv_apiserver::{Installed, carrier, refusal, release, shared};
use crontab::CronTab;
use fleet::Fleet;
use futures_util::{StreamExt, stream};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

const NAMESPACE: &str = "migrate";

pub(crate) const ALL: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

pub(crate) fn fleets(group: &str, names: &[&str], storage: &str) -> &'static Definition {
    release(Fleet::DEFINITION, group, names, storage)
}

fn fleet() -> Value {
    json!({ "spec": {
        "image": "i", "size": 4, "endpoint": "a:08", "resync": "90s", "owner": "ada", "retries": 5,
        "checkPath": "/healthz", "checkPeriod": 10, "strategy": "OneByOne",
        "ports": [{ "name": "data", "number": 1 }],
        "pools": { "arm": { "weight": 1, "zone": "a" } },
    } })
}

/// In how many objects each version is stored.
fn stored(installed: &Installed) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for stored in shared().stored(&installed.resource_path()) {
        let object: Value = serde_json::from_str(&stored.value).expect("JSON");
        let api_version = object["apiVersion"].as_str().expect("a version");
        let version = api_version.rsplit('/').next().expect("a version");
        *counts.entry(version.to_owned()).or_default() += 1;
    }
    counts
}

async fn stored_versions(installed: &Installed) -> Value {
    installed.crd().await["status"]["storedVersions"].clone()
}

fn name(number: usize) -> String {
    format!("f-{number:05}")
}

async fn fill(installed: &Installed, version: &str, count: usize) {
    let objects = installed.objects(version, NAMESPACE);
    let create = async |number| {
        objects.create(&objects.object(&name(number), &fleet())).await.expect("created");
    };
    stream::iter(0..count).map(create).buffer_unordered(8).collect::<Vec<_>>().await;
}

fn migration(installed: &Installed) -> Migration {
    Migration::new(ResourceType::new(installed.resource.definition()))
}

async fn migrate(installed: &Installed) -> MigrationReport {
    let client = shared().client().await;
    migration(installed).run(&client, |_| {}).await.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn stored_objects_move_into_the_storage_version() {
    let group = "migrate.example.com";
    let before = fleets(group, &ALL, "v1alpha1");
    let installed = Installed::new(shared(), before, group).await;
    fill(&installed, "v1alpha1", 20).await;
    installed.store_in("v1").await;
    assert_eq!(stored(&installed), BTreeMap::from([("v1alpha1".to_owned(), 20)]));
    assert_eq!(stored_versions(&installed).await, json!(["v1alpha1", "v1"]));

    let shown = installed.agree(NAMESPACE, "f-00000").await;
    let client = shared().client().await;
    let tried = migration(&installed).dry_run().run(&client, |_| {}).await.expect("tried");
    assert_eq!((tried.objects, tried.failed), (20, 0));
    assert_eq!((tried.rewritten, tried.unchanged), (None, None), "nobody knows");
    assert_eq!(tried.rewritten_at_most, Some(20));
    assert_eq!(stored(&installed), BTreeMap::from([("v1alpha1".to_owned(), 20)]));
    assert_eq!(stored_versions(&installed).await, json!(["v1alpha1", "v1"]));

    let report = migrate(&installed).await;
    assert_eq!((report.objects, report.rewritten), (20, Some(20)));
    assert_eq!(stored(&installed), BTreeMap::from([("v1".to_owned(), 20)]));
    assert_eq!(stored_versions(&installed).await, json!(["v1"]));
    // What everybody sees is as it was.
    let after = installed.agree(NAMESPACE, "f-00000").await;
    for (before, after) in shown.iter().zip(&after) {
        assert_eq!(before["spec"], after["spec"]);
        assert_eq!(before["metadata"]["generation"], after["metadata"]["generation"]);
    }

    let again = migrate(&installed).await;
    assert_eq!((again.objects, again.unchanged), (20, Some(20)));
}

/// The list of no object's metadata has `items: null`.
#[tokio::test]
async fn a_resource_without_objects_is_migrated() {
    let group = "migrate-empty.example.com";
    let installed = Installed::new(shared(), fleets(group, &ALL, "v1alpha1"), group).await;
    installed.store_in("v1").await;
    let client = shared().client().await;
    let tried = migration(&installed).dry_run().run(&client, |_| {}).await.expect("tried");
    assert_eq!((tried.objects, tried.rewritten_at_most), (0, Some(0)));
    assert_eq!(stored_versions(&installed).await, json!(["v1alpha1", "v1"]));
    let report = migrate(&installed).await;
    assert_eq!((report.objects, report.failed), (0, 0));
    assert_eq!(stored_versions(&installed).await, json!(["v1"]));

    let removal = Removal::new(migration(&installed), "v1alpha1");
    let (step, _) = removal.run(&client, |_| {}).await.expect("rewritten");
    assert_eq!(step, RemovalStep::Served { version: "v1alpha1".to_owned() });
    // A misspelt version isn't said to have been removed.
    let (step, _) =
        Removal::new(migration(&installed), "v9").run(&client, |_| {}).await.expect("rewritten");
    assert!(step.to_string().starts_with("there is no version v9"), "{step}");
}

/// Tries a migration, and then runs it: what the trial said of how many change, and how many did.
async fn tried_and_done(installed: &Installed, release: &'static Definition) -> (u64, u64) {
    let before = shared().stored(&installed.resource_path());
    let (code, text, stderr) = ran(release, "migrate --dry-run");
    assert_eq!((code, stderr.as_str()), (0, ""), "{text}");
    let (_, json, _) = ran(release, "migrate --dry-run --format json");
    assert_eq!(shared().stored(&installed.resource_path()), before, "nothing was stored");
    let last: Value = serde_json::from_str(json.lines().last().expect("a line")).expect("JSON");
    let report = &last["report"];
    let at_most = report["rewrittenAtMost"].as_u64().expect("a bound");
    let head = format!("{} objects, up to {at_most} would be rewritten\n", before.len());
    assert!(text.contains(&head), "{text}");
    for unknown in ["rewritten", "unchanged"] {
        assert_eq!(report.get(unknown), None, "{report}");
    }
    let versions = stored_versions(installed).await;
    let versions: Vec<String> = serde_json::from_value(versions).expect("names");
    let known = match versions.as_slice() {
        [one] => {
            format!("`status.storedVersions` names only {one}; a write may still change an object")
        }
        several => format!(
            "`status.storedVersions` names {}, and the API server doesn't show in which of them",
            several.join(", ")
        ),
    };
    assert!(text.contains(&known) && text.ends_with("nothing was stored\n"), "{text}");
    eprint!("{text}");

    let done = migrate(installed).await;
    let after = shared().stored(&installed.resource_path());
    let changed = before.iter().zip(&after).filter(|(before, after)| before.value != after.value);
    let changed = changed.count() as u64;
    assert_eq!(done.rewritten, Some(changed), "what etcd says");
    assert_eq!(done.unchanged, Some(before.len() as u64 - changed));
    assert!(changed <= at_most);
    (at_most, changed)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_says_no_more_than_it_knows() {
    let group = "migrate-dry.example.com";
    let release = fleets(group, &ALL, "v1");
    let installed = Installed::new(shared(), fleets(group, &ALL, "v1alpha1"), group).await;
    fill(&installed, "v1alpha1", 20).await;
    installed.store_in("v1").await;
    // Somebody's write moves some of them.
    let objects = installed.objects("v1beta1", NAMESPACE);
    for number in 0..8 {
        let label = json!({ "metadata": { "labels": { "a": "b" } } });
        objects.merge_patch(&name(number), &label).await.expect("written");
    }
    let both = BTreeMap::from([("v1".to_owned(), 8), ("v1alpha1".to_owned(), 12)]);
    assert_eq!(stored(&installed), both);
    assert_eq!(tried_and_done(&installed, release).await, (20, 12));
    assert_eq!(tried_and_done(&installed, release).await, (20, 0));

    // Owners of fields in a version that goes are seen in the object.
    apply_at_both(&installed, "applied").await;
    stop_serving(&installed, "v1alpha1").await;
    let client = shared().client().await;
    let tried = Removal::new(migration(&installed).dry_run(), "v1alpha1");
    let (step, report) = tried.run(&client, |_| {}).await.expect("tried");
    assert_eq!(step, RemovalStep::Tried { version: "v1alpha1".to_owned() });
    let report = report.expect("a report");
    assert_eq!((report.rewritten_at_most, report.rewritten), (Some(21), None));
    // Each was created in that version.
    assert_eq!(report.managed_fields_cleaned, 21);
    let removal = Removal::new(migration(&installed), "v1alpha1");
    let (_, report) = removal.run(&client, |_| {}).await.expect("done");
    let report = report.expect("a report");
    assert_eq!((report.rewritten, report.managed_fields_cleaned), (Some(21), 21));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_in_the_storage_version_may_change_all_the_same() {
    let group = "migrate-default.example.com";
    let release = fleets(group, &ALL, "v1");
    let installed = Installed::new(shared(), release, group).await;
    let newest = installed.objects("v1", NAMESPACE);
    for number in 0..5 {
        let fields = json!({ "spec": { "image": "i", "replicas": 4, "host": "a", "port": 8 } });
        newest.create(&newest.object(&name(number), &fields)).await.expect("created");
    }
    assert_eq!(tried_and_done(&installed, release).await, (5, 0));
    installed
        .change_crd(|crd| {
            let versions = crd["spec"]["versions"].as_array_mut().expect("versions");
            let newest = versions.iter_mut().find(|version| version["name"] == "v1");
            let spec = &mut newest.expect("one")["schema"]["openAPIV3Schema"]["properties"]["spec"];
            spec["properties"]["added"] = json!({ "type": "string", "default": "d" });
        })
        .await;
    installed
        .until("the default is shown", async || {
            newest.get(&name(0)).await.is_ok_and(|object| object["spec"]["added"] == "d")
        })
        .await;
    assert_eq!(tried_and_done(&installed, release).await, (5, 5));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_is_down_is_to_blame_and_not_the_objects() {
    let group = "migrate-down.example.com";
    let release = fleets(group, &ALL, "v1");
    let installed = Installed::new(shared(), fleets(group, &ALL, "v1alpha1"), group).await;
    fill(&installed, "v1alpha1", 3).await;
    installed.store_in("v1").await;
    // Nobody listens on a port that was just given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://{}/convert", port.local_addr().expect("an address"));
    drop(port);
    let authority = SelfSigned::new(["127.0.0.1"]).expect("a certificate");
    let webhook = Webhook::url(url).ca_bundle(authority.authority());
    installed.set_webhook(webhook).await;
    let newest = installed.objects("v1", NAMESPACE);
    installed.until("it is asked", async || newest.get(&name(0)).await.is_err()).await;

    let (code, stdout, stderr) = ran(release, "migrate --format json");
    eprintln!("{stdout}{stderr}");
    assert_eq!(code, 1);
    let last: Value = serde_json::from_str(stdout.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["report"]["causes"], json!({ "webhook": 3 }), "{last}");
    let said = last["message"].as_str().expect("a message");
    assert!(!said.contains("fix or delete"), "{said}");
    assert!(
        said.contains("connection refused; make sure that the conversion webhook answers"),
        "{said}"
    );
    assert!(said.ends_with("nothing is wrong with them, and run this again"), "{said}");

    installed.set_webhook(installed.webhook.config()).await;
    installed.until("it answers", async || newest.get(&name(0)).await.is_ok()).await;
    assert_eq!(migrate(&installed).await.rewritten, Some(3));
}

/// Changes a version in the CustomResourceDefinition, and waits until it isn't served.
async fn stop_serving(installed: &Installed, version: &str) {
    installed
        .change_crd(|crd| {
            for each in crd["spec"]["versions"].as_array_mut().expect("versions") {
                if each["name"] == version {
                    each["served"] = json!(false);
                }
            }
        })
        .await;
    until_unserved(installed, version).await;
}

async fn drop_version(installed: &Installed, version: &str) {
    installed
        .change_crd(|crd| {
            let versions = crd["spec"]["versions"].as_array_mut().expect("versions");
            versions.retain(|each| each["name"] != version);
        })
        .await;
    until_unserved(installed, version).await;
}

async fn until_unserved(installed: &Installed, version: &str) {
    let objects = installed.objects(version, NAMESPACE);
    installed.until("it isn't served", async || objects.list().await.is_err()).await;
}

/// An object to which two managers have applied, in the oldest version and in the newest one.
async fn apply_at_both(installed: &Installed, name: &str) {
    let (old, new) = (installed.objects("v1alpha1", NAMESPACE), installed.objects("v1", NAMESPACE));
    let one = old.object(name, &fleet());
    old.apply("one", &one).await.expect("applied in the oldest version");
    let two = new.object(name, &json!({ "spec": { "historyLimit": 3 } }));
    new.apply("two", &two).await.expect("applied in the newest version");
}

/// The set of fields of each manager.
fn managers(object: &Value) -> BTreeMap<(String, String), Value> {
    let entries = object["metadata"]["managedFields"].as_array().expect("entries");
    let text = |entry: &Value, name: &str| entry[name].as_str().expect("text").to_owned();
    let named = |entry: &Value| (text(entry, "manager"), text(entry, "apiVersion"));
    entries.iter().map(|entry| (named(entry), entry["fieldsV1"].clone())).collect()
}

#[tokio::test]
async fn an_outage_of_the_webhook_costs_nobody_fields() {
    let group = "migrate-outage.example.com";
    let whole = fleets(group, &ALL, "v1");
    let installed = Installed::new(shared(), whole, group).await;
    apply_at_both(&installed, "f").await;
    apply_at_both(&installed, "updated").await;
    let new = installed.objects("v1", NAMESPACE);
    let before = new.get("f").await.expect("read");
    assert_eq!(managers(&before).len(), 2);

    // A replica of another release answers: it doesn't know the oldest version.
    let later = fleets(group, &ALL[1..], "v1");
    installed.webhook.replace([ResourceType::new(later)]);
    let label = json!({ "metadata": { "labels": { "a": "b" } } });
    let updated = new.merge_patch("updated", &label).await.expect("written");
    assert_eq!(managers(&updated), managers(&before), "any other write isn't recorded");
    let client = shared().client().await;
    let outcome = migration(&installed).run(&client, |_| {}).await;
    let Err(MigrationError::Objects { report, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!((report.objects, report.failed), (2, 2));
    assert_eq!(new.get("f").await.expect("read"), before);

    installed.webhook.replace([ResourceType::new(whole)]);
    let report = migrate(&installed).await;
    assert_eq!((report.objects, report.unchanged), (2, Some(2)));
    assert_eq!(new.get("f").await.expect("read"), before);
}

/// What `one` applies in the newest version, in place of what it applied in the oldest one, but for one field.
fn without_resync() -> Value {
    json!({ "spec": { "image": "i", "replicas": 6, "host": "a", "port": 8 } })
}

#[tokio::test]
async fn without_cleaning_applies_fail_and_updates_are_not_recorded() {
    let group = "migrate-uncleaned.example.com";
    let before = fleets(group, &ALL, "v1");
    let installed = Installed::new(shared(), before, group).await;
    for name in ["f", "updated"] {
        apply_at_both(&installed, name).await;
    }
    // The steps of the Kubernetes documentation, and nothing else.
    stop_serving(&installed, "v1alpha1").await;
    drop_version(&installed, "v1alpha1").await;
    let after = fleets(group, &ALL[1..], "v1");
    installed.webhook.replace([ResourceType::new(after)]);

    let new = installed.objects("v1", NAMESPACE);
    let label = json!({ "metadata": { "labels": { "a": "b" } } });
    let said = refusal(new.apply("one", &new.object("f", &without_resync())).await);
    assert!(said.contains("invalid group/version"), "{said}");
    // The API server can't bring the owners up to date when somebody updates the object, and leaves them as they were.
    let owners = managers(&new.get("updated").await.expect("read"));
    let updated = new.merge_patch("updated", &label).await.expect("written");
    assert_eq!(managers(&updated), owners);
    let said = refusal(new.apply("one", &new.object("updated", &without_resync())).await);
    assert!(said.contains("invalid group/version"), "{said}");

    let client = shared().client().await;
    let report =
        Migration::new(ResourceType::new(after)).run(&client, |_| {}).await.expect("mended");
    assert_eq!((report.objects, report.managed_fields_cleaned), (2, 2));
    let object = new.get("f").await.expect("read");
    let managers = managers(&object);
    let api_version = format!("{group}/v1");
    // Nobody knows any more what `size` was. `image` is known by its name.
    let one = &managers[&("one".to_owned(), api_version.clone())]["f:spec"];
    assert_eq!(one["f:image"], json!({}), "{managers:?}");
    assert_eq!(one.get("f:size"), None);
    assert!(managers.contains_key(&("two".to_owned(), api_version)));
    new.merge_patch("f", &label).await.expect("written");
    new.apply("one", &new.object("f", &json!({ "spec": { "image": "j" } })))
        .await
        .expect("applied");
}

#[tokio::test]
async fn a_version_is_removed_step_by_step() {
    let group = "migrate-remove.example.com";
    let before = fleets(group, &ALL, "v1alpha1");
    let installed = Installed::new(shared(), before, group).await;
    apply_at_both(&installed, "f").await;
    let client = shared().client().await;
    let remove = async |definition| {
        let migration = Migration::new(ResourceType::new(definition));
        let removal = Removal::new(migration, "v1alpha1");
        removal.run(&client, |_| {}).await.unwrap_or_else(|error| panic!("{error}"))
    };
    let version = || "v1alpha1".to_owned();

    let (step, report) = remove(before).await;
    assert_eq!(step, RemovalStep::InStorage { version: version() });
    assert!(report.is_none(), "nothing was done");

    installed.store_in("v1").await;
    let (step, report) = remove(before).await;
    assert_eq!(step, RemovalStep::Served { version: version() });
    let report = report.expect("all objects were rewritten");
    assert_eq!((report.rewritten, report.managed_fields_cleaned), (Some(1), 0));
    assert_eq!(stored_versions(&installed).await, json!(["v1"]));

    stop_serving(&installed, "v1alpha1").await;
    let new = installed.objects("v1", NAMESPACE);
    let shown = new.get("f").await.expect("read");
    let (step, report) = remove(before).await;
    let (in_cluster, in_program) = (true, true);
    assert_eq!(step, RemovalStep::Unused { version: version(), in_cluster, in_program });
    assert_eq!(report.expect("a report").managed_fields_cleaned, 1);
    let object = new.get("f").await.expect("read");
    assert_eq!(object["spec"], shown["spec"]);
    assert_eq!(carrier(&object), carrier(&shown), "nothing is lost yet");
    assert!(!carrier(&object).is_empty());
    let managers = managers(&object);
    let api_version = format!("{group}/v1");
    let one = &managers[&("one".to_owned(), api_version.clone())]["f:spec"];
    for field in ["f:image", "f:replicas", "f:host", "f:port", "f:resyncSeconds"] {
        assert_eq!(one[field], json!({}), "{managers:?}");
    }
    // `zone` and `number` have other names now, and the items are theirs whole.
    let pool = json!({ "f:arm": { ".": {}, "f:weight": {}, "f:zones": {} } });
    assert_eq!(one["f:pools"], pool, "{managers:?}");
    let port = &one["f:ports"]["k:{\"name\":\"data\"}"];
    assert_eq!((&port["."], &port["f:port"]), (&json!({}), &json!({})), "{managers:?}");
    assert_eq!(one.get("f:historyLimit"), None, "that is of the other one");
    assert_eq!(managers.len(), 2, "{managers:?}");

    drop_version(&installed, "v1alpha1").await;
    let after = fleets(group, &ALL[1..], "v1");
    installed.webhook.replace([ResourceType::new(after)]);
    let (step, report) = remove(after).await;
    assert_eq!(step, RemovalStep::Removed { version: version() });
    let (mut left, mut gone) = (carrier(&object), carrier(&object));
    left.retain(|key, _| !key.contains("/v1alpha1."));
    gone.retain(|key, _| key.contains("/v1alpha1."));
    assert!(!gone.is_empty() && !left.is_empty(), "entries of either kind");
    assert_eq!(report.expect("a report").annotations_removed, gone.len() as u64);
    assert_eq!(carrier(&new.get("f").await.expect("read")), left);

    // Later writes succeed, and owners own what they did: what they leave out vanishes, what is another's they may not change.
    let applied = new.apply("one", &new.object("f", &without_resync())).await.expect("applied");
    assert_eq!(applied["spec"].get("resyncSeconds"), None);
    assert_eq!((&applied["spec"]["ports"], &applied["spec"]["pools"]), (&json!([]), &json!({})));
    assert_eq!(applied["spec"]["replicas"], 6);
    assert_eq!(applied["spec"]["historyLimit"], 3);
    let said =
        refusal(new.apply("two", &new.object("f", &json!({ "spec": { "replicas": 1 } }))).await);
    assert!(said.contains("conflict with \"one\""), "{said}");
    new.merge_patch("f", &json!({ "metadata": { "labels": { "a": "b" } } }))
        .await
        .expect("written");
}

/// The author's binary, in a process of its own that can be killed.
#[test]
#[ignore = "the other tests run it"]
fn program() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let of =
        if variable("PROGRAM_KIND") == "CronTab" { CronTab::DEFINITION } else { Fleet::DEFINITION };
    let names = variable("PROGRAM_VERSIONS");
    let names: Vec<&str> = names.split(',').collect();
    let definition = release(of, &variable("PROGRAM_GROUP"), &names, &variable("PROGRAM_STORAGE"));
    let mut streams = Streams {
        stdin: &mut std::io::stdin(),
        stdout: &mut std::io::stdout(),
        stderr: &mut std::io::stderr(),
    };
    let args = variable("PROGRAM_ARGS");
    let args = ["operator"].into_iter().chain(args.split(' '));
    let code = Cli::new([ResourceType::new(definition)]).run_with(args, &mut streams);
    std::process::exit(code.into());
}

/// Runs a command line with a release.
fn operator(definition: &Definition, args: &str) -> Child {
    let names: Vec<_> = definition.versions.iter().map(|version| version.name).collect();
    let storage = definition.versions.iter().find(|version| version.storage).expect("one");
    Command::new(std::env::current_exe().expect("a path"))
        .args(["--exact", "migrate::program", "--ignored", "--nocapture", "--quiet"])
        .env("KUBECONFIG", shared().kubeconfig())
        .env("PROGRAM_KIND", definition.kind)
        .env("PROGRAM_GROUP", definition.group)
        .env("PROGRAM_VERSIONS", names.join(","))
        .env("PROGRAM_STORAGE", storage.name)
        .env("PROGRAM_ARGS", args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this program runs")
}

/// The exit code, and what is printed without what the test harness says.
fn ran(definition: &Definition, args: &str) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        operator(definition, args).wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let stdout = text(stdout);
    let stdout = stdout.strip_prefix("\nrunning 1 test\n").unwrap_or(&stdout);
    (status.code().expect("a code"), stdout.to_owned(), text(stderr))
}

/// The most memory that a process had so far, in KiB.
fn peak(child: &Child) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// Reads the events of a migration, until one of them is the last for the reader. Gives also the most memory that was seen.
fn events(child: &mut Child, mut is_last: impl FnMut(&Value) -> bool) -> (Vec<Value>, u64) {
    let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let (mut events, mut most) = (Vec::new(), 0);
    for line in stdout.lines() {
        most = most.max(peak(child));
        let line = line.expect("text");
        let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
        let done = is_last(&event);
        events.push(event);
        if done {
            break;
        }
    }
    (events, most)
}

/// With `CRD_CONV_MIGRATE_OBJECTS=10000` it says what that takes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_migration_that_is_killed_and_run_again_loses_no_write() {
    let count = std::env::var("CRD_CONV_MIGRATE_OBJECTS");
    let count: usize = count.map_or(400, |count| count.parse().expect("a number"));
    let group = "migrate-killed.example.com";
    let release = fleets(group, &ALL, "v1");
    let installed = Installed::new(shared(), fleets(group, &ALL, "v1alpha1"), group).await;
    fill(&installed, "v1alpha1", count).await;
    installed.store_in("v1").await;

    let (installed, ended) = (&installed, &AtomicBool::new(false));
    let writes = async {
        let mut written: BTreeMap<String, i64> = BTreeMap::new();
        let mut number = 0;
        while !ended.load(Ordering::SeqCst) {
            number += 1;
            // All over the list, in the versions in turn. The other half moves by nothing but the migration.
            let name = name(number * 7 % (count / 2) * 2);
            let value = i64::try_from(number).expect("a small number");
            let (version, patch) = match number % 3 {
                0 => ("v1alpha1", json!({ "spec": { "size": value } })),
                1 => ("v1beta1", json!({ "spec": { "replicas": value } })),
                _ => ("v1", json!({ "spec": { "replicas": value } })),
            };
            let objects = installed.objects(version, NAMESPACE);
            objects.merge_patch(&name, &patch).await.unwrap_or_else(|error| panic!("{error}"));
            written.insert(name, value);
        }
        (written, number)
    };
    let migrations = async {
        let half = u64::try_from(count / 2).expect("a small number");
        let killed = tokio::task::spawn_blocking(move || {
            let mut child = operator(release, "migrate --qps 400 --format json");
            let (seen, _) = events(&mut child, |event| event["done"].as_u64() >= Some(half));
            child.kill().expect("killed");
            child.wait().expect("it ended");
            seen.last().expect("an event").clone()
        });
        let killed = killed.await.expect("no panic");
        assert_eq!(killed["event"], "progress", "{killed}");
        let between = stored(installed);
        let stored_then = stored_versions(installed).await;
        let resumed = tokio::task::spawn_blocking(move || {
            let start = Instant::now();
            let mut child = operator(release, "migrate --qps 0 --format json");
            let (seen, memory) = events(&mut child, |_| false);
            let code = child.wait().expect("it ended").code();
            (code, seen.last().expect("an event").clone(), memory, start.elapsed())
        });
        let resumed = resumed.await.expect("no panic");
        ended.store(true, Ordering::SeqCst);
        (between, stored_then, resumed)
    };
    let ((written, number), (between, stored_then, (code, last, memory, time))) =
        tokio::join!(writes, migrations);
    assert!(between.contains_key("v1alpha1") && between.contains_key("v1"), "{between:?}");
    assert_eq!(stored_then, json!(["v1alpha1", "v1"]));
    assert_eq!((code, &last["event"]), (Some(0), &json!("finished")), "{last}");
    eprintln!(
        "{number} writes meanwhile; killed with {between:?} stored; {last}; {time:?}, {memory} KiB"
    );

    assert_eq!(stored(installed), BTreeMap::from([("v1".to_owned(), count)]));
    assert_eq!(stored_versions(installed).await, json!(["v1"]));
    let objects = installed.objects("v1", NAMESPACE).list().await.expect("a list");
    assert_eq!(objects.len(), count);
    for object in objects {
        let name = object["metadata"]["name"].as_str().expect("a name");
        let expected = written.get(name).copied().unwrap_or(4);
        assert_eq!(object["spec"]["replicas"], json!(expected), "{name}");
    }
    assert!(!written.is_empty(), "somebody wrote meanwhile");

    let again = Instant::now();
    let (code, stdout, stderr) = ran(release, "migrate --qps 0");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains(&format!("{count} already stored in the right form")), "{stdout}");
    eprintln!("once more, with nothing to do: {:?}", again.elapsed());
}

#[tokio::test]
async fn objects_that_do_not_convert_are_named_and_nothing_else_stops() {
    let group = "migrate-check.example.com";
    let versions = ["v1beta1", "v1"];
    let older = release(CronTab::DEFINITION, group, &versions, "v1beta1");
    let installed = Installed::new(shared(), older, group).await;
    let objects = installed.objects("v1beta1", NAMESPACE);
    let bad = [17, 500, 999];
    let create = async |number: usize| {
        let host_port = if bad.contains(&number) { "nowhere" } else { "localhost:1234" };
        let object = objects.object(&name(number), &json!({ "hostPort": host_port }));
        objects.create(&object).await.expect("created");
    };
    stream::iter(0..1000).map(create).buffer_unordered(8).collect::<Vec<_>>().await;

    let start = Instant::now();
    let (code, stdout, stderr) = ran(older, "check --cluster");
    eprintln!("{stdout}{stderr}in {:?}", start.elapsed());
    assert_eq!(code, 1);
    let (note, error) = stderr.split_once('\n').expect("two lines");
    let said = "`v1beta1` is stored, and the API server prefers `v1`: ";
    assert!(note.starts_with(&format!("note: crontabs.{group}: {said}")), "{stderr}");
    assert_eq!(
        error,
        "error: 3 of the objects can't be converted to every served version and back\n"
    );
    assert!(
        stdout.starts_with(&format!("crontabs.{group}: 1000 objects, 1000 read in v1beta1\n")),
        "{stdout}"
    );
    assert!(
        stdout.contains("v1beta1 to v1: 997 are the same after a conversion there and back\n"),
        "{stdout}"
    );
    for number in bad {
        assert!(stdout.contains(&format!("{NAMESPACE}/{}", name(number))), "{stdout}");
    }

    installed.store_in("v1").await;
    let newer = release(CronTab::DEFINITION, group, &versions, "v1");
    let (code, stdout, _) = ran(newer, "migrate --qps 0 --dry-run --format json");
    assert_eq!(code, 1);
    let last: Value = serde_json::from_str(stdout.lines().last().expect("a line")).expect("JSON");
    let report = &last["report"];
    assert_eq!((&report["rewrittenAtMost"], &report["failed"]), (&json!(997), &json!(3)));
    assert_eq!(report["causes"], json!({ "object": 3 }), "{report}");
    let (code, stdout, stderr) = ran(newer, "migrate --qps 0");
    eprintln!("{stdout}{stderr}");
    assert_eq!((code, stdout.as_str()), (1, ""));
    for number in bad {
        let named = format!("{NAMESPACE}/{}: ", name(number));
        assert_eq!(stderr.lines().filter(|line| line.starts_with(&named)).count(), 1, "{stderr}");
    }
    assert!(
        stderr
            .contains(&format!("error: 3 of 1000 objects of crontabs.{group} can't be rewritten")),
        "{stderr}"
    );
    let both = BTreeMap::from([("v1".to_owned(), 997), ("v1beta1".to_owned(), 3)]);
    assert_eq!(stored(&installed), both);
    assert_eq!(stored_versions(&installed).await, json!(["v1beta1", "v1"]));
}

/// The same with a version that isn't served.
pub(crate) fn unserved(definition: &'static Definition, version: &str) -> &'static Definition {
    let mut versions = definition.versions.to_vec();
    for each in &mut versions {
        each.served = each.name != version;
    }
    let mut definition = *definition;
    definition.versions = versions.leak();
    Box::leak(Box::new(definition))
}

/// Rolls a release out: the binary first, then the CustomResourceDefinition.
pub(crate) async fn roll_out(installed: &Installed, release: &'static Definition) {
    installed.webhook.replace([ResourceType::new(release)]);
    let options = CrdOptions::new().webhook(installed.webhook.config());
    let crd = ResourceType::new(release).crd(&options).unwrap_or_else(|errors| panic!("{errors}"));
    let spec = serde_json::to_value(&crd.spec).expect("JSON");
    installed.change_crd(|crd| crd["spec"] = spec.clone()).await;
    let storage = release.versions.iter().find(|version| version.storage).expect("one");
    installed.store_in(storage.name).await;
    for version in ALL {
        let found = release.versions.iter().find(|known| known.name == version);
        let is_served = found.is_some_and(|known| known.served);
        let objects = installed.objects(version, NAMESPACE);
        let holds = async || objects.list().await.is_ok() == is_served;
        installed.until("its versions are served, and no others", holds).await;
    }
}

#[tokio::test]
async fn the_life_of_a_version_as_the_guide_has_it() {
    let guide = include_str!("../../../../crd-conv/guide/migrate.md");
    let blocks = guide.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines: Vec<&str> = blocks.flat_map(str::lines).collect();
    let mut commands = lines.iter().filter(|line| !line.starts_with("no "));
    let mut run = |release: Option<&'static Definition>, command: &str| {
        assert_eq!(commands.next().copied(), Some(command));
        let (Some(release), Some(args)) = (release, command.strip_prefix("operator ")) else {
            return String::new();
        };
        let (code, stdout, stderr) = ran(release, args);
        // Until the switch of step 3 the stored version isn't the preferred one.
        let noted = args == "check --cluster";
        assert_eq!(
            stderr.contains("is stored, and the API server prefers `v1`"),
            noted,
            "{stderr}"
        );
        assert_eq!((code, stderr.lines().count()), (0, usize::from(noted)), "{args}: {stderr}");
        stdout
    };

    let group = "migrate-guide.example.com";
    let added = fleets(group, &ALL, "v1alpha1");
    let installed = Installed::new(shared(), added, group).await;
    roll_out(&installed, fleets(group, &ALL[..2], "v1alpha1")).await;
    fill(&installed, "v1alpha1", 5).await;
    let checked = run(Some(added), "operator check --cluster");
    assert!(
        checked.contains("v1alpha1 to v1: 5 are the same after a conversion there and back\n"),
        "{checked}"
    );

    // In a directory of its own: the file has no path.
    let folder = std::env::temp_dir().join(format!("crd-conv-guide-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let written = folder.join("crd.yaml");
    run(None, "operator crd --write crd.yaml");
    let mut streams = Streams {
        stdin: &mut std::io::empty(),
        stdout: &mut std::io::sink(),
        stderr: &mut std::io::stderr(),
    };
    let cli = Cli::new([ResourceType::new(added)]).webhook(installed.webhook.config());
    let args = ["operator", "crd", "--write", written.to_str().expect("text")];
    assert_eq!(cli.run_with(args, &mut streams), 0);
    run(None, "kubectl apply -f crd.yaml");
    installed.webhook.replace([ResourceType::new(added)]);
    let file = written.to_str().expect("text");
    super::kubectl::kubectl(&["apply", "-f", file], &Value::Null);
    let crd = installed.crd().await;
    assert_eq!(crd["spec"]["versions"].as_array().map(Vec::len), Some(3));
    std::fs::remove_dir_all(&folder).expect("removed");
    roll_out(&installed, added).await;

    let switched = fleets(group, &ALL, "v1");
    roll_out(&installed, switched).await;
    let tried = run(Some(switched), "operator migrate --dry-run");
    assert!(tried.contains("5 objects") && tried.ends_with("nothing was stored\n"), "{tried}");
    assert_eq!(stored(&installed), BTreeMap::from([("v1alpha1".to_owned(), 5)]));
    let migrated = run(Some(switched), "operator migrate");
    assert!(
        migrated.contains("all are stored in v1, and `status.storedVersions` says so"),
        "{migrated}"
    );
    assert_eq!(stored(&installed), BTreeMap::from([("v1".to_owned(), 5)]));

    let remove = "operator migrate --remove v1alpha1";
    let said = run(Some(switched), remove);
    assert!(said.contains("5 objects, 0 rewritten, 5 already stored in the right form"), "{said}");
    let last = said.lines().last().expect("a line");
    assert!(lines.contains(&last), "the guide has: {last}");
    roll_out(&installed, unserved(switched, "v1alpha1")).await;
    let said = run(Some(switched), remove);
    assert!(said.contains("5 with field owners in a version that is removed"), "{said}");
    assert!(said.contains("nothing in the cluster needs v1alpha1; delete its types"), "{said}");
    let deleted = fleets(group, &ALL[1..], "v1");
    roll_out(&installed, deleted).await;
    let said = run(Some(deleted), remove);
    assert!(said.contains("there is no version v1alpha1 (any more)"), "{said}");
    assert_eq!(commands.next(), None, "every command was run");
    let objects = installed.objects("v1", NAMESPACE).list().await.expect("a list");
    for object in objects {
        assert_eq!(object["spec"]["replicas"], 4);
        assert!(carrier(&object).keys().all(|key| !key.contains("/v1alpha1.")), "{object}");
    }
}

#[tokio::test]
async fn a_release_without_the_newest_version_in_between_destroys_nothing() {
    let group = "migrate-back.example.com";
    let (newer, older) = (fleets(group, &ALL, "v1"), fleets(group, &ALL[..2], "v1beta1"));
    let installed = Installed::new(shared(), newer, group).await;
    let [oldest, middle, newest] = ALL.map(|version| installed.objects(version, NAMESPACE));
    let full = json!({ "spec": {
        "image": "i", "replicas": 4, "host": "a", "port": 1, "resyncSeconds": 90, "paused": false,
        "checks": { "path": "/", "periodSeconds": 3, "timeoutSeconds": 2 }, "strategy": "Canary", "historyLimit": 3,
        "ports": [{ "name": "data", "port": 1, "servicePort": 16379 }, { "name": "more", "port": 2 }],
        "pools": { "arm": { "weight": 1, "zones": ["a", "b"], "labels": { "arch": "arm64" } } },
    } });
    newest.create(&newest.object("new", &full)).await.expect("created");
    oldest.create(&oldest.object("old", &fleet())).await.expect("created");
    let before = [newest.get("new").await, newest.get("old").await].map(|read| read.expect("read"));
    let retries = oldest.get("old").await.expect("read")["spec"]["retries"].clone();

    // Back: the storage version first, then the CustomResourceDefinition, then the binary.
    let back = fleets(group, &ALL, "v1beta1");
    roll_out(&installed, back).await;
    let (code, stdout, stderr) = ran(back, "migrate");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert_eq!(stored(&installed), BTreeMap::from([("v1beta1".to_owned(), 2)]));
    let kept = carrier(&middle.get("new").await.expect("read"));
    assert!(kept.keys().any(|key| key.contains("/v1.spec.historyLimit")), "{kept:?}");
    drop_version(&installed, "v1").await;
    let (code, stdout, stderr) = ran(back, "migrate");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.contains("1 with field owners in a version that is removed"), "{stdout}");
    roll_out(&installed, older).await;

    // The older release converts, and its clients write at both of its versions.
    assert_eq!(carrier(&middle.get("new").await.expect("read")), kept);
    let patch = json!({ "spec": { "size": 6 } });
    oldest.merge_patch("new", &patch).await.expect("written");
    let written = middle.merge_patch("new", &json!({ "spec": { "image": "j" } })).await;
    let written = written.expect("written");
    assert!(written["metadata"]["managedFields"].is_array(), "its owners are known");
    for (key, value) in &kept {
        assert_eq!(carrier(&written).get(key), Some(value), "{key}");
    }
    oldest.merge_patch("old", &json!({ "spec": { "image": "j" } })).await.expect("written");

    // And forth again.
    roll_out(&installed, newer).await;
    let (code, stdout, stderr) = ran(newer, "migrate");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert_eq!(stored(&installed), BTreeMap::from([("v1".to_owned(), 2)]));
    let mut expected = before.clone();
    expected[0]["spec"]["replicas"] = json!(6);
    for object in &mut expected {
        object["spec"]["image"] = json!("j");
    }
    for (name, expected) in ["new", "old"].into_iter().zip(&expected) {
        assert_eq!(newest.get(name).await.expect("read")["spec"], expected["spec"], "{name}");
    }
    assert_eq!(oldest.get("old").await.expect("read")["spec"]["retries"], retries);
}

/// Leaves the CustomResourceDefinition as Kubernetes' own migration does that has failed.
async fn fail_a_storage_version_migration(installed: &Installed, storage: &str) {
    let crds: Api<CustomResourceDefinition> = Api::all(shared().client().await);
    let crd = installed.crd().await;
    let name = crd["metadata"]["name"].as_str().expect("a name");
    let status = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "status": {
            "storedVersions": [storage],
            "conditions": [{
                "type": "StorageMigrating", "status": "False", "reason": "MigrationFailed",
                "message": "The migration has failed", "lastTransitionTime": "2026-11-27T00:00:00Z",
            }],
        },
    });
    let params = PatchParams::apply("storage-version-migrator").force();
    crds.patch_status(name, &params, &Patch::Apply(&status)).await.expect("patched");
    assert_eq!(stored_versions(installed).await, json!([storage]));
}

#[tokio::test]
async fn stored_versions_that_lie_are_not_believed() {
    let group = "migrate-lie.example.com";
    let installed = Installed::new(shared(), fleets(group, &ALL, "v1alpha1"), group).await;
    fill(&installed, "v1alpha1", 3).await;
    installed.store_in("v1").await;
    fail_a_storage_version_migration(&installed, "v1").await;
    assert_eq!(stored(&installed), BTreeMap::from([("v1alpha1".to_owned(), 3)]));

    let client = shared().client().await;
    let options = CrdOptions::new().webhook(installed.webhook.config());
    let without = fleets(group, &ALL[1..], "v1");
    let install = Install::new(ResourceType::new(without), &options).expect("a CRD");
    let install = install.take_over().take_away("v1alpha1");
    let error = install.apply(&client).await.expect_err("refused");
    let InstallError::Migrating { versions, is_running: false, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(versions, &["v1alpha1"]);

    let (code, stdout, stderr) = ran(fleets(group, &ALL, "v1"), "migrate --remove v1alpha1");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.contains("3 objects, 3 rewritten"), "{stdout}");
    assert!(stdout.contains("no object is stored in v1alpha1 any more"), "{stdout}");
    assert_eq!(stored(&installed), BTreeMap::from([("v1".to_owned(), 3)]));
    install.apply(&client).await.expect("every object was rewritten");
    let objects = installed.objects("v1", NAMESPACE);
    until_unserved(&installed, "v1alpha1").await;
    assert_eq!(objects.list().await.expect("a list").len(), 3);
}

#[tokio::test]
async fn a_cluster_with_objects_in_a_version_that_is_gone_is_repaired() {
    let group = "migrate-gone.example.com";
    let installed = Installed::new(shared(), fleets(group, &ALL, "v1alpha1"), group).await;
    fill(&installed, "v1alpha1", 3).await;
    let switched = fleets(group, &ALL, "v1");
    roll_out(&installed, switched).await;
    fail_a_storage_version_migration(&installed, "v1").await;
    drop_version(&installed, "v1alpha1").await;
    let later = fleets(group, &ALL[1..], "v1");
    installed.webhook.replace([ResourceType::new(later)]);
    let objects = installed.objects("v1", NAMESPACE);
    installed.until("nothing can be listed", async || objects.list().await.is_err()).await;
    for command in ["migrate", "migrate --remove v1alpha1"] {
        let (code, stdout, stderr) = ran(later, command);
        eprint!("{stderr}");
        assert_eq!(code, 1, "{stdout}");
        assert!(
            stderr.contains("reinstall the last release that has it, the binary first"),
            "{stderr}"
        );
    }

    roll_out(&installed, switched).await;
    let (code, stdout, stderr) = ran(switched, "migrate");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.contains("3 objects, 3 rewritten"), "{stdout}");
    assert_eq!(stored(&installed), BTreeMap::from([("v1".to_owned(), 3)]));
    let listed = objects.list().await.expect("a list");
    assert!(listed.len() == 3 && listed.iter().all(|object| object["spec"]["replicas"] == 4));
}
