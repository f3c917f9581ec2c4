//! Enums with data, in each of serde's representations, and values that are converted to or from
//! such an enum.

pub mod v1alpha1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Unions {
        pub source: Option<Source>,
        #[serde(default)]
        pub steps: Vec<Step>,
        pub after: Option<Event>,
        #[serde(default)]
        pub values: BTreeMap<String, Value>,

        pub git: Option<Held>,
        pub oci: Option<Held>,
        pub s3: Option<Held>,
        pub gs: Option<Held>,
        #[schemars(regex(pattern = "^(Secret|ConfigMap)$"))]
        pub kind: String,
        pub name: String,
        pub place: Option<Place>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum Source {
        Empty,
        Stdin,
        Git { url: String, branch: Option<String> },
        File(File),
        Legacy(String),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct File {
        pub path: String,
        pub owner: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type", rename_all = "camelCase")]
    pub enum Step {
        Sort,
        Cut {
            from: i64,
            to: Option<i64>,
        },
        Save(File),
        Lost {
            reason: String,
        },
        Wait {
            #[schemars(regex(pattern = "^[0-9]{1,3}(ms|s)$"))]
            time: String,
        },
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

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Held {
        pub url: String,
        pub depth: Option<i64>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum Place {
        Host(Held),
        Zone(Held),
    }
}

pub mod v1alpha2 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    pub use super::v1alpha1::{Held, Place};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Unions)]
    pub struct Unions {
        pub source: Option<Source>,
        #[serde(default)]
        pub steps: Vec<Step>,
        pub after: Option<Event>,
        #[serde(default)]
        pub values: BTreeMap<String, Value>,

        pub git: Option<Held>,
        pub oci: Option<Held>,
        pub s3: Option<Held>,
        pub gs: Option<Held>,
        #[schemars(regex(pattern = "^(Secret|ConfigMap)$"))]
        pub kind: String,
        pub name: String,
        pub place: Option<Place>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
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
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type", rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::Step)]
    pub enum Step {
        Sort,
        Cut {
            from: i64,
            to: Option<i64>,
        },
        Save(File),
        Lost {
            reason: String,
        },
        Wait {
            #[schemars(regex(pattern = "^[0-9]{1,3}(ms|s)$"))]
            time: String,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "t", content = "c")]
    #[versioned(from = super::v1alpha1::Event)]
    pub enum Event {
        Nothing,
        Print(String),
        Retry { times: i64, pause: Option<String> },
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

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::{
        Versioned,
        with::{ByKind, GoDuration, OneOf},
    };
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    pub use super::v1alpha2::{File, Held, Place, Source, Value};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1alpha2::Unions,
        map((git, oci) <=> origin, with = OneOf::new(["git", "oci"]), fallback(upgrade = _)),
        map((s3, gs) <=> store, with = OneOf::new(["S3", "Gs"]).tag("type"), fallback(upgrade = _)),
        map((kind, name) <=> reference, with = ByKind(&[("Secret", "secret"), ("ConfigMap", "config")])),
    )]
    pub struct Unions {
        pub source: Option<Source>,
        #[serde(default)]
        #[versioned(renamed_from = steps)]
        pub stages: Vec<Step>,
        pub after: Option<Event>,
        #[serde(default)]
        pub values: BTreeMap<String, Value>,

        pub origin: Option<Origin>,
        pub store: Option<Store>,
        pub reference: Reference,
        pub place: Option<Place>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "camelCase")]
    #[versioned(from = super::v1alpha2::Step, removed(Lost = Sort))]
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
        Wait {
            #[versioned(renamed_from = time, with = GoDuration::SECONDS)]
            #[schemars(range(min = 0, max = 1000))]
            seconds: i64,
        },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "event", content = "data")]
    #[versioned(from = super::v1alpha2::Event)]
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

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum Origin {
        Git(Held),
        Oci(Held),
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    pub enum Store {
        S3(Held),
        Gs(Held),
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum Reference {
        Secret(String),
        Config(String),
    }
}

pub mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::{
        Versioned,
        with::{Inverse, OneOf},
    };
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    pub use super::v1beta1::{Event, File, Held, Origin, Reference, Step, Store};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::Unions,
        map(place <=> (host, zone), with = Inverse(OneOf::new(["host", "zone"])), fallback(downgrade = _)),
    )]
    pub struct Unions {
        pub source: Option<Source>,
        #[serde(default)]
        pub stages: Vec<Step>,
        pub after: Option<Event>,
        #[serde(default)]
        #[versioned(renamed_from = values)]
        pub settings: BTreeMap<String, Value>,

        pub origin: Option<Origin>,
        pub store: Option<Store>,
        pub reference: Reference,
        pub host: Option<Held>,
        pub zone: Option<Held>,
    }

    /// What was removed before is there again.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1alpha2::Source)]
    pub enum Source {
        Empty,
        Input,
        Git {
            remote: String,
            depth: Option<i64>,
            #[versioned(added)]
            branch: Option<String>,
        },
        File(File),
        #[versioned(renamed_from = Http)]
        Web {
            url: String,
        },
        #[versioned(added(shown_as = Empty))]
        Legacy(String),
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[versioned(from = super::v1alpha2::Value)]
    pub enum Value {
        Text(String),
        Size(i64),
        #[versioned(added(shown_as = Body))]
        Flag(bool),
        List(Vec<File>),
        #[versioned(removed(file))]
        Body {
            title: Option<String>,
        },
    }
}
