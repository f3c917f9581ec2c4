//! `crd_conv::cluster::Install` in the server.

use std::time::Duration;

use crd_conv::cli::{Cli, Streams};
use crd_conv::cluster::{Install, InstallError, Probe};
use crd_conv::crd::CrdOptions;
use crd_conv::{ResourceType, VersionedResource, definition::Definition};
use crd_conv_apiserver::{Webhook, in_group, shared};
use crd_conv_tests::budget::{Page, noise};
use crontab::CronTab;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::json;

use super::migrate::{ALL, fleets, unserved};

/// The crontabs in a group of their own, with the first `count` versions, of which the last is the one in storage.
fn crontabs(group: &'static str, count: usize) -> &'static Definition {
    let definition = CronTab::DEFINITION;
    let mut versions = definition.versions[..count].to_vec();
    for (place, version) in versions.iter_mut().enumerate() {
        version.storage = place == count - 1;
    }
    let mut definition = *definition;
    definition.versions = versions.leak();
    in_group(&definition, group)
}

fn install(definition: &'static Definition, webhook: &Webhook) -> Install {
    let options = CrdOptions::new().webhook(webhook.config());
    let install = Install::new(ResourceType::new(definition), &options).expect("a CRD");
    install.field_manager("crontabs").probe(Probe::of(&webhook.config()))
}

#[tokio::test]
async fn a_resource_is_served_once_it_is_installed() {
    let client = shared().client().await;
    let all = crontabs("install.example.com", CronTab::DEFINITION.versions.len());
    let webhook = Webhook::start([ResourceType::new(all)]);
    let first = install(all, &webhook).apply(&client).await.expect("installed");
    assert!(webhook.count() > 0, "the webhook was asked before");
    for version in all.versions {
        let kind = GroupVersionKind::gvk(all.group, version.name, all.kind);
        let resource = ApiResource::from_gvk_with_plural(&kind, all.plural);
        let objects: Api<DynamicObject> = Api::namespaced_with(client.clone(), "n", &resource);
        let listed = objects.list(&ListParams::default()).await;
        assert!(listed.expect("served").items.is_empty());
    }
    // Every replica does it at each start.
    let again = install(all, &webhook).apply(&client).await.expect("installed again");
    assert_eq!(first.metadata.generation, again.metadata.generation);
    assert_eq!(first.metadata.resource_version, again.metadata.resource_version);
}

#[tokio::test]
async fn a_version_in_which_objects_may_be_stored_stays() {
    let client = shared().client().await;
    let group = "install-stored.example.com";
    let count = CronTab::DEFINITION.versions.len();
    let (all, fewer) = (crontabs(group, count), crontabs(group, count - 1));
    let webhook = Webhook::start([ResourceType::new(all)]);
    let before = install(all, &webhook).apply(&client).await.expect("installed");
    let error = install(fewer, &webhook).apply(&client).await.expect_err("refused");
    let InstallError::Stored { versions, .. } = &error else { panic!("{error}") };
    assert_eq!(versions, &[all.versions[count - 1].name.to_owned()]);
    let crds: Api<CustomResourceDefinition> = Api::all(client);
    let now = crds.get(&format!("{}.{group}", all.plural)).await.expect("a CRD");
    assert_eq!(now.metadata.resource_version, before.metadata.resource_version);
}

#[tokio::test]
async fn nothing_points_to_a_webhook_that_does_not_answer() {
    let client = shared().client().await;
    let all = crontabs("install-probe.example.com", CronTab::DEFINITION.versions.len());
    // It serves no resource.
    let webhook = Webhook::start([]);
    let options = CrdOptions::new().webhook(webhook.config());
    let install = Install::new(ResourceType::new(all), &options).expect("a CRD");
    let probe = Probe::of(&webhook.config()).patience(Duration::from_millis(100));
    let error = install.probe(probe).apply(&client).await.expect_err("refused");
    assert!(matches!(error, InstallError::Probe(_)), "{error}");
    let crds: Api<CustomResourceDefinition> = Api::all(client);
    let found = crds.get_opt(&format!("{}.{}", all.plural, all.group)).await.expect("an answer");
    assert!(found.is_none(), "nothing has changed");
}

/// Objects of a resource in a version.
fn objects(client: &kube::Client, of: &Definition, version: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk(of.group, version, of.kind);
    let resource = ApiResource::from_gvk_with_plural(&kind, of.plural);
    Api::namespaced_with(client.clone(), "n", &resource)
}

async fn is_served(client: &kube::Client, of: &Definition, version: &str) -> bool {
    objects(client, of, version).list(&ListParams::default()).await.is_ok()
}

async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    for _ in 0..600 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("still not so: {what}");
}

/// What an installation would take away, and that it changed nothing.
async fn refused(install: &Install, client: &kube::Client) -> Vec<String> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let before = crds.get(install.name()).await.expect("a CRD");
    let tried = install.dry_run(client).await.expect_err("refused");
    let error = install.apply(client).await.expect_err("refused");
    assert_eq!(tried.to_string(), error.to_string());
    let InstallError::TakesAway { taken, manager, written_by, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(manager, "crontabs");
    assert!(written_by.as_ref().is_some_and(|by| by.starts_with('`')), "{error}");
    let after = crds.get(install.name()).await.expect("a CRD");
    assert_eq!(after.spec, before.spec);
    taken.clone()
}

#[tokio::test]
async fn an_older_program_takes_no_version_away() {
    let client = shared().client().await;
    let group = "install-older.example.com";
    let (older, newer) = (fleets(group, &ALL[..2], "v1alpha1"), fleets(group, &ALL, "v1alpha1"));
    let webhook = Webhook::start([ResourceType::new(newer)]);
    install(older, &webhook).apply(&client).await.expect("installed");
    install(newer, &webhook).apply(&client).await.expect("a version more");
    assert!(is_served(&client, newer, "v1").await);

    // A replica of the release before starts again, or somebody's second installation.
    assert_eq!(refused(&install(older, &webhook), &client).await, ["v1"]);
    let other = install(older, &webhook).field_manager("other").take_over();
    let error = other.apply(&client).await.expect_err("refused").to_string();
    assert!(
        error.contains("(field manager `other`)") && error.contains("`crontabs` at "),
        "{error}"
    );
    let (code, said) = operator(older, &webhook, &["--field-manager", "crontabs"]).await;
    eprint!("{said}");
    assert_eq!(code, 1);
    assert!(
        said.contains("if this is an older release") && said.ends_with("`--take-away v1`\n"),
        "{said}"
    );
    // The newer one's own start changes nothing.
    install(newer, &webhook).apply(&client).await.expect("installed again");
    assert!(is_served(&client, newer, "v1").await, "nobody got 404");

    // A version that isn't served any more, by a program that knows it.
    let stops = unserved(newer, "v1");
    assert_eq!(refused(&install(stops, &webhook), &client).await, ["v1"]);
    install(stops, &webhook).take_away("v1").apply(&client).await.expect("on purpose");
    until("it isn't served", async || !is_served(&client, newer, "v1").await).await;
    // From then on nobody uses it.
    install(older, &webhook).apply(&client).await.expect("nothing is taken away");
    // An older release gives it back, and the newer one needs its name again.
    install(newer, &webhook).apply(&client).await.expect("a version more");
    let (code, said) =
        operator(older, &webhook, &["--field-manager", "crontabs", "--take-away", "v1"]).await;
    // With a note about the version that is stored.
    let (changed, note) = said.split_once('\n').expect("two lines");
    assert_eq!((code, changed), (0, format!("fleets.{group} changed").as_str()));
    assert!(note.starts_with("note: ") && note.lines().count() == 1, "{note}");
    until("it isn't served", async || !is_served(&client, newer, "v1").await).await;
}

#[tokio::test]
async fn an_older_program_takes_no_fields_and_no_storage_version_away() {
    let client = shared().client().await;
    let group = "install-fields.example.com";
    let older = fleets(group, &ALL, "v1beta1");
    let webhook = Webhook::start([ResourceType::new(older)]);
    install(older, &webhook).apply(&client).await.expect("installed");
    // What a newer release has: fields, subresources, another storage version.
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = format!("fleets.{group}");
    let mut newer = serde_json::to_value(crds.get(&name).await.expect("a CRD")).expect("JSON");
    for version in newer["spec"]["versions"].as_array_mut().expect("versions") {
        version["storage"] = json!(version["name"] == "v1");
        if version["name"] == "v1" {
            let spec = &mut version["schema"]["openAPIV3Schema"]["properties"]["spec"];
            spec["properties"]["added"] = json!({ "type": "string" });
            spec["properties"]["any"] =
                json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
            version["selectableFields"] = json!([{ "jsonPath": ".spec.added" }]);
        }
    }
    let newer = serde_json::from_value(newer).expect("a CRD");
    crds.replace(&name, &PostParams::default(), &newer).await.expect("replaced");

    let newest = objects(&client, older, "v1");
    let fields = json!({
        "apiVersion": format!("{group}/v1"), "kind": "Fleet", "metadata": { "name": "f" },
        "spec": { "image": "i", "replicas": 4, "host": "a", "port": 8, "added": "x", "any": { "b": "c" } },
    });
    until("the fields are there", async || {
        let object = serde_json::from_value(fields.clone()).expect("an object");
        let created = newest.create(&PostParams::default(), &object).await;
        let done = created.is_ok_and(|created| created.data["spec"]["added"] == "x");
        if !done {
            let _ = newest.delete("f", &DeleteParams::default()).await;
        }
        done
    })
    .await;

    let program = || install(older, &webhook).take_over();
    let taken = refused(&program(), &client).await;
    assert_eq!(taken, ["v1/selectableFields", "v1.spec.added", "v1.spec.any", "storage"]);
    let kept = newest.get("f").await.expect("an object");
    assert_eq!(
        (&kept.data["spec"]["added"], &kept.data["spec"]["any"]),
        (&json!("x"), &json!({ "b": "c" }))
    );
    let some = program().take_away("v1.spec.added").take_away("storage");
    assert_eq!(refused(&some, &client).await, ["v1/selectableFields", "v1.spec.any"]);

    // On purpose, and then the values are gone without a word.
    program().take_away("v1").take_away("storage").apply(&client).await.expect("on purpose");
    until("they are gone", async || {
        newest.get("f").await.is_ok_and(|object| object.data["spec"].get("added").is_none())
    })
    .await;
}

#[tokio::test]
async fn a_program_that_is_slower_takes_nothing_away() {
    let client = shared().client().await;
    let group = "install-race.example.com";
    let (older, newer) = (fleets(group, &ALL[..2], "v1alpha1"), fleets(group, &ALL, "v1alpha1"));
    let webhook = Webhook::start([ResourceType::new(newer)]);
    let mut refusals = 0;
    for _ in 0..10 {
        let reset = install(older, &webhook).take_away("v1");
        reset.apply(&client).await.expect("the older release");
        let (old, new) = (install(older, &webhook), install(newer, &webhook));
        let (old, new) = tokio::join!(old.apply(&client), new.apply(&client));
        let new = new.expect("the newer release");
        let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
        let now = crds.get(&new.metadata.name.expect("a name")).await.expect("a CRD");
        assert_eq!(now.spec.versions.len(), 3, "{old:?}");
        refusals += usize::from(matches!(old, Err(InstallError::TakesAway { .. })));
    }
    println!("{refusals} of 10 were refused");
}

/// What the author's program prints, and its exit code.
async fn operator(
    definition: &'static Definition,
    webhook: &Webhook,
    args: &[&str],
) -> (u8, String) {
    command(definition, webhook, &[&["install"][..], args].concat()).await
}

/// The same of any command.
async fn command(
    definition: &'static Definition,
    webhook: &Webhook,
    args: &[&str],
) -> (u8, String) {
    let kubeconfig = shared().kubeconfig().to_str().expect("UTF-8").to_owned();
    let mut line = vec!["operator".to_owned()];
    line.extend(args.iter().copied().map(str::to_owned));
    line.extend(["--kubeconfig".to_owned(), kubeconfig]);
    let cli = Cli::new([ResourceType::new(definition)]).webhook(webhook.config());
    // The command has a runtime of its own.
    let ran = tokio::task::spawn_blocking(move || {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
        let code = cli.run_with(line, &mut streams);
        (code, String::from_utf8([stdout, stderr].concat()).expect("UTF-8"))
    });
    ran.await.expect("it doesn't panic")
}

#[tokio::test]
async fn the_command_installs_what_the_program_has() {
    let client = shared().client().await;
    let group = "install-command.example.com";
    let count = CronTab::DEFINITION.versions.len();
    let all = crontabs(group, count);
    let webhook = Webhook::start([ResourceType::new(all)]);
    let name = format!("{}.{group}", all.plural);
    let crds: Api<CustomResourceDefinition> = Api::all(client);

    let dry = operator(all, &webhook, &["--dry-run"]).await;
    assert_eq!(dry, (0, format!("{name} created (dry run)\n")));
    assert!(crds.get_opt(&name).await.expect("an answer").is_none(), "nothing has changed");

    assert_eq!(webhook.count(), 0, "invalid test case");
    let made = operator(all, &webhook, &["--probe"]).await;
    assert_eq!(made, (0, format!("{name} created\n")));
    assert!(webhook.count() > 0, "the webhook was asked before");
    let again = operator(all, &webhook, &[]).await;
    assert_eq!(again, (0, format!("{name} unchanged\n")));
    let labelled = operator(all, &webhook, &["--label", "a=b"]).await;
    assert_eq!(labelled, (0, format!("{name} changed\n")));

    let (code, said) =
        operator(all, &webhook, &["--field-manager", "x", "--review-version", "v1"]).await;
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("conflict with \"crd-conv\"") && said.contains("`--force-conflicts`"),
        "{said}"
    );
    let forced = ["--field-manager", "x", "--review-version", "v1", "--force-conflicts"];
    assert_eq!(operator(all, &webhook, &forced).await, (0, format!("{name} changed\n")));

    let (code, said) = operator(crontabs(group, count - 1), &webhook, &[]).await;
    assert_eq!(code, 1, "{said}");
    assert!(said.starts_with("error: ") && said.contains("storedVersions"), "{said}");
}

#[tokio::test]
async fn a_document_in_the_cluster_is_compared_with_the_types() {
    let group = "install-source.example.com";
    let count = CronTab::DEFINITION.versions.len();
    let (all, fewer) = (crontabs(group, count), crontabs(group, count - 1));
    let webhook = Webhook::start([ResourceType::new(all)]);
    assert_eq!(operator(fewer, &webhook, &[]).await.0, 0);
    let source = format!("kube:{}.{group}", all.plural);

    let (code, said) = command(fewer, &webhook, &["verify", &source]).await;
    assert_eq!(code, 0, "{said}");
    let (code, said) = command(fewer, &webhook, &["diff", &source]).await;
    assert!(code == 0 && !said.contains("safe") && !said.contains("risky"), "{said}");
    let (code, said) = command(all, &webhook, &["diff", &source]).await;
    let version = all.versions[count - 1].name;
    assert!(code == 0 && said.contains(&format!("safe: {version}: this version is new")), "{said}");

    let (code, said) = command(all, &webhook, &["verify", "kube:none.example.com"]).await;
    let error = "error: `kube:none.example.com`: ";
    assert!(code == 1 && said.starts_with(error) && said.contains("not found"), "{said}");
}

/// Pages with another storage version.
fn pages(group: &'static str, storage: &str) -> &'static Definition {
    let mut versions = Page::DEFINITION.versions.to_vec();
    for version in &mut versions {
        version.storage = version.name == storage;
    }
    let mut definition = *Page::DEFINITION;
    definition.versions = versions.leak();
    in_group(&definition, group)
}

async fn put_notes(objects: &Api<DynamicObject>, kibibytes: usize) -> kube::Result<DynamicObject> {
    let patch = json!({ "spec": { "notes": noise(kibibytes << 10) } });
    objects.patch("large", &PatchParams::default(), &Patch::Merge(&patch)).await
}

/// An installation of pages in a cluster with one that has room in `v1beta1` alone.
async fn with_a_large_page(group: &'static str, webhook: &Webhook) -> Api<DynamicObject> {
    let client = shared().client().await;
    let before = pages(group, "v1beta1");
    webhook.replace([ResourceType::new(before)]);
    install(before, webhook).apply(&client).await.expect("installed");
    let older = objects(&client, before, "v1beta1");
    let page = json!({
        "apiVersion": format!("{group}/v1beta1"), "kind": "Page", "metadata": { "name": "large" },
        "spec": { "tags": [], "notes": "" },
    });
    let page = serde_json::from_value(page).expect("an object");
    older.create(&PostParams::default(), &page).await.expect("created");
    put_notes(&older, 300).await.expect("stored where it has room");
    older
}

#[tokio::test]
async fn the_storage_version_changes_only_when_every_object_has_room() {
    let group = "install-room.example.com";
    let client = shared().client().await;
    let webhook = Webhook::start([]);
    let older = with_a_large_page(group, &webhook).await;
    let after = pages(group, "v1");
    // The binary first.
    webhook.replace([ResourceType::new(after).stored_in(&["v1beta1"])]);
    let error = install(after, &webhook).apply(&client).await.expect_err("refused");
    let InstallError::NoRoom { count: 1, .. } = &error else { panic!("{error}") };
    let said = error.to_string();
    assert!(
        said.contains("Page `n/large` from v1beta1 to v1: its annotations would have"),
        "{said}"
    );
    let (code, told) = operator(after, &webhook, &["--field-manager", "crontabs"]).await;
    assert_eq!((code, told), (1, format!("error: {said}\n")));
    let checked = command(after, &webhook, &["check", "--cluster"]).await;
    assert_eq!(checked.0, 1, "{}", checked.1);
    assert!(
        checked.1.contains("error: 1 of the objects can't be stored in the storage version: "),
        "{}",
        checked.1
    );
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let crd = crds.get(&format!("pages.{group}")).await.expect("a CRD");
    assert_eq!(crd.status.expect("a status").stored_versions, Some(vec!["v1beta1".to_owned()]));

    put_notes(&older, 100).await.expect("made smaller");
    let (code, told) = command(after, &webhook, &["check", "--cluster"]).await;
    assert_eq!(code, 0, "{told}");
    // Of two clusters, one isn't there.
    let contexts = ["check", "--cluster", "--context", "test", "--context", "nowhere"];
    let (code, told) = command(after, &webhook, &contexts).await;
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("context test\n\npages."), "{told}");
    assert!(told.contains("error: nowhere: the kubeconfig `"), "{told}");
    install(after, &webhook).apply(&client).await.expect("it has room");
    // And back again.
    let back = install(pages(group, "v1beta1"), &webhook).take_away("storage");
    back.apply(&client).await.expect("on purpose");
}

/// Somebody has switched with another tool: at no version can the object be changed or deleted, and there is a way out.
#[tokio::test]
async fn an_object_without_room_after_the_switch_is_freed_by_switching_back() {
    let group = "install-stuck.example.com";
    let client = shared().client().await;
    let webhook = Webhook::start([]);
    let older = with_a_large_page(group, &webhook).await;
    let (before, after) = (pages(group, "v1beta1"), pages(group, "v1"));
    webhook.replace([ResourceType::new(after).stored_in(&["v1beta1"])]);
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = format!("pages.{group}");
    let mut crd = serde_json::to_value(crds.get(&name).await.expect("a CRD")).expect("JSON");
    for version in crd["spec"]["versions"].as_array_mut().expect("versions") {
        version["storage"] = json!(version["name"] == "v1");
    }
    let crd = serde_json::from_value(crd).expect("a CRD");
    crds.replace(&name, &PostParams::default(), &crd).await.expect("replaced");
    let newest = objects(&client, after, "v1");
    until("it is stuck", async || put_notes(&older, 299).await.is_err()).await;
    assert!(put_notes(&older, 100).await.is_err(), "nor made smaller");
    assert!(older.delete("large", &DeleteParams::default()).await.is_err());

    webhook.replace([ResourceType::new(before).stored_in(&["v1"])]);
    let back = install(before, &webhook).take_away("storage").take_over();
    back.apply(&client).await.expect("the way out");
    until("it is made smaller", async || put_notes(&older, 100).await.is_ok()).await;
    webhook.replace([ResourceType::new(after).stored_in(&["v1beta1"])]);
    install(after, &webhook).take_over().apply(&client).await.expect("it has room");
    until("it is written", async || put_notes(&older, 99).await.is_ok()).await;
    newest.delete("large", &DeleteParams::default()).await.expect("deleted");
}
