//! Each command with exactly the permissions that the guide lists, no more and no fewer: RBAC refuses what isn't listed, and the audit log
//! shows what was used.

use std::collections::BTreeSet;

use crd_conv::cli::Cli;
use crd_conv::testing::Trial;
use crd_conv::with::YamlText;
use crd_conv::{Converter, ResourceType, VersionedResource, definition::Definition};
use crd_conv_apiserver::{Ran, Webhook, command, in_group, namespace, service_account, whole};
use crontab::CronTab;
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use kube::{Api, api::PostParams};
use serde_json::{Value, json};

const GROUP: &str = "permissions.example.com";
const SERVE: &str = include_str!("../../../../crd-conv/guide/serve.md");
const MIGRATE: &str = include_str!("../../../../crd-conv/guide/migrate.md");

/// The rules under a heading of the guide, for crontabs in a group of these tests.
fn rules(page: &str, command: &str) -> Value {
    let heading = format!("## Permissions of `{command}`\n");
    let (_, rest) = page.split_once(&heading).unwrap_or_else(|| panic!("no heading {heading}"));
    let (_, rest) = rest.split_once("```yaml\n").expect("a block");
    let (block, _) = rest.split_once("```").expect("its end");
    let block = block
        .replace("fleets", "crontabs")
        .replace("crontabs.example.com", &format!("crontabs.{GROUP}"));
    let block = block.replace("[example.com]", &format!("[{GROUP}]"));
    let rules: Value = YamlText.upgrade(block).expect("YAML");
    rules["rules"].clone()
}

/// As the audit log has it: a verb, a group and a resource.
type Used = (String, String, String);

fn listed(rules: &Value) -> BTreeSet<Used> {
    let texts =
        |value: &Value| -> Vec<String> { serde_json::from_value(value.clone()).expect("texts") };
    let mut all = BTreeSet::new();
    for rule in rules.as_array().expect("rules") {
        for group in texts(&rule["apiGroups"]) {
            for resource in texts(&rule["resources"]) {
                for verb in texts(&rule["verbs"]) {
                    all.insert((verb, group.clone(), resource.clone()));
                }
            }
        }
    }
    all
}

/// Runs a command as a service account of the cluster with these rules, and returns what it asked for.
async fn used(
    definition: &'static Definition,
    name: &str,
    rules: &Value,
    args: &[&str],
) -> BTreeSet<Used> {
    let token = service_account(&whole().client().await, name, rules).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kubeconfig");
    let kubeconfig = serde_json::to_string(&whole().kubeconfig_with(&token)).expect("JSON");
    std::fs::write(&file, kubeconfig).expect("written");
    let program = move || Cli::new([ResourceType::new(definition)]);
    let Ran { code, stdout, stderr } = command(program, args, &file).await;
    assert_eq!(code, 0, "{name}: {stdout}{stderr}");
    let user = format!("system:serviceaccount:default:{name}");
    let mine = whole().audit().into_iter().filter(|asked| asked.user == user);
    mine.map(|asked| (asked.verb, asked.group, asked.resource)).collect()
}

#[tokio::test]
async fn each_command_needs_what_the_guide_lists() {
    let client = whole().client().await;
    namespace(&client, "permissions").await;
    let definition = in_group(CronTab::DEFINITION, GROUP);
    let webhook = Webhook::start([ResourceType::new(definition)]);
    let folder = tempfile::tempdir().expect("a folder");
    let authority = folder.path().join("ca.crt");
    std::fs::write(&authority, webhook.authority()).expect("written");
    let url = webhook.url();
    let authority = authority.to_str().expect("text");

    let install = rules(SERVE, "install");
    let args = ["install", "--url", &url, "--ca-bundle", authority];
    let asked = used(definition, "installer", &install, &args).await;
    // The API server asks itself whether an apply may create: that is in no log.
    let mut needed = listed(&install);
    assert!(needed.remove(&(
        "create".to_owned(),
        "apiextensions.k8s.io".to_owned(),
        "customresourcedefinitions".to_owned()
    )));
    assert_eq!(asked, needed, "install");

    let oldest = definition.versions[0].name;
    let kind = GroupVersionKind::gvk(GROUP, oldest, definition.kind);
    let resource = ApiResource::from_gvk_with_plural(&kind, definition.plural);
    let crontabs: Api<DynamicObject> =
        Api::namespaced_with(client.clone(), "permissions", &resource);
    let own = ResourceType::new(definition);
    let converts = |object: &String| {
        definition.versions.iter().all(|to| own.convert(object.as_bytes(), to.name).is_ok())
    };
    let trial = Trial::of(&own).expect("a trial");
    let objects: Vec<_> = trial.objects(oldest).filter(converts).take(3).collect();
    for (number, object) in objects.iter().enumerate() {
        let mut object: Value = serde_json::from_str(object).expect("JSON");
        object["metadata"] = json!({ "name": format!("c-{number}"), "namespace": "permissions" });
        let object = serde_json::from_value(object).expect("an object");
        crontabs.create(&PostParams::default(), &object).await.expect("created");
    }

    let check = rules(SERVE, "check --cluster");
    let asked = used(definition, "checker", &check, &["check", "--cluster"]).await;
    assert_eq!(asked, listed(&check), "check --cluster");

    let migrate = rules(MIGRATE, "migrate");
    // So that there is a status to change.
    let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.permissions.example.com/status";
    let patch = json!({ "status": { "storedVersions": definition.versions.iter().map(|version| version.name).collect::<Vec<_>>() } });
    let request = http::Request::patch(crds).header("Content-Type", "application/merge-patch+json");
    let request = request.body(patch.to_string().into_bytes()).expect("a request");
    client.request::<Value>(request).await.expect("patched");
    let asked = used(definition, "migrator", &migrate, &["migrate"]).await;
    let mut needed = listed(&migrate);
    // Only where an object has to be read again.
    assert!(needed.remove(&("get".to_owned(), GROUP.to_owned(), "crontabs".to_owned())));
    assert_eq!(asked, needed, "migrate");
}
