//! A resource with enums that hold data, one in each of serde's representations. None of them
//! contains itself.

use crd_conv::Versioned;

pub mod v1alpha1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Spec {
        pub source: Source,
        pub steps: Vec<Step>,
        pub after: Option<Event>,
        pub values: BTreeMap<String, Value>,
    }

    /// Where it comes from.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub enum Source {
        /// From nowhere.
        Empty,
        Stdin,
        Git {
            url: String,
            branch: Option<String>,
        },
        File(File),
        Legacy(String),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct File {
        pub path: String,
        pub owner: Option<String>,
        #[versioned(list_type = "set")]
        pub labels: Vec<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type", rename_all = "camelCase")]
    pub enum Step {
        Sort,
        Cut { from: i64, to: Option<i64> },
        Save(File),
        Lost { reason: String },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "t", content = "c")]
    pub enum Event {
        Nothing,
        Print(String),
        Retry { times: i64, pause: Option<String> },
        All(Vec<Step>),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub enum Value {
        Text(String),
        Size(i64),
        Flag(bool),
        List(Vec<File>),
        Body { name: Option<String>, file: Option<File> },
    }
}

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::Spec)]
    pub struct Spec {
        pub source: Source,
        #[versioned(renamed_from = steps)]
        pub stages: Vec<Step>,
        pub after: Option<Event>,
        pub values: BTreeMap<String, Value>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Source, removed(Legacy = Empty))]
    pub enum Source {
        Empty,
        #[versioned(renamed_from = Stdin)]
        Input,
        #[versioned(removed(branch))]
        Git {
            #[versioned(renamed_from = url)]
            remote: String,
            #[versioned(added)]
            depth: Option<i64>,
        },
        File(File),
        #[versioned(added(shown_as = Empty))]
        Http {
            url: String,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::File, removed(owner))]
    pub struct File {
        #[versioned(renamed_from = path)]
        pub at: String,
        #[versioned(list_type = "set")]
        pub labels: Vec<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::Step, removed(Lost = Sort))]
    pub enum Step {
        Sort,
        Cut {
            from: i64,
            to: Option<i64>,
        },
        #[versioned(renamed_from = Save)]
        Keep(File),
        #[versioned(added(shown_as = Sort))]
        Shuffle {
            seed: i64,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "event", content = "data")]
    #[versioned(from = super::v1alpha1::Event)]
    pub enum Event {
        Nothing,
        Print(String),
        #[versioned(removed(pause))]
        Retry {
            times: i64,
            #[serde(default)]
            #[versioned(added)]
            forever: bool,
        },
        All(Vec<Step>),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[versioned(from = super::v1alpha1::Value, removed(Flag = Body))]
    pub enum Value {
        Text(String),
        Size(i64),
        List(Vec<File>),
        Body {
            #[versioned(renamed_from = name)]
            title: Option<String>,
            file: Option<File>,
        },
    }
}

/// The versions.
#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "pipes", scope = "Namespaced"))]
pub enum Pipe {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    #[versioned(storage)]
    V1beta1 {
        spec: v1beta1::Spec,
    },
}
