//! `ClusterQueue` of Kueue, `v1beta1` to `v1beta2`, as in its release 0.16: <https://kueue.sigs.k8s.io/docs/reference/kueue.v1beta2/>.
//!
//! | | |
//! |---|---|
//! | rules | 1 renamed, 1 group by a converter, 2 variants that became another, 1 removed |
//! | lines of mapping | 10, and 24 of a converter |
//! | the project's converter | 84 lines by hand, 2,732 generated for all kinds of the group |

pub(crate) mod types;

use crd_conv::{ResourceType, crd::CrdOptions, crd::Webhook};
use serde_json::{Value, json};

use types::ClusterQueue;

crd_conv::laws!(ClusterQueue);

fn object(version: &str, spec: &Value, status: &Value) -> String {
    json!({
        "apiVersion": format!("kueue.x-k8s.io/{version}"),
        "kind": "ClusterQueue",
        "metadata": {"name": "team-a"},
        "spec": spec,
        "status": status,
    })
    .to_string()
}

fn read(object: &str) -> Value {
    serde_json::from_str(object).unwrap()
}

fn older() -> (Value, Value) {
    let group = json!({
        "coveredResources": ["cpu"],
        "flavors": [{"name": "spot", "resources": [{"name": "cpu", "nominalQuota": "9", "borrowingLimit": "1"}]}],
    });
    let spec = json!({
        "resourceGroups": [group],
        "cohort": "research",
        "queueingStrategy": "StrictFIFO",
        "flavorFungibility": {"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"},
        "admissionChecks": ["budget", "quota"],
        "stopPolicy": "None",
    });
    let status = json!({
        "flavorsUsage": [{"name": "spot", "resources": [{"name": "cpu", "total": "3"}]}],
        "pendingWorkloads": 2, "reservingWorkloads": 0, "admittedWorkloads": 1,
        "pendingWorkloadsStatus": {
            "clusterQueuePendingWorkload": [{"name": "job", "namespace": "a"}],
            "lastChangeTime": "2026-01-01T00:00:00Z",
        },
    });
    (spec, status)
}

/// What Kueue's own code makes of it, but for what Go writes of its own accord: `borrowed: "0"` of a quantity that isn't there, and downwards
/// null for lists and pointers.
fn newer() -> (Value, Value) {
    let (mut spec, mut status) = older();
    let fields = spec.as_object_mut().unwrap();
    let cohort = fields.remove("cohort").unwrap();
    fields.insert("cohortName".to_owned(), cohort);
    fields.remove("admissionChecks").unwrap();
    fields.insert(
        "admissionChecksStrategy".to_owned(),
        json!({"admissionChecks": [{"name": "budget"}, {"name": "quota"}]}),
    );
    fields["flavorFungibility"] =
        json!({"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"});
    status.as_object_mut().unwrap().remove("pendingWorkloadsStatus").unwrap();
    (spec, status)
}

#[test]
fn upwards_it_says_what_kueue_says() {
    let resource = ResourceType::of::<ClusterQueue>();
    let (spec, status) = older();
    let converted =
        resource.convert(object("v1beta1", &spec, &status).as_bytes(), "v1beta2").unwrap();
    let converted = read(&converted.json);
    let (spec, status) = newer();
    assert_eq!(converted["spec"], spec);
    let mut found = converted["status"].clone();
    // What the newer version has no room for is kept beside it.
    assert!(found.as_object_mut().unwrap().remove("conversionEntries").is_some());
    assert_eq!(found, status);
}

/// A new object, in which nothing is kept: the checks stay in the field that both versions have.
#[test]
fn downwards_it_says_what_kueue_says() {
    let resource = ResourceType::of::<ClusterQueue>();
    let (spec, status) = newer();
    let converted =
        resource.convert(object("v1beta2", &spec, &status).as_bytes(), "v1beta1").unwrap();
    let mut expected = spec;
    let fields = expected.as_object_mut().unwrap();
    let cohort = fields.remove("cohortName").unwrap();
    fields.insert("cohort".to_owned(), cohort);
    assert_eq!(read(&converted.json)["spec"], expected);
}

/// Where Kueue's converter loses something: checks by name become a strategy, `Borrow` becomes `MayStopSearch`, and the head of the queue
/// is gone.
#[test]
fn and_it_comes_back_as_it_was() {
    let resource = ResourceType::of::<ClusterQueue>();
    let (spec, status) = older();
    let before = object("v1beta1", &spec, &status);
    let there = resource.convert(before.as_bytes(), "v1beta2").unwrap();
    let back = resource.convert(there.json.as_bytes(), "v1beta1").unwrap();
    assert_eq!(read(&back.json), read(&before));
}

#[test]
fn the_api_server_takes_its_definition() {
    let options =
        CrdOptions::new().webhook(Webhook::service("kueue-system", "kueue-webhook-service"));
    let crd = ResourceType::of::<ClusterQueue>().crd(&options).unwrap();
    let report = crd.verify();
    assert!(report.accepts(), "{report}");
}
