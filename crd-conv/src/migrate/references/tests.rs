//! Tests with an API server that gives predefined answers.

use serde_json::{Value, json};

use super::{ReferenceKind, References};
use crate::cluster::mock::{Exchange, answers, failure};
use crate::crd::fixture::cron_tab;

const CRD: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.example.com";
const ADMISSION: &str = "admissionregistration.k8s.io";

fn get(path: &'static str, answer: Value) -> Exchange {
    Exchange { method: "GET", path, code: 200, answer }
}

fn fails(path: &'static str, code: u16, reason: &str) -> Exchange {
    Exchange { method: "GET", path, code, answer: failure(code, reason, "no") }
}

fn crd() -> Value {
    let version = |name: &str| {
        let schema = json!({ "openAPIV3Schema": { "type": "object" } });
        json!({ "name": name, "served": true, "storage": name == "v1", "schema": schema })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "crontabs.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "kind": "CronTab", "plural": "crontabs" },
            "versions": [version("v1alpha1"), version("v1beta1"), version("v1")],
        },
    })
}

/// A group in one version, with these resources.
fn group(name: &str, version: &str, resources: &[&str]) -> Value {
    let resource = |name| json!({ "resource": name, "verbs": ["delete", "get", "list", "watch"] });
    let resources: Vec<_> = resources.iter().map(resource).collect();
    let versions = json!([{ "version": version, "freshness": "Current", "resources": resources }]);
    json!({ "metadata": { "name": name }, "versions": versions })
}

fn discovered(groups: &[Value]) -> Value {
    json!({ "kind": "APIGroupDiscoveryList", "items": groups })
}

fn list(token: &str, items: &[Value]) -> Value {
    json!({ "metadata": { "continue": token }, "items": items })
}

fn owned(name: &str, owners: &[(&str, &str)]) -> Value {
    let owner = |(api_version, kind): &(&str, &str)| json!({ "apiVersion": api_version, "kind": kind, "name": "a", "uid": "u" });
    let owners: Vec<_> = owners.iter().map(owner).collect();
    json!({ "metadata": { "namespace": "n", "name": name, "ownerReferences": owners } })
}

/// Finds the references to `v1beta1`, if the core group has these resources and others have these.
async fn found(core: &[&str], others: &[Value], lists: Vec<Exchange>) -> References {
    let mut groups = vec![group("apiextensions.k8s.io", "v1", &[])];
    groups.extend_from_slice(others);
    let mut exchanges = vec![
        get(CRD, crd()),
        get("/api", discovered(&[group("", "v1", core)])),
        get("/apis", discovered(&groups)),
    ];
    exchanges.extend(lists);
    let (client, task) = answers(exchanges);
    let found = References::to_version(&client, &cron_tab(), "v1beta1").await.unwrap();
    drop(client);
    task.await.unwrap();
    found
}

/// The kinds and places of references in one object of admission, whose resource is this.
async fn in_admission(plural: &str, mut object: Value) -> Vec<(ReferenceKind, String)> {
    object["metadata"] = json!({ "name": "x" });
    let path = format!("/apis/{ADMISSION}/v1/{plural}?limit=500");
    let lists = vec![get(path.leak(), list("", &[object]))];
    let found = found(&[], &[group(ADMISSION, "v1", &[plural])], lists).await;
    assert_eq!(found.not_looked_at, []);
    let mut all = Vec::new();
    for reference in found.references {
        assert_eq!(reference.resource, format!("{plural}.{ADMISSION}"));
        assert_eq!((&*reference.object, &*reference.version), ("x", "v1beta1"));
        all.push((reference.kind, reference.path));
    }
    all
}

fn rule(versions: &[&str], resources: &[&str]) -> Value {
    json!({
        "apiGroups": ["example.com"], "apiVersions": versions, "resources": resources,
        "operations": ["CREATE", "UPDATE"], "scope": "*",
    })
}

#[tokio::test]
async fn owners_are_found_on_every_page() {
    let old = ("example.com/v1beta1", "CronTab");
    let others = [
        ("example.com/v1", "CronTab"),
        ("example.com/v1beta1", "Other"),
        ("example.org/v1beta1", "CronTab"),
        ("v1beta1", "CronTab"),
    ];
    let lists = vec![
        get("/api/v1/configmaps?limit=500", list("next", &[owned("a", &others)])),
        get(
            "/api/v1/configmaps?limit=500&continue=next",
            list("", &[owned("b", &[others[0], old])]),
        ),
        get("/apis/apps/v1/deployments?limit=500", list("", &[owned("c", &[old])])),
    ];
    // A list of metadata without objects has `items: null`.
    let mut lists = lists;
    lists
        .push(get("/apis/apps/v1/replicasets?limit=500", json!({ "metadata": {}, "items": null })));
    let apps = group("apps", "v1", &["deployments", "replicasets"]);
    let found = found(&["configmaps"], &[apps], lists).await;
    assert_eq!(found.counts, [(ReferenceKind::Owner, 2)].into());
    let named: Vec<_> = found
        .references
        .iter()
        .map(|found| (&*found.resource, &*found.object, &*found.path))
        .collect();
    let first = ("configmaps", "n/b", "metadata.ownerReferences[1].apiVersion");
    let second = ("deployments.apps", "n/c", "metadata.ownerReferences[0].apiVersion");
    assert_eq!(named, [first, second]);
}

#[tokio::test]
async fn many_references_are_counted_and_the_first_are_named() {
    let items: Vec<_> =
        (0..130).map(|at| owned(&at.to_string(), &[("example.com/v1beta1", "CronTab")])).collect();
    let lists = vec![get("/api/v1/pods?limit=500", list("", &items))];
    let found = found(&["pods"], &[], lists).await;
    assert_eq!((found.counts[&ReferenceKind::Owner], found.references.len()), (130, 100));
}

#[tokio::test]
async fn what_cannot_be_listed_is_named() {
    let lists = vec![
        fails("/api/v1/secrets?limit=500", 403, "Forbidden"),
        fails("/apis/apps/v1/deployments?limit=500", 405, "MethodNotAllowed"),
    ];
    let mut stale = group("metrics.k8s.io", "v1beta1", &["pods"]);
    stale["versions"][0]["freshness"] = json!("Stale");
    let found = found(&["secrets"], &[group("apps", "v1", &["deployments"]), stale], lists).await;
    assert_eq!(found.references, []);
    let named: Vec<_> = found
        .not_looked_at
        .iter()
        .map(|part| (&*part.what, &*part.reason, part.is_forbidden))
        .collect();
    let expected = [
        (
            "the resources of metrics.k8s.io/v1beta1",
            "the API server that serves them doesn't answer",
            false,
        ),
        ("secrets", "allow `list` for secrets of the core group in all namespaces", true),
        ("deployments.apps", "no", false),
    ];
    assert_eq!(named, expected);
}

/// The garbage collector doesn't watch such resources, and they may be many.
#[tokio::test]
async fn what_has_no_dependents_is_not_listed() {
    let mut others = group("metrics.k8s.io", "v1beta1", &["pods"]);
    others["versions"][0]["resources"][0]["verbs"] = json!(["get", "list"]);
    let events = group("events.k8s.io", "v1", &["events"]);
    let found = found(&["events"], &[others, events], vec![]).await;
    assert_eq!((found.references, found.not_looked_at), (vec![], vec![]));
}

#[tokio::test]
async fn a_resource_in_several_versions_is_listed_once() {
    let mut several = group("example.com", "v1", &["crontabs"]);
    let older = group("example.com", "v1beta1", &["crontabs"])["versions"][0].clone();
    several["versions"].as_array_mut().unwrap().push(older);
    let broken = "/apis/example.com/v1/crontabs?limit=500";
    let lists = vec![
        fails(broken, 500, "InternalError"),
        get("/apis/example.com/v1beta1/crontabs?limit=500", list("", &[])),
    ];
    assert_eq!(found(&[], &[several], lists).await.not_looked_at, []);
}

#[tokio::test]
async fn a_server_without_lists_of_its_resources_is_not_searched() {
    let groups = json!({ "kind": "APIGroupList", "groups": [{ "name": "apps" }] });
    let exchanges = vec![get(CRD, crd()), fails("/api", 404, "NotFound"), get("/apis", groups)];
    let (client, task) = answers(exchanges);
    let found = References::to_version(&client, &cron_tab(), "v1beta1").await.unwrap();
    drop(client);
    task.await.unwrap();
    let [part] = found.not_looked_at.as_slice() else { panic!("{found:?}") };
    assert_eq!(part.what, "the resources of this cluster");
}

#[tokio::test]
async fn rules_of_webhooks() {
    let kind = "validatingwebhookconfigurations";
    let webhook = |policy: &str, rules: Value| {
        let other = json!({ "name": "other", "rules": [rule(&["v1"], &["crontabs"])] });
        json!({ "webhooks": [other, { "name": "own", "matchPolicy": policy, "rules": rules }] })
    };
    let place = |at: usize| format!("webhooks[1].rules[{at}].apiVersions");
    for (policy, expected) in
        [("Equivalent", ReferenceKind::Rule), ("Exact", ReferenceKind::ExactRule)]
    {
        for resources in ["crontabs", "crontabs/*", "crontabs/scale", "*", "*/*", "*/status"] {
            let rules = json!([rule(&["v1"], &["others"]), rule(&["v1beta1"], &[resources])]);
            let found = in_admission(kind, webhook(policy, rules)).await;
            assert_eq!(found, [(expected, place(1))], "{resources}");
        }
    }
    let mut group = rule(&["v1beta1"], &["crontabs"]);
    group["apiGroups"] = json!(["*"]);
    let found =
        in_admission("mutatingwebhookconfigurations", webhook("Equivalent", json!([group])));
    assert_eq!(found.await, [(ReferenceKind::Rule, place(0))]);

    group["apiGroups"] = json!(["example.org"]);
    for harmless in [
        group,
        rule(&["*"], &["crontabs"]),
        rule(&["v1beta1", "v1"], &["crontabs"]),
        rule(&["v1beta1"], &["others", "others/status"]),
        rule(&["v1alpha1"], &["crontabs"]),
    ] {
        let found = in_admission(kind, webhook("Equivalent", json!([harmless]))).await;
        assert_eq!(found, [], "{harmless}");
    }
}

#[tokio::test]
async fn a_rule_beside_a_rule_that_stays_is_no_reference() {
    let old = rule(&["v1beta1"], &["crontabs", "crontabs/status"]);
    let covers = async |change: &dyn Fn(&mut Value)| {
        let mut other = rule(&["v1"], &["crontabs/*"]);
        change(&mut other);
        let webhook = json!({ "matchPolicy": "Equivalent", "rules": [old, other] });
        in_admission("validatingwebhookconfigurations", json!({ "webhooks": [webhook] }))
            .await
            .is_empty()
    };
    assert!(covers(&|_| {}).await);
    assert!(covers(&|other| other["operations"] = json!(["*"])).await);
    assert!(!covers(&|other| other["operations"] = json!(["CREATE"])).await);
    assert!(!covers(&|other| other["resources"] = json!(["crontabs"])).await);
    assert!(!covers(&|other| other["scope"] = json!("Cluster")).await);
    assert!(!covers(&|other| other["resourceNames"] = json!(["a"])).await);
    assert!(!covers(&|other| other["apiVersions"] = json!(["v2"])).await);
    assert!(!covers(&|other| other["apiGroups"] = json!(["apps"])).await);
}

#[tokio::test]
async fn policies_and_bindings() {
    let rules = || json!([rule(&["v1beta1"], &["crontabs"])]);
    for (policy, expected) in [
        ("Equivalent", vec![ReferenceKind::Rule, ReferenceKind::Exclusion]),
        // Requests in other versions aren't excluded today.
        ("Exact", vec![ReferenceKind::ExactRule]),
    ] {
        for (plural, constraints) in [
            ("validatingadmissionpolicies", "matchConstraints"),
            ("mutatingadmissionpolicies", "matchConstraints"),
            ("validatingadmissionpolicybindings", "matchResources"),
            ("mutatingadmissionpolicybindings", "matchResources"),
        ] {
            let matcher = json!({
                "matchPolicy": policy, "resourceRules": rules(), "excludeResourceRules": rules(),
            });
            let object = json!({ "spec": { constraints: matcher } });
            let found = in_admission(plural, object).await;
            let places = ["resourceRules", "excludeResourceRules"]
                .map(|list| format!("spec.{constraints}.{list}[0].apiVersions"));
            let expected: Vec<_> = expected.iter().copied().zip(places).collect();
            assert_eq!(found, expected, "{plural}");
        }
    }
    let params = |api_version: &str, kind: &str| json!({ "spec": { "paramKind": { "apiVersion": api_version, "kind": kind } } });
    let plural = "validatingadmissionpolicies";
    let place = "spec.paramKind.apiVersion".to_owned();
    let found = in_admission(plural, params("example.com/v1beta1", "CronTab")).await;
    assert_eq!(found, [(ReferenceKind::Params, place)]);
    for (api_version, kind) in
        [("example.com/v1", "CronTab"), ("example.com/v1beta1", "Other"), ("v1", "ConfigMap")]
    {
        assert_eq!(in_admission(plural, params(api_version, kind)).await, [], "{api_version}");
    }
}

/// The program has `v1beta1` and `v1`, and serves both.
#[tokio::test]
async fn old_versions_are_those_that_the_program_lacks() {
    let exchanges = vec![
        get(CRD, crd()),
        get("/api", discovered(&[])),
        get("/apis", discovered(&[group("apiextensions.k8s.io", "v1", &[])])),
    ];
    let (client, task) = answers(exchanges);
    let found = References::to_old_versions(&client, &cron_tab()).await.unwrap();
    drop(client);
    task.await.unwrap();
    assert_eq!(found.versions, ["v1alpha1"]);

    let mut same = crd();
    same["spec"]["versions"].as_array_mut().unwrap().remove(0);
    let (client, task) = answers(vec![get(CRD, same)]);
    let found = References::to_old_versions(&client, &cron_tab()).await.unwrap();
    drop(client);
    task.await.unwrap();
    assert_eq!(found.versions, [""; 0]);
}

#[tokio::test]
async fn expressions_that_name_the_version_with_its_group() {
    let named = "object.apiVersion != 'example.com/v1beta1'";
    let others = [
        "object.apiVersion != 'example.com/v1beta11'",
        "object.apiVersion != 'example.com/v1'",
        "object.apiVersion != 'an.example.com/v1beta1'",
        "request.kind.version != 'v1beta1'",
    ];
    let found = in_admission(
        "validatingadmissionpolicies",
        json!({ "spec": {
            "matchConditions": [{ "name": "example.com/v1beta1", "expression": others[0] }],
            "variables": [{ "name": "v", "expression": others[1] }],
            "validations": [
                { "expression": others[2], "messageExpression": named },
                { "expression": format!("{named} && true"), "message": named },
            ],
            "auditAnnotations": [{ "key": "k", "valueExpression": others[3] }],
        } }),
    )
    .await;
    let paths = ["spec.validations[0].messageExpression", "spec.validations[1].expression"];
    let of = |path: &str| (ReferenceKind::Expression, path.to_owned());
    assert_eq!(found, paths.map(of));
    let found = in_admission(
        "validatingwebhookconfigurations",
        json!({ "webhooks": [{ "matchConditions": [{ "name": "n", "expression": named }] }] }),
    )
    .await;
    assert_eq!(found, [of("webhooks[0].matchConditions[0].expression")]);
}
