//! A resource whose fields may be large, and objects of it.

use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How many bytes the API server allows an object's annotations.
pub const LIMIT: usize = 262_144;

/// Kept for `v1alpha1`: `owner`, and the tags' colors.
pub mod v1alpha1 {
    use super::{Deserialize, JsonSchema, Serialize, Versioned};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Spec {
        pub title: Option<String>,
        pub owner: Option<String>,
        #[serde(default)]
        #[versioned(list_map_keys(name))]
        pub tags: Vec<Tag>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Tag {
        pub name: String,
        pub color: Option<String>,
    }
}

/// Kept for `v1beta1`: `notes` and `links`, in both of the others.
pub mod v1beta1 {
    use super::{Deserialize, JsonSchema, Serialize, Versioned};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Spec, removed(owner))]
    pub struct Spec {
        pub title: Option<String>,
        #[serde(default)]
        #[versioned(list_map_keys(name))]
        pub tags: Vec<Tag>,
        #[versioned(added)]
        pub notes: Option<String>,
        #[versioned(added)]
        pub links: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Tag, removed(color))]
    pub struct Tag {
        pub name: String,
    }
}

/// Kept for `v1`: `history`.
pub mod v1 {
    use super::{Deserialize, JsonSchema, Serialize, Versioned};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Spec, removed(notes, links))]
    pub struct Spec {
        pub title: Option<String>,
        #[serde(default)]
        #[versioned(list_map_keys(name))]
        pub tags: Vec<Tag>,
        #[versioned(added)]
        pub history: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Tag)]
    pub struct Tag {
        pub name: String,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "pages", scope = "Namespaced"))]
pub enum Page {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    #[versioned(storage)]
    V1beta1 {
        spec: v1beta1::Spec,
    },
    V1 {
        spec: v1::Spec,
    },
}

pub fn resource() -> ResourceType {
    ResourceType::of::<Page>()
}

/// Returns a page with annotations other than the carrier's.
pub fn page(version: &str, annotations: &Value, spec: &Value) -> String {
    let metadata = json!({ "name": "p", "namespace": "default", "annotations": annotations });
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Page",
        "metadata": metadata,
        "spec": spec,
    })
    .to_string()
}

/// Returns a text of this many letters, which can't be packed.
pub fn noise(length: usize) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ length as u64;
    let mut letter = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(LETTERS[usize::from(state.to_le_bytes()[5] & 63)])
    };
    (0..length).map(|_| letter()).collect()
}

/// Returns the annotations of an object.
///
/// # Panics
///
/// Panics if it isn't JSON.
pub fn annotations(object: &str) -> Vec<(String, String)> {
    let object: Value = serde_json::from_str(object).expect("JSON");
    let annotations = object["metadata"]["annotations"].as_object().cloned().unwrap_or_default();
    let text = |value: Value| value.as_str().expect("a text").to_owned();
    annotations.into_iter().map(|(key, value)| (key, text(value))).collect()
}

/// Returns how many bytes the annotations have, as the API server counts them.
pub fn size(object: &str) -> usize {
    annotations(object).iter().map(|(key, value)| key.len() + value.len()).sum()
}
