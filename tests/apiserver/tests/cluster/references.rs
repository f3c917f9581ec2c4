//! What refers to a version, and what becomes of it: with the API server's admission and Kubernetes' controllers.

mod referrers;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crd_conv::cli::Cli;
use crd_conv::migrate::{ReferenceKind, References};
use crd_conv::{ResourceType, VersionedResource};
use crd_conv_apiserver::{
    Installed, Ran, apply, command, in_group, namespace, service_account, whole,
};
use fleet::Fleet;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Client;
use kube::api::{Api, DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};

use referrers::{autoscale, configure_admission, dependent, with_params};

const NAMESPACE: &str = "references";
const GROUP: &str = "references.example.com";
const OLD: &str = "references.example.com/v1alpha1";
const NEW: &str = "references.example.com/v1";
const ADMISSION: &str = "admissionregistration.k8s.io/v1";

/// How long the garbage collector gets for something that it never does.
const LONG: Duration = Duration::from_secs(10);

fn maps(client: &Client) -> Api<ConfigMap> {
    Api::namespaced(client.clone(), NAMESPACE)
}

async fn is_there(client: &Client, name: &str) -> bool {
    maps(client).get_opt(name).await.expect("an answer").is_some()
}

/// Applies the remedy.
async fn name_another_version(client: &Client, name: &str) {
    let change = json!([{ "op": "replace", "path": "/metadata/ownerReferences/0/apiVersion", "value": NEW }]);
    let patch: Patch<()> = Patch::Json(serde_json::from_value(change).expect("a patch"));
    maps(client).patch(name, &PatchParams::default(), &patch).await.expect("patched");
}

/// Whether an update in a version may have a label.
async fn accepts(installed: &Installed, version: &str, label: &str) -> bool {
    let patch = json!({ "metadata": { "labels": { label: "" } } });
    let objects = installed.objects(version, NAMESPACE);
    match objects.merge_patch("target?dryRun=All", &patch).await {
        Ok(_) => true,
        Err(kube::Error::Api(status)) if status.message.contains("no such label") => false,
        Err(error) => panic!("{error}"),
    }
}

/// Waits until a controller has found the scale of an autoscaler's target.
async fn until_scaled(installed: &Installed, client: &Client, name: &str) {
    let path =
        format!("/apis/autoscaling/v2/namespaces/{NAMESPACE}/horizontalpodautoscalers/{name}");
    let found = async || {
        let request = http::Request::get(&path).body(Vec::new()).expect("a request");
        let read = client.request::<Value>(request).await.expect("read");
        let conditions = read["status"]["conditions"].as_array().cloned().unwrap_or_default();
        conditions.iter().any(|each| each["type"] == "AbleToScale" && each["status"] == "True")
    };
    installed.until("the target's scale is found", found).await;
}

/// The references, as resource, object, path and kind.
async fn found(client: &Client) -> BTreeSet<(String, String, String, ReferenceKind)> {
    let resource = ResourceType::new(in_group(Fleet::DEFINITION, GROUP));
    let found = References::to_version(client, &resource, "v1alpha1").await.expect("found");
    // Other tests have resources whose webhooks don't answer.
    let unread = found.not_looked_at.iter().filter(|part| !part.what.ends_with(".example.com"));
    assert_eq!(unread.count(), 0, "{:?}", found.not_looked_at);
    let all = found.references.into_iter();
    all.map(|each| (each.resource, each.object, each.path, each.kind)).collect()
}

fn expected() -> BTreeSet<(String, String, String, ReferenceKind)> {
    let owner = "metadata.ownerReferences[0].apiVersion";
    let rules = "spec.matchConstraints.resourceRules[0].apiVersions";
    let policies = "validatingadmissionpolicies";
    [
        ("configmaps", "references/old", owner, ReferenceKind::Owner),
        ("configmaps", "references/blocking", owner, ReferenceKind::Owner),
        (policies, "references-equivalent", rules, ReferenceKind::Rule),
        (policies, "references-exact", rules, ReferenceKind::ExactRule),
        (
            policies,
            "references-excluded",
            "spec.matchConstraints.excludeResourceRules[0].apiVersions",
            ReferenceKind::Exclusion,
        ),
        (policies, "references-params", "spec.paramKind.apiVersion", ReferenceKind::Params),
        (
            "validatingadmissionpolicybindings",
            "references-bound",
            "spec.matchResources.resourceRules[0].apiVersions",
            ReferenceKind::Rule,
        ),
        ("mutatingadmissionpolicies", "references-mutating", rules, ReferenceKind::Rule),
        (
            "validatingwebhookconfigurations",
            "references",
            "webhooks[0].rules[0].apiVersions",
            ReferenceKind::ExactRule,
        ),
        (
            "mutatingwebhookconfigurations",
            "references",
            "webhooks[0].rules[0].apiVersions",
            ReferenceKind::Rule,
        ),
    ]
    .into_iter()
    .map(|(resource, object, path, kind)| {
        let group = if resource == "configmaps" { "" } else { ".admissionregistration.k8s.io" };
        (format!("{resource}{group}"), object.to_owned(), path.to_owned(), kind)
    })
    .collect()
}

/// Runs a command with the permissions that the guide lists for `migrate`, or with all.
async fn ran(args: &[&str], everything: bool) -> Ran {
    let verbs = ["get", "list", "patch"];
    let rules = if everything {
        json!([{ "apiGroups": ["*"], "resources": ["*"], "verbs": verbs }])
    } else {
        let crds = json!({
            "apiGroups": ["apiextensions.k8s.io"], "verbs": verbs,
            "resources": ["customresourcedefinitions", "customresourcedefinitions/status"],
        });
        json!([crds, { "apiGroups": [GROUP], "resources": ["fleets"], "verbs": verbs }])
    };
    let name = if everything { "references-all" } else { "references-few" };
    let token = service_account(&whole().client().await, name, &rules).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kubeconfig");
    let kubeconfig = serde_json::to_string(&whole().kubeconfig_with(&token)).expect("JSON");
    std::fs::write(&file, kubeconfig).expect("written");
    let definition = in_group(Fleet::DEFINITION, GROUP);
    command(move || Cli::new([ResourceType::new(definition)]), args, &file).await
}

async fn commands() {
    let Ran { code, stdout, stderr } = ran(&["migrate", "--remove", "v1alpha1"], true).await;
    eprintln!("{stdout}");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    for part in [
        "owner references to fleets.references.example.com in v1alpha1: 2\n",
        "  configmaps references/old: metadata.ownerReferences[0].apiVersion\n",
        "references in policy parameters to fleets.references.example.com in v1alpha1: 1\n",
    ] {
        assert!(stdout.contains(part), "{stdout}");
    }
    assert!(stdout.ends_with("roll that out, and run this again\n"), "the step is last: {stdout}");

    let args = ["migrate", "--remove", "v1alpha1", "--dry-run", "--format", "json"];
    let Ran { stdout, .. } = ran(&args, true).await;
    let last: Value = serde_json::from_str(stdout.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["event"], &last["removal"]["step"]), (&json!("finished"), &json!("tried")));
    let references = &last["references"];
    assert_eq!(references["counts"]["owner"], 2, "{last}");
    assert_eq!(references["references"].as_array().map(Vec::len), Some(expected().len()), "{last}");
    assert_eq!(references["references"][0]["kind"], "owner");

    let Ran { code, stdout, .. } = ran(&["migrate", "--remove", "v1alpha1"], false).await;
    assert_eq!(code, 0, "{stdout}");
    let line = stdout.lines().find(|line| line.starts_with("not looked at: ")).expect(&stdout);
    assert!(line.contains(" secrets, ") && line.contains(", deployments.apps, "), "{line}");
    assert!(line.ends_with("; allow `list` for them in all namespaces"), "{line}");
    assert!(stdout.contains("nothing that could be read refers to "), "{stdout}");

    // The version is deprecated.
    let Ran { code, stdout, .. } = ran(&["check", "--cluster"], true).await;
    assert_eq!(code, 0, "{stdout}");
    assert!(
        stdout.contains("  owner references to fleets.references.example.com in v1alpha1: 2\n")
    );
}

/// Whether the garbage collector soon deletes a new dependent of an owner that exists.
async fn is_deleted(client: &Client, name: &str, owner: &Value) -> bool {
    dependent(client, name, OLD, owner).await;
    let since = Instant::now();
    while is_there(client, name).await {
        if since.elapsed() > Duration::from_secs(5) {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    true
}

/// Waits until the controllers know that the version isn't served. Before that, the garbage collector takes each owner in that version
/// for deleted.
async fn until_controllers_notice(installed: &Installed, client: &Client) {
    let fleets = installed.objects("v1", NAMESPACE);
    let fleet = installed.random("v1", 7, 1).remove(0);
    let (mut deleted, mut first) = (0, None);
    for number in 0..60 {
        // The collector remembers whom it takes for deleted.
        let name = format!("probe-{number}");
        fleets.create_text(&fleets.named(&fleet, &name)).await.expect("created");
        let owner = fleets.get(&name).await.expect("read");
        if !is_deleted(client, &name, &owner).await {
            eprintln!(
                "the garbage collector has deleted {deleted} dependents of owners that exist"
            );
            if let Some(first) = first {
                assert!(is_deleted(client, "later", &first).await, "it remembers the owner");
            }
            return;
        }
        deleted += 1;
        first.get_or_insert(owner);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("the controllers don't notice");
}

async fn garbage_collection(installed: &Installed, client: &Client) {
    until_controllers_notice(installed, client).await;
    let fleets = installed.objects("v1", NAMESPACE).api();
    fleets.delete("owner", &DeleteParams::background()).await.expect("deleted");
    let gone = async |name: &str| {
        installed.until("the dependent is gone", async || !is_there(client, name).await).await;
    };
    gone("new").await;
    fleets.delete("foreground", &DeleteParams::foreground()).await.expect("deleted");
    tokio::time::sleep(LONG).await;
    assert!(is_there(client, "old").await, "its owner is gone");
    assert!(is_there(client, "blocking").await, "its owner is being deleted");
    let owner = fleets.get("foreground").await.expect("still there");
    assert!(owner.metadata.deletion_timestamp.is_some());

    for name in ["old", "blocking"] {
        name_another_version(client, name).await;
    }
    gone("old").await;
    gone("blocking").await;
    let owner = async || fleets.get_opt("foreground").await.expect("an answer").is_none();
    installed.until("the owner is gone", owner).await;
}

/// An API server that has to read a policy anew refuses what the policy matches.
async fn parameters(installed: &Installed, client: &Client) {
    let [policy, binding] = with_params("params", "references-params");
    for document in [&binding, &policy] {
        let kind = document["kind"].as_str().expect("a kind").to_lowercase();
        let plural =
            kind.replace("policy", "policies").replace("policiesbinding", "policybindings");
        let path = format!("/apis/{ADMISSION}/{plural}/references-params");
        let request = http::Request::delete(path).body(Vec::new()).expect("a request");
        client.request::<Value>(request).await.expect("deleted");
    }
    // The API server looks at its policies once a second. Without the pause, it would not notice that there was none with these parameters.
    tokio::time::sleep(LONG).await;
    namespace(client, "references-late").await;
    for document in with_params("late", "references-late") {
        apply(client, &document).await;
    }
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), "references-late");
    let map = |name: &str| {
        serde_json::from_value(json!({ "metadata": { "name": name } })).expect("a ConfigMap")
    };
    let dry = kube::api::PostParams { dry_run: true, ..Default::default() };
    let refused = async || match maps.create(&dry, &map("a")).await {
        Err(kube::Error::Api(status)) if status.message.contains("paramKind") => {
            eprintln!("{}", status.message);
            true
        }
        _ => false,
    };
    installed.until("the policy can't be configured", refused).await;
}

#[tokio::test]
async fn references_break_as_the_documentation_says() {
    let client = whole().client().await;
    for name in [NAMESPACE, "references-params"] {
        namespace(&client, name).await;
    }
    let installed = Installed::new(whole(), Fleet::DEFINITION, GROUP).await;
    let fleets = installed.objects("v1", NAMESPACE);
    let mut owners = Vec::new();
    for (name, fleet) in ["owner", "foreground", "target"].iter().zip(installed.random("v1", 7, 3))
    {
        fleets.create_text(&fleets.named(&fleet, name)).await.expect("created");
        owners.push(fleets.get(name).await.expect("read"));
    }
    dependent(&client, "old", OLD, &owners[0]).await;
    dependent(&client, "new", NEW, &owners[0]).await;
    dependent(&client, "blocking", OLD, &owners[1]).await;
    autoscale(&client, "before").await;
    configure_admission(&client).await;
    assert_eq!(found(&client).await, expected());

    // (label, version in which the update is sent, whether it is accepted)
    let holds = async |expected: &[(&str, &str, bool)]| {
        for (label, version, accepted) in expected {
            let what = format!("{label} in {version} is accepted: {accepted}");
            let same = async || accepts(&installed, version, label).await == *accepted;
            installed.until(&what, same).await;
        }
    };
    let (no, yes) = (false, true);
    let unchanged = [
        ("equivalent", "v1", no),
        ("bound", "v1", no),
        ("exact", "v1", yes),
        ("excluded", "v1", yes),
    ];
    holds(&[("equivalent", "v1alpha1", no), ("exact", "v1alpha1", no)]).await;
    holds(&unchanged).await;
    until_scaled(&installed, &client, "before").await;
    commands().await;

    installed
        .change_crd(|crd| {
            for version in crd["spec"]["versions"].as_array_mut().expect("versions") {
                version["served"] = json!(version["name"] != "v1alpha1");
            }
        })
        .await;
    let older = installed.objects("v1alpha1", NAMESPACE);
    installed.until("it isn't served", async || older.list().await.is_err()).await;
    garbage_collection(&installed, &client).await;
    // Admission still converts to a version that isn't served.
    holds(&unchanged).await;
    // An autoscaler finds its target in another version.
    autoscale(&client, "after").await;
    until_scaled(&installed, &client, "after").await;
    parameters(&installed, &client).await;

    installed
        .change_crd(|crd| {
            let versions = crd["spec"]["versions"].as_array_mut().expect("versions");
            versions.retain(|version| version["name"] != "v1alpha1");
        })
        .await;
    holds(&[
        ("equivalent", "v1", yes),
        ("bound", "v1", yes),
        ("exact", "v1", yes),
        ("excluded", "v1", no),
    ])
    .await;
    let left = found(&client).await;
    assert!(left.iter().any(|(_, object, ..)| object == "references-equivalent"), "{left:?}");
    assert!(left.iter().all(|(_, object, ..)| object != "references/old"), "{left:?}");
}
