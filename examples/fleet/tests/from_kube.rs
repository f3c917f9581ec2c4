//! What `diff` says if kube wrote the CustomResourceDefinition, and this library writes it for the same types.

use std::collections::BTreeMap;

use crd_conv::{
    ResourceType,
    crd::CrdOptions,
    diff::{Level, diff},
    schema::Json,
};
use kube::CustomResourceExt;
use serde_json::Value;

/// What an operator's first version is made of.
mod types {
    use super::BTreeMap;
    use k8s_openapi::api::core::v1::{Affinity, Container, ResourceRequirements, Toleration};
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector, Time};
    use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(
        CustomResource, crd_conv::Versioned, Serialize, Deserialize, Clone, Debug, JsonSchema,
    )]
    #[kube(group = "example.com", version = "v1", kind = "Made", plural = "mades", namespaced)]
    #[kube(status = "Status")]
    pub struct Spec {
        pub image: String,
        pub tag: Option<String>,
        pub replicas: i32,
        pub size: Option<i64>,
        pub port: Option<u16>,
        pub limit: u32,
        pub weight: Option<u8>,
        pub share: Option<f64>,
        pub paused: Option<bool>,
        pub policy: Policy,
        pub fallback: Option<Policy>,
        pub policies: Option<Vec<Policy>>,
        pub by_zone: Option<BTreeMap<String, Policy>>,
        #[serde(default)]
        pub labels: BTreeMap<String, String>,
        pub overrides: BTreeMap<String, Option<String>>,
        pub steps: Vec<Option<i32>>,
        pub inner: Option<Inner>,
        pub inners: Vec<Inner>,
        pub source: Option<Source>,
        pub at: Option<IntOrString>,
        pub since: Option<Time>,
        pub selector: Option<LabelSelector>,
        pub resources: Option<ResourceRequirements>,
        pub tolerations: Option<Vec<Toleration>>,
        pub affinity: Option<Affinity>,
        pub sidecars: Vec<Container>,
    }

    #[derive(crd_conv::Versioned, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub enum Policy {
        Always,
        Never,
    }

    #[derive(crd_conv::Versioned, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub struct Inner {
        pub name: Option<String>,
        pub policy: Option<Policy>,
        pub inner: Option<Innermost>,
    }

    #[derive(crd_conv::Versioned, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub struct Innermost {
        pub flag: Option<bool>,
        pub list: Option<Vec<String>>,
    }

    #[derive(crd_conv::Versioned, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum Source {
        Git { url: String, branch: Option<String> },
        Http { url: String },
    }

    #[derive(crd_conv::Versioned, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    pub struct Status {
        pub phase: Option<Policy>,
        pub ready: Option<i32>,
        pub conditions: Option<Vec<Condition>>,
    }
}

mod ours {
    use super::types::{Spec, Status};

    #[derive(crd_conv::Versioned)]
    #[versioned(resource(group = "example.com", plural = "mades", scope = "Namespaced"))]
    pub enum Made {
        #[versioned(storage)]
        V1 { spec: Spec, status: Option<Status> },
    }
}

fn changes(old: &Value, new: &Value) -> Vec<(Level, String, &'static str)> {
    let report = diff(&Json::from(old), &Json::from(new));
    println!("{report}");
    let changes = report.changes.into_iter();
    changes.map(|change| (change.level, change.path, change.kind)).collect()
}

#[test]
fn the_same_types_break_nobody() {
    let ours = ResourceType::of::<ours::Made>().crd(&CrdOptions::new()).expect("a CRD");
    let ours = serde_json::to_value(&ours).expect("JSON");
    let theirs = serde_json::to_value(types::Made::crd()).expect("JSON");
    let owned = |(level, path, kind): (_, &str, _)| (level, path.to_owned(), kind);

    let divisor = ".spec.sidecars[].env[].valueFrom.resourceFieldRef.divisor";
    let expected = [
        // To kube a `u32` has no greatest number.
        (Level::Risky, ".spec.limit", "bound-tightened"),
        (Level::Safe, divisor, "nullable-removed"),
        (Level::Safe, ".status", "nullable-removed"),
        // What conversions of later releases keep there isn't pruned after a rollback.
        (Level::Safe, ".status.conversionEntries", "field-added"),
    ];
    assert_eq!(changes(&theirs, &ours), expected.map(owned));

    let expected = [
        // The API server drops a null there, and refuses it with kube's `nullable`.
        (Level::Breaking, ".spec.fallback", "nullable-added"),
        (Level::Breaking, ".spec.inner.policy", "nullable-added"),
        (Level::Breaking, ".spec.inners[].policy", "nullable-added"),
        (Level::Breaking, ".status.conversionEntries", "field-removed"),
        (Level::Breaking, ".status.phase", "nullable-added"),
        (Level::Risky, divisor, "nullable-added"),
        (Level::Safe, ".spec.limit", "bound-loosened"),
        (Level::Risky, ".status", "nullable-added"),
    ];
    let mut expected = expected.map(owned).to_vec();
    expected.sort_by_key(|(level, ..)| std::cmp::Reverse(*level));
    assert_eq!(changes(&ours, &theirs), expected);
}
