//! `NodePool` of Karpenter, `v1beta1` to `v1`, as in its release 1.0: <https://karpenter.sh/v1.0/upgrading/v1-migration/>.
//!
//! | | |
//! |---|---|
//! | rules | 1 moved, 1 group by a converter, 2 converted, 3 removed, 2 added |
//! | lines of mapping | 16, and 31 of a converter |
//! | the project's converter | 170 lines by hand |

pub(crate) mod types;

use crd_conv::{ResourceType, crd::CrdOptions, crd::Webhook};
use serde_json::{Value, json};

use types::NodePool;

crd_conv::laws!(NodePool);

fn object(version: &str, spec: &Value) -> String {
    json!({
        "apiVersion": format!("karpenter.sh/{version}"),
        "kind": "NodePool",
        "metadata": {"name": "default"},
        "spec": spec,
    })
    .to_string()
}

fn spec(object: &str) -> Value {
    serde_json::from_str::<Value>(object).unwrap()["spec"].clone()
}

fn older() -> Value {
    json!({
        "template": {
            "metadata": {"labels": {"team": "a"}},
            "spec": {
                "taints": [{"key": "spot", "effect": "NoSchedule"}],
                "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"], "minValues": 1}],
                "kubelet": {"maxPods": 42, "clusterDNS": ["10.0.0.10"]},
                "nodeClassRef": {"kind": "EC2NodeClass", "name": "default", "apiVersion": "karpenter.k8s.aws/v1beta1"},
            },
        },
        "disruption": {
            "consolidationPolicy": "WhenUnderutilized",
            "expireAfter": "480h",
            "budgets": [{"nodes": "20%", "schedule": "@daily", "duration": "10m"}],
        },
        "limits": {"cpu": "1000"},
        "weight": 10,
    })
}

/// What Karpenter's own code makes of it, but for what Go writes of its own accord: `10m0s` for `10m`, `1k` for `1000`, and downwards empty
/// `resources`. It keeps `kubelet` and `nodeClassRef` in annotations, as is done here.
fn newer() -> Value {
    json!({
        "template": {
            "metadata": {"labels": {"team": "a"}},
            "spec": {
                "taints": [{"key": "spot", "effect": "NoSchedule"}],
                "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"], "minValues": 1}],
                "nodeClassRef": {"kind": "EC2NodeClass", "name": "default", "group": "karpenter.k8s.aws"},
                "expireAfter": "480h",
            },
        },
        "disruption": {
            "consolidationPolicy": "WhenEmptyOrUnderutilized",
            "consolidateAfter": "0s",
            "budgets": [{"nodes": "20%", "schedule": "@daily", "duration": "10m"}],
        },
        "limits": {"cpu": "1000"},
        "weight": 10,
    })
}

#[test]
fn upwards_it_says_what_karpenter_says() {
    let resource = ResourceType::of::<NodePool>();
    let newest = resource.convert(object("v1beta1", &older()).as_bytes(), "v1").unwrap();
    assert_eq!(spec(&newest.json), newer());
    let back = resource.convert(newest.json.as_bytes(), "v1beta1").unwrap();
    assert_eq!(spec(&back.json), older());
}

/// A new object, in which nothing is kept. Karpenter's code leaves the API version of the class away, here it is what the mapping says.
#[test]
fn downwards_it_says_what_karpenter_says() {
    let resource = ResourceType::of::<NodePool>();
    let oldest = resource.convert(object("v1", &newer()).as_bytes(), "v1beta1").unwrap();
    let mut expected = older();
    let fields = expected["template"]["spec"].as_object_mut().unwrap();
    fields.remove("kubelet").unwrap();
    assert_eq!(spec(&oldest.json), expected);
}

#[test]
fn a_class_and_a_time_that_nobody_said() {
    let resource = ResourceType::of::<NodePool>();
    let mut before = older();
    before["template"]["spec"]["nodeClassRef"] = json!({"name": "default"});
    before["disruption"] = json!({"consolidationPolicy": "WhenEmpty", "expireAfter": "720h", "budgets": [{"nodes": "10%"}]});
    let newest = resource.convert(object("v1beta1", &before).as_bytes(), "v1").unwrap().json;
    let after = spec(&newest);
    assert_eq!(
        after["template"]["spec"]["nodeClassRef"],
        json!({"kind": "EC2NodeClass", "name": "default", "group": "karpenter.k8s.aws"})
    );
    assert_eq!(
        after["disruption"],
        json!({"consolidationPolicy": "WhenEmpty", "consolidateAfter": "Never", "budgets": [{"nodes": "10%"}]})
    );
    let back = resource.convert(newest.as_bytes(), "v1beta1").unwrap();
    assert_eq!(spec(&back.json), before);
}

/// Karpenter's code forgets the time, the reasons of a budget and the grace period.
#[test]
fn what_only_the_newer_version_can_say_comes_back() {
    let resource = ResourceType::of::<NodePool>();
    let mut before = newer();
    before["disruption"]["consolidateAfter"] = "30s".into();
    before["disruption"]["budgets"][0]["reasons"] = json!(["Drifted"]);
    before["template"]["spec"]["terminationGracePeriod"] = "1h".into();
    let oldest = resource.convert(object("v1", &before).as_bytes(), "v1beta1").unwrap().json;
    let back = resource.convert(oldest.as_bytes(), "v1").unwrap();
    assert_eq!(spec(&back.json), before);
}

#[test]
fn the_api_server_takes_its_definition() {
    let options = CrdOptions::new().webhook(Webhook::service("kube-system", "karpenter"));
    let crd = ResourceType::of::<NodePool>().crd(&options).unwrap();
    let report = crd.verify();
    assert!(report.accepts(), "{report}");
}
