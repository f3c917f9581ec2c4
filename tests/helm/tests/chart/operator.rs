//! The chart of the operator in `examples`.

use std::collections::BTreeSet;
use std::fs;

use crd_conv::schema::Json;
use crd_conv::verify::verify;
use crd_conv_helm::{Ran, documents, helm, root};
use serde_json::{Value, json};

/// The names in the manifests for Kustomize.
const NAME: &str = "maintenance-operator";
const NAMESPACE: &str = "maintenance-system";

const INSTANCE: &str = "app.kubernetes.io/instance";

fn chart() -> String {
    root().join("examples/operator/chart").to_str().expect("UTF-8").to_owned()
}

/// Renders a release with some values.
fn render(name: &str, namespace: &str, values: &[&str]) -> Ran {
    let chart = chart();
    let set = values.iter().flat_map(|value| ["--set", value]);
    helm(["template", name, &chart, "--namespace", namespace].into_iter().chain(set))
}

/// The values of all ways to use the chart.
const WAYS: [&[&str]; 8] = [
    &[],
    &["certificate=cert-manager"],
    &["crd.create=false"],
    &["crd.keep=false", "policies=true"],
    &["crd.webhook.url=https://example.com/convert"],
    &["crd.webhook.port=8443"],
    &["monitoring.pods=true", "monitoring.alerts=true", "monitoring.dashboard=true"],
    &["networkPolicy.create=false", "replicas=1", "image=example.com/other:2"],
];

#[test]
fn helm_finds_nothing_to_improve() {
    let chart = chart();
    for values in WAYS {
        let set = values.iter().flat_map(|value| ["--set", value]);
        let ran = helm(["lint", "--strict", &chart].into_iter().chain(set));
        assert!(ran.said().contains("1 chart(s) linted, 0 chart(s) failed"), "{values:?}");
    }
}

#[test]
fn every_document_has_a_place_and_the_api_server_accepts_the_definition() {
    for values in WAYS {
        let found = render("release", "space", values).documents();
        let mut places = BTreeSet::new();
        for document in &found {
            let (kind, meta) = (&document["kind"], &document["metadata"]);
            let place = format!("{kind} {} {}", meta["namespace"], meta["name"]);
            assert!(document["apiVersion"].is_string() && meta["name"].is_string(), "{document}");
            assert!(places.insert(place), "{document}");
            if kind == "CustomResourceDefinition" {
                let report = verify(&Json::from(document));
                assert!(report.is_beyond_doubt(), "{values:?}: {report}");
            }
        }
        let has = |kind| found.iter().any(|document| document["kind"] == kind);
        assert_eq!(has("CustomResourceDefinition"), !values.contains(&"crd.create=false"));
        assert_eq!(has("ValidatingAdmissionPolicy"), values.contains(&"policies=true"));
        assert_eq!(has("PrometheusRule"), values.contains(&"monitoring.alerts=true"));
    }
}

/// What Kustomize makes of a folder in `deploy`.
fn kustomized(folder: &str) -> Vec<Value> {
    let deploy = root().join("examples/operator/deploy");
    let mut found = Vec::new();
    for file in ["base", folder].iter().flat_map(|folder| {
        fs::read_dir(deploy.join(folder)).expect("a folder").map(|file| file.expect("a file"))
    }) {
        found.extend(documents(&fs::read_to_string(file.path()).expect("a file")));
    }
    // The lists of files.
    found.retain(|document| document["kind"].is_string());
    let is_patch =
        |one: &Value| one["kind"] == "Deployment" && one.pointer("/spec/selector").is_none();
    let patch = found.iter().position(is_patch).expect("a patch");
    let patch = found.remove(patch);
    let deployment = found.iter_mut().find(|one| one["kind"] == "Deployment").expect("one");
    merge(deployment, patch);
    found
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        // The one container.
        (Value::Array(into), Value::Array(from)) if into.len() == 1 && from.len() == 1 => {
            into.iter_mut().zip(from).for_each(|(into, from)| merge(into, from));
        }
        (into, from) => *into = from,
    }
}

/// What both ways to deploy have in common, by kind and name.
fn comparable(documents: Vec<Value>) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for mut document in documents {
        let kind = document["kind"].as_str().expect("a kind").to_owned();
        if kind == "Namespace" || kind.contains("Role") {
            continue;
        }
        // Charts have labels for the release, and names that another installation doesn't have.
        without_instance(&mut document);
        let meta = document["metadata"].as_object_mut().expect("metadata");
        meta.remove("labels");
        let name = meta["name"].as_str().expect("a name").to_owned();
        if kind == "CustomResourceDefinition" {
            if let Some(annotations) = meta.get_mut("annotations").and_then(Value::as_object_mut) {
                annotations.remove("helm.sh/resource-policy");
            }
            meta.retain(|_, value| *value != json!({}));
            let service = "/spec/conversion/webhook/clientConfig/service";
            let service = document.pointer_mut(service).and_then(Value::as_object_mut);
            service.expect("a service").retain(|key, value| !(key == "port" && *value == 443));
        }
        if kind == "Deployment" {
            let args = "/spec/template/spec/containers/0/args";
            let args = document.pointer_mut(args).and_then(Value::as_array_mut);
            args.expect("arguments").retain(|arg| *arg != format!("--service={NAMESPACE}/{NAME}"));
        }
        found.push((format!("{kind} {name}"), document));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn without_instance(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove(INSTANCE);
            members.values_mut().for_each(without_instance);
        }
        Value::Array(items) => items.iter_mut().for_each(without_instance),
        _ => {}
    }
}

/// All rules of the roles, in one order.
fn rules(documents: &[Value]) -> Vec<String> {
    let mut rules: Vec<_> = documents
        .iter()
        .filter_map(|one| one["rules"].as_array())
        .flatten()
        .map(Value::to_string)
        .collect();
    rules.sort();
    rules
}

#[test]
fn it_deploys_what_kustomize_deploys() {
    for (folder, values) in
        [("own-certificate", &[][..]), ("cert-manager", &["certificate=cert-manager"])]
    {
        let (ours, theirs) = (render(NAME, NAMESPACE, values).documents(), kustomized(folder));
        assert_eq!(rules(&ours), rules(&theirs), "{folder}");
        let (ours, theirs) = (comparable(ours), comparable(theirs));
        assert!(theirs.len() > 5, "invalid test case: {theirs:?}");
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{folder}");
        }
        assert_eq!(ours.len(), theirs.len(), "{folder}");
    }
}

#[test]
fn roles_are_bound_to_the_account_of_the_pods() {
    for values in WAYS {
        let found = render("release", "space", values).documents();
        let account =
            json!([{ "kind": "ServiceAccount", "name": "release", "namespace": "space" }]);
        let (mut roles, mut bound) = (BTreeSet::new(), BTreeSet::new());
        for document in &found {
            match document["kind"].as_str().expect("a kind") {
                kind @ ("Role" | "ClusterRole") => {
                    roles.insert(format!("{kind} {}", document["metadata"]["name"]));
                }
                "RoleBinding" | "ClusterRoleBinding" => {
                    assert_eq!(document["subjects"], account);
                    let role = &document["roleRef"];
                    bound.insert(format!(
                        "{} {}",
                        role["kind"].as_str().expect("a kind"),
                        role["name"]
                    ));
                }
                "Deployment" => {
                    let pod = &document["spec"]["template"]["spec"];
                    assert_eq!(pod["serviceAccountName"], "release");
                }
                _ => {}
            }
        }
        assert!(!roles.is_empty() && roles == bound, "{roles:?} {bound:?}");
    }
}

/// Except for the CustomResourceDefinition, which one of them installs.
#[test]
fn two_releases_share_nothing() {
    let places = |name, namespace| {
        let all = ["crd.create=false", "monitoring.pods=true", "monitoring.alerts=true"];
        let found = render(name, namespace, &all).documents();
        let place = |one: &Value| {
            let meta = &one["metadata"];
            format!("{} {} {}", one["kind"], meta["namespace"], meta["name"])
        };
        found.iter().map(place).collect::<BTreeSet<_>>()
    };
    let first = places("a", "b");
    assert!(first.len() > 10, "invalid test case: {first:?}");
    for other in [places("a", "c"), places("d", "b")] {
        assert_eq!(first.intersection(&other).collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn mistakes_in_values_are_refused() {
    for (value, said) in [
        ("certificate=none", "certificate"),
        ("replica=3", "replica"),
        ("crd.webhook.service=a", "service"),
        ("crd.webhook.url=http://example.com", "url"),
        ("replicas=0", "replicas"),
    ] {
        let Ran { succeeded, stderr, .. } = render("release", "space", &[value]);
        assert!(!succeeded && stderr.contains(said), "{value}: {stderr}");
    }
}

/// Prometheus' and Grafana's own braces aren't Helm's.
#[test]
fn alerts_and_dashboard_are_the_files() {
    let values = ["monitoring.alerts=true", "monitoring.dashboard=true"];
    let found = render("release", "space", &values).documents();
    let of = |kind| found.iter().find(|one| one["kind"] == kind).expect("a document");
    let file = |name| fs::read_to_string(format!("{}/{name}", chart())).expect("a file");
    assert_eq!(of("PrometheusRule")["spec"], documents(&file("alerts.yaml"))[0]);
    let dashboard = of("ConfigMap")["data"]["release.json"].as_str().expect("JSON");
    let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    assert_eq!(read(dashboard), read(&file("dashboard.json")));
    assert!(dashboard.contains("{{result}}"), "invalid test case: {dashboard}");
}
