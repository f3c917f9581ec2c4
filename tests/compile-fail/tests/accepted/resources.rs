//! A resource with one version, one whose versions share their types, and two in one module.
#![deny(warnings)]

use crd_conv::{
    __private::{Nested, Rule},
    Versioned, VersionedResource,
    definition::{Layout, Scope},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Spec {
    pub host: String,
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    pub ready: bool,
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    kind = "Single",
    plural = "singles",
    scope = "Cluster"
))]
enum One {
    #[versioned(storage)]
    V1alpha1(Spec),
}

#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "queues",
    singular = "queue",
    list_kind = "Queues",
    short_name = "q",
    short_name = "qu",
    category = "all",
    scope = "Namespaced",
))]
pub(crate) enum Queue {
    #[versioned(storage, served = false, status = false, deprecated)]
    V1alpha1 {
        spec: Spec,
        status: Option<Status>,
        old_name: Option<Spec>,
    },
    V1beta1 {
        spec: Spec,
        status: Option<Status>,
        old_name: Option<Spec>,
    },
    #[versioned(removed(old_name))]
    V1 {
        spec: Spec,
        status: Option<Status>,
    },
}

#[test]
fn their_definitions() {
    let one = One::DEFINITION;
    assert_eq!((one.kind, one.scope), ("Single", Scope::Cluster));
    assert_eq!(one.versions[0].name, "v1alpha1");
    assert!(matches!(one.versions[0].layout, Layout::Root(ty) if ty.name == "Spec"));
    assert!(one.versions[0].plan.is_none());

    let queue = Queue::DEFINITION;
    assert_eq!(queue.short_names, ["q", "qu"]);
    let [alpha, beta, v1] = queue.versions else { panic!("three versions") };
    assert!(!alpha.served && !alpha.status && alpha.deprecated && beta.status);
    let Layout::Stanzas([spec, _, old]) = alpha.layout else { panic!("stanzas") };
    assert_eq!((spec.wire, spec.optional), ("spec", false));
    assert_eq!((old.wire, old.optional, old.ty.name), ("oldName", true, "Spec"));
    assert!(beta.plan.expect("a hop")().is_none(), "nothing changes");
    let Some(Nested::Struct(plan)) = v1.plan.expect("a hop")() else { panic!("a stanza is gone") };
    assert_eq!((plan.older, plan.newer), ("Queue::V1beta1", "Queue::V1"));
    assert!(matches!(plan.rules, [.., Rule::Removed { older, .. }] if older.wire == "oldName"));
}
