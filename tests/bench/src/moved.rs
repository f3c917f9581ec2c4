//! Three durations that become seconds: in another struct, and in the same one. Shows what the move costs.

use serde_json::{Value, json};

use crate::reviews::request;

macro_rules! resource {
    ($module:ident, { $($mapping:tt)* }, { $($fields:tt)* }, { $($other:tt)* }) => {
        pub mod $module {
            use crd_conv::{Versioned, with::GoDuration};
            use schemars::JsonSchema;
            use serde::{Deserialize, Serialize};

            mod v1 {
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                pub struct Spec {
                    drain: Option<String>,
                    detach: Option<String>,
                    deletion: Option<String>,
                    image: String,
                }
            }

            mod v2 {
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[versioned(from = super::v1::Spec, $($mapping)*)]
                pub struct Spec {
                    $($fields)*
                    image: String,
                }

                $($other)*
            }

            #[derive(Versioned)]
            #[versioned(resource(group = "example.com", plural = "machines", scope = "Namespaced"))]
            pub enum Machine {
                V1 {
                    spec: v1::Spec,
                },
                #[versioned(storage)]
                V2 {
                    spec: v2::Spec,
                },
            }
        }
    };
}

resource!(elsewhere, {
    moved(drain => timeouts.drain, with = GoDuration::SECONDS),
    moved(detach => timeouts.detach, with = GoDuration::SECONDS),
    moved(deletion => timeouts.deletion, with = GoDuration::SECONDS),
}, {
    timeouts: Option<Timeouts>,
}, {
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Timeouts {
        drain: Option<i64>,
        detach: Option<i64>,
        deletion: Option<i64>,
    }
});

resource!(in_place, {}, {
    #[versioned(with = GoDuration::SECONDS)]
    drain: Option<i64>,
    #[versioned(with = GoDuration::SECONDS)]
    detach: Option<i64>,
    #[versioned(with = GoDuration::SECONDS)]
    deletion: Option<i64>,
}, {});

fn object(index: usize) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Machine",
        "metadata": {
            "labels": { "app": "machine", "team": "a" },
            "name": format!("machine-{index}"), "namespace": "default",
            "resourceVersion": (100_000 + index).to_string(),
            "uid": format!("3415a7fc-162b-4300-b5da-{index:012}"),
        },
        "spec": { "deletion": "1m30s", "detach": "300s", "drain": "10m", "image": "registry.example.com/node:v1" },
    })
}

/// A hundred objects whose durations all have to be kept.
#[must_use]
pub fn machines() -> String {
    request("v2", (0..100).map(object))
}

/// Reviews the same objects with the durations in the same place.
#[must_use]
pub fn in_place(request: &[u8]) -> Vec<u8> {
    thread_local! {
        static REVIEWER: crd_conv::Reviewer =
            crd_conv::Reviewer::new([crd_conv::ResourceType::of::<in_place::Machine>()]);
    }
    REVIEWER.with(|reviewer| reviewer.review(request).expect("an answer").body.into_bytes())
}
