//! The examples' CustomResourceDefinitions in the server: their rules, defaults, lists with keys and scale subresources.

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, Objects, refusal, shared};
use fleet::Fleet;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

const NAMESPACE: &str = "examples";

/// An object of a version with a spec.
fn spec(objects: &Objects, name: &str, spec: &Value) -> Value {
    objects.object(name, &json!({ "spec": spec }))
}

/// Every message stands in the server's answer, and it is the server's validation that refuses.
#[track_caller]
fn says(refused: &str, messages: &[&str]) {
    assert!(refused.contains("is invalid"), "{refused}");
    for message in messages {
        assert!(refused.contains(message), "`{message}` isn't in: {refused}");
    }
}

async fn fleets(group: &'static str) -> Installed {
    Installed::new(shared(), Fleet::DEFINITION, group).await
}

async fn crontabs(group: &'static str) -> Installed {
    Installed::new(shared(), crontab::stable::CronTab::DEFINITION, group).await
}

fn fleet() -> Value {
    json!({ "image": "i", "replicas": 2, "host": "a", "port": 1 })
}

fn with(mut spec: Value, more: Value) -> Value {
    let more: serde_json::Map<String, Value> = serde_json::from_value(more).expect("fields");
    spec.as_object_mut().expect("fields").extend(more);
    spec
}

#[tokio::test]
async fn a_crontab_has_its_defaults_and_keeps_its_rules() {
    let installed = crontabs("rules.crontab.example.com").await;
    let objects = installed.objects("v2", NAMESPACE);
    let made =
        objects.create(&spec(&objects, "a", &json!({ "image": "i" }))).await.expect("created");
    let expected = json!({
        "image": "i", "schedule": "5 0 * * *", "env": [], "minReplicas": 1, "replicas": 1, "maxReplicas": 10,
    });
    assert_eq!(made["spec"], expected);

    let few = json!({ "image": "i", "minReplicas": 3, "replicas": 2 });
    let many = json!({ "image": "i", "replicas": 3, "maxReplicas": 2 });
    for version in ["v1", "v2"] {
        let objects = installed.objects(version, NAMESPACE);
        says(
            &refusal(objects.create(&spec(&objects, "b", &few)).await),
            &["spec", "replicas should be greater than or equal to minReplicas."],
        );
        says(
            &refusal(objects.create(&spec(&objects, "b", &many)).await),
            &["spec", "replicas should be smaller than or equal to maxReplicas."],
        );
    }
    let wrong = json!({ "image": "i", "schedule": "daily", "replicas": 11 });
    says(
        &refusal(objects.create(&spec(&objects, "b", &wrong)).await),
        &["spec.schedule", "should match", "spec.replicas", "less than or equal to 10"],
    );
    let long = "a".repeat(53);
    says(
        &refusal(objects.create(&spec(&objects, &long, &json!({ "image": "i" }))).await),
        &["a crontab's name has at most 52 characters"],
    );
}

/// Only a change of it: it may come, and may go.
#[tokio::test]
async fn a_crontabs_time_zone_cannot_change() {
    let installed = crontabs("zones.crontab.example.com").await;
    let objects = installed.objects("v2", NAMESPACE);
    objects.create(&spec(&objects, "a", &json!({ "image": "i" }))).await.expect("created");
    let zone = |zone: Value| json!({ "spec": { "timeZone": zone } });
    objects.merge_patch("a", &zone(json!("Etc/UTC"))).await.expect("it comes");
    objects.merge_patch("a", &json!({ "spec": { "image": "j" } })).await.expect("it stays");
    says(
        &refusal(objects.merge_patch("a", &zone(json!("Europe/Berlin"))).await),
        &["spec.timeZone", "the time zone can't change"],
    );
    objects.merge_patch("a", &zone(Value::Null)).await.expect("it goes");
}

/// What each of two managers applies of a list, by the keys of its items.
async fn merges(objects: &Objects, base: Value, list: &str, items: [Value; 2]) {
    let [one, other] = &items;
    let apply = async |manager: &str, items: Value| {
        let mut spec = if manager == "one" { base.clone() } else { json!({}) };
        spec[list] = items;
        let object = self::spec(objects, "merged", &spec);
        let applied = objects.apply(manager, &object).await;
        let applied = applied.unwrap_or_else(|error| panic!("{manager} applies {object}: {error}"));
        let names = applied["spec"][list].as_array().expect("a list").iter();
        names.map(|item| item["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let names = [one, other].map(|item| item["name"].as_str().expect("a name").to_owned());
    assert_eq!(apply("one", json!([one])).await, names[..1]);
    assert_eq!(apply("other", json!([other])).await, names);
    assert_eq!(apply("one", json!([])).await, names[1..]);
}

#[tokio::test]
async fn a_crontabs_environment_merges_by_name() {
    let installed = crontabs("apply.crontab.example.com").await;
    let objects = installed.objects("v2", NAMESPACE);
    let items = [json!({ "name": "A", "value": "1" }), json!({ "name": "B" })];
    merges(&objects, json!({ "image": "i" }), "env", items).await;
    let doubled = json!({ "image": "i", "env": [{ "name": "A" }, { "name": "A" }] });
    says(
        &refusal(objects.create(&spec(&objects, "b", &doubled)).await),
        &["spec.env[1]", "Duplicate value"],
    );
}

/// At each version: the scale is what it says, and a change of it is a change of the object.
async fn scales(installed: &Installed, name: &str, field: impl Fn(&str) -> &'static str) {
    for (version, replicas) in installed.versions().into_iter().zip(3..) {
        let objects = installed.objects(version, NAMESPACE);
        let patch = Patch::Merge(json!({ "spec": { "replicas": replicas } }));
        let api = objects.api();
        api.patch_scale(name, &PatchParams::default(), &patch).await.expect("scaled");
        let scale = api.get_scale(name).await.expect("a scale");
        assert_eq!(scale.spec.and_then(|spec| spec.replicas), Some(replicas), "at {version}");
        let status = scale.status.expect("a status");
        assert_eq!(status.replicas, 2, "at {version}");
        for version in installed.versions() {
            let object = installed.objects(version, NAMESPACE).get(name).await.expect("an object");
            assert_eq!(object["spec"][field(version)], json!(replicas), "at {version}");
        }
    }
}

#[tokio::test]
async fn a_crontab_scales() {
    let installed = crontabs("scale.crontab.example.com").await;
    let objects = installed.objects("v2", NAMESPACE);
    objects.create(&spec(&objects, "a", &json!({ "image": "i" }))).await.expect("created");
    let status = json!({ "replicas": 2, "labelSelector": "crontab=a" });
    let mut object = objects.get("a").await.expect("an object");
    object["status"] = status;
    objects.replace_status(&object).await.expect("a status");
    scales(&installed, "a", |_| "replicas").await;
    let scale = objects.api().get_scale("a").await.expect("a scale");
    assert_eq!(scale.status.and_then(|status| status.selector).as_deref(), Some("crontab=a"));
    let patch = Patch::Merge(json!({ "spec": { "replicas": 11 } }));
    let refused = objects.api().patch_scale("a", &PatchParams::default(), &patch).await;
    refused.expect_err("more than the schema takes");
}

#[tokio::test]
async fn a_fleet_has_its_defaults_and_keeps_its_rules() {
    let installed = fleets("rules.fleet.example.com").await;
    let objects = installed.objects("v1", NAMESPACE);
    let ports = json!({ "ports": [{ "name": "data", "port": 1 }] });
    let made = objects.create(&spec(&objects, "a", &with(fleet(), ports))).await.expect("created");
    let expected = json!({
        "strategy": "RollingUpdate",
        "historyLimit": 5,
        "ports": [{ "name": "data", "port": 1, "protocol": "TCP" }],
        "pools": {},
    });
    assert_eq!(made["spec"], with(fleet(), expected));

    for (more, messages) in [
        // By `kube::KubeSchema`.
        (
            json!({ "strategy": "Canary", "replicas": 1 }),
            ["spec: ", "a canary needs another member"],
        ),
        (
            json!({ "checks": { "timeoutSeconds": 3, "periodSeconds": 2 } }),
            ["spec.checks.timeoutSeconds: ", "a check ends before the next one begins"],
        ),
        (json!({ "port": 0 }), ["spec.port", "greater than or equal to 1"]),
    ] {
        let refused = refusal(objects.create(&spec(&objects, "b", &with(fleet(), more))).await);
        says(&refused, &messages);
    }
    let long = "a".repeat(53);
    says(
        &refusal(objects.create(&spec(&objects, &long, &fleet())).await),
        &["a fleet's name has at most 52 characters"],
    );
    let checks = json!({ "checks": { "timeoutSeconds": 3 } });
    objects.create(&spec(&objects, "c", &with(fleet(), checks))).await.expect("created");
}

#[tokio::test]
async fn a_fleets_protocols_cannot_change() {
    let installed = fleets("protocols.fleet.example.com").await;
    let objects = installed.objects("v1", NAMESPACE);
    let port =
        |name: &str, protocol: &str| json!({ "name": name, "port": 1, "protocol": protocol });
    let ports = json!({ "ports": [port("a", "TCP"), port("b", "UDP")] });
    objects.create(&spec(&objects, "a", &with(fleet(), ports))).await.expect("created");
    for version in ["v1beta1", "v1"] {
        let objects = installed.objects(version, NAMESPACE);
        let change = |ports: Value| json!({ "spec": { "ports": ports } });
        // By its name, wherever it stands in the list.
        let swapped = change(json!([port("b", "UDP"), port("a", "TCP"), port("c", "UDP")]));
        objects.merge_patch("a", &swapped).await.expect("changed");
        let changed = change(json!([port("b", "TCP"), port("a", "TCP")]));
        says(
            &refusal(objects.merge_patch("a", &changed).await),
            &["spec.ports[0].protocol", "the protocol of a port can't change"],
        );
        objects.merge_patch("a", &change(json!([port("b", "UDP")]))).await.expect("changed");
        objects
            .merge_patch("a", &change(json!([port("a", "TCP"), port("b", "UDP")])))
            .await
            .expect("changed");
    }
}

#[tokio::test]
async fn a_fleets_ports_merge_by_name() {
    let installed = fleets("apply.fleet.example.com").await;
    let objects = installed.objects("v1", NAMESPACE);
    let items = [json!({ "name": "a", "port": 1 }), json!({ "name": "b", "port": 2 })];
    merges(&objects, fleet(), "ports", items).await;
}

#[tokio::test]
async fn a_fleet_scales() {
    let installed = fleets("scale.fleet.example.com").await;
    let objects = installed.objects("v1", NAMESPACE);
    objects.create(&spec(&objects, "a", &fleet())).await.expect("created");
    let mut object = objects.get("a").await.expect("an object");
    object["status"] = json!({ "replicas": 2, "readyReplicas": 2, "selector": "fleet=a" });
    objects.replace_status(&object).await.expect("a status");
    let field = |version: &str| if version == "v1alpha1" { "size" } else { "replicas" };
    scales(&installed, "a", field).await;
}
