//! Versions with the status subresource, of which only some have a status of their own: the values kept for it need a
//! place in the others, wherever the types' fields are.

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The types of a version whose fields are at the object's root, and of one that adds a status.
mod root {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Early {
        spec: Option<Spec>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Early)]
    pub(super) struct Late {
        spec: Option<Spec>,
        #[versioned(added)]
        status: Option<Status>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Late, removed(status))]
    pub(super) struct Last {
        spec: Option<Spec>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        mode: Option<String>,
        #[versioned(default = 1.0)]
        share: Option<f64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Status {
        ready: Option<bool>,
        address: Option<String>,
    }
}

mod added {
    use super::root;

    #[derive(crd_conv::Versioned)]
    #[versioned(resource(group = "example.com", plural = "roots", scope = "Cluster"))]
    pub(super) enum Root {
        #[versioned(status)]
        V1alpha1(root::Early),
        #[versioned(status)]
        V1beta1(root::Early),
        #[versioned(storage, status)]
        V1(root::Late),
    }

    crd_conv::laws!(Root);
}

mod removed {
    use super::root;

    #[derive(crd_conv::Versioned)]
    #[versioned(resource(group = "example.com", plural = "roots", scope = "Cluster"))]
    pub(super) enum Root {
        #[versioned(status)]
        V1beta1(root::Late),
        #[versioned(storage, status)]
        V1(root::Last),
        #[versioned(status)]
        V2(root::Last),
    }

    crd_conv::laws!(Root);
}

mod stanzas {
    use super::root;

    #[derive(crd_conv::Versioned)]
    #[versioned(resource(group = "example.com", plural = "stanzas", scope = "Cluster"))]
    pub(super) enum Stanzas {
        #[versioned(status)]
        V1alpha1 { spec: Option<root::Spec> },
        #[versioned(status)]
        V1beta1 { spec: Option<root::Spec> },
        #[versioned(storage)]
        V1 {
            spec: Option<root::Spec>,
            #[versioned(added)]
            status: Option<root::Status>,
        },
    }

    crd_conv::laws!(Stanzas);
}

mod mixed {
    use super::root;

    #[derive(crd_conv::Versioned)]
    #[versioned(resource(group = "example.com", plural = "mixes", scope = "Cluster"))]
    pub(super) enum Mix {
        #[versioned(status)]
        V1beta1 { spec: Option<root::Spec> },
        #[versioned(status)]
        V1beta2 { spec: Option<root::Spec> },
        #[versioned(storage)]
        V1 {
            spec: Option<root::Spec>,
            #[versioned(added)]
            status: Option<root::Status>,
        },
        #[versioned(status, removed(status))]
        V2 { spec: Option<root::Spec> },
    }

    crd_conv::laws!(Mix);
}

mod open {
    use std::collections::BTreeMap;

    use crd_conv::ResourceType;
    use crd_conv::crd::CrdOptions;

    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Early {
        spec: Option<root::Spec>,
        #[serde(flatten)]
        #[versioned(preserve_unknown_fields)]
        others: BTreeMap<String, serde_json::Value>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Early)]
    pub(super) struct Late {
        spec: Option<root::Spec>,
        #[versioned(added)]
        status: Option<root::Status>,
        #[serde(flatten)]
        #[versioned(preserve_unknown_fields)]
        others: BTreeMap<String, serde_json::Value>,
    }

    #[derive(crd_conv::Versioned)]
    #[versioned(resource(group = "example.com", plural = "roots", scope = "Cluster"))]
    pub(super) enum Root {
        #[versioned(status)]
        V1alpha1(Early),
        #[versioned(status)]
        V1beta1(Early),
        #[versioned(storage, status)]
        V1(Late),
    }

    /// An unknown status can be a text, which has no place for entries.
    #[test]
    fn is_refused() {
        let errors = ResourceType::of::<Root>().crd(&CrdOptions::default()).unwrap_err();
        assert!(errors.to_string().contains("give the type a field `status`"), "{errors}");
    }
}
