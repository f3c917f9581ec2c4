//! `crd_conv::kube::Install` in the server.

use std::time::Duration;

use crd_conv::cli::{Cli, Streams};
use crd_conv::crd::CrdOptions;
use crd_conv::kube::{Install, InstallError, Probe};
use crd_conv::{Resource, VersionedResource, definition::Definition};
use crd_conv_apiserver::{Webhook, shared};
use crontab::CronTab;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, ListParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};

/// The crontabs in a group of their own, with the first `count` versions, of which the last is the one in storage.
fn crontabs(group: &'static str, count: usize) -> &'static Definition {
    let definition = CronTab::DEFINITION;
    let mut versions = definition.versions[..count].to_vec();
    for (place, version) in versions.iter_mut().enumerate() {
        version.storage = place == count - 1;
    }
    let versions = Box::leak(versions.into_boxed_slice());
    Box::leak(Box::new(Definition { group, versions, ..*definition }))
}

fn install(definition: &'static Definition, webhook: &Webhook) -> Install {
    let options = CrdOptions::new().webhook(webhook.config());
    let install = Install::new(Resource::new(definition), &options).expect("a CRD");
    install.field_manager("crontabs").probe(Probe::of(&webhook.config()))
}

#[tokio::test]
async fn a_resource_is_served_once_it_is_installed() {
    let client = shared().client().await;
    let all = crontabs("install.example.com", CronTab::DEFINITION.versions.len());
    let webhook = Webhook::start([Resource::new(all)]);
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
    let webhook = Webhook::start([Resource::new(all)]);
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
    let install = Install::new(Resource::new(all), &options).expect("a CRD");
    let probe = Probe::of(&webhook.config()).patience(Duration::from_millis(100));
    let error = install.probe(probe).apply(&client).await.expect_err("refused");
    assert!(matches!(error, InstallError::Probe(_)), "{error}");
    let crds: Api<CustomResourceDefinition> = Api::all(client);
    let found = crds.get_opt(&format!("{}.{}", all.plural, all.group)).await.expect("an answer");
    assert!(found.is_none(), "nothing has changed");
}

/// What the author's program prints, and its exit code.
async fn operator(
    definition: &'static Definition,
    webhook: &Webhook,
    args: &[&str],
) -> (u8, String) {
    let kubeconfig = shared().kubeconfig().to_str().expect("UTF-8").to_owned();
    let mut line =
        vec!["operator".to_owned(), "install".to_owned(), "--kubeconfig".to_owned(), kubeconfig];
    line.extend(args.iter().copied().map(str::to_owned));
    let cli = Cli::new([Resource::new(definition)]).webhook(webhook.config());
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
    let webhook = Webhook::start([Resource::new(all)]);
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
