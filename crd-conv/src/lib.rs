//! Lossless conversions between the versions of a Kubernetes custom resource.
//!
//! Write one struct for each API version, and derive [`Versioned`](derive@Versioned) on it. The newer
//! struct declares, field by field, how it differs from the older one. A conversion keeps what the
//! other version can't express, and restores it on the way back.
//!
//! ```
//! use crd_conv::{ResourceType, Versioned};
//!
//! mod v1 {
//!     # use {crd_conv::Versioned, schemars::JsonSchema, serde::{Deserialize, Serialize}};
//!     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
//!     pub struct BoxSpec { pub size: i64, pub owner: Option<String> }
//! }
//!
//! mod v2 {
//!     # use {crd_conv::Versioned, schemars::JsonSchema, serde::{Deserialize, Serialize}};
//!     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
//!     #[versioned(from = super::v1::BoxSpec, removed(owner))]
//!     pub struct BoxSpec { #[versioned(renamed_from = size)] pub replicas: i64 }
//! }
//!
//! #[derive(Versioned)]
//! #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
//! enum Box { V1 { spec: v1::BoxSpec }, #[versioned(storage)] V2 { spec: v2::BoxSpec } }
//!
//! fn main() -> Result<(), crd_conv::ConversionError> {
//!     let boxes = ResourceType::of::<Box>();
//!     let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"owner":"ada","size":3}}"#;
//!     let new = boxes.convert(old.as_bytes(), "v2")?.json;
//!     assert!(new.contains(r#""spec":{"replicas":3}"#));
//!     assert!(new.contains("conversion.example.com/v1.spec.owner"));
//!     // What `v2` has no room for comes back; only the order of the keys may differ.
//!     let back = boxes.convert(new.as_bytes(), "v1")?.json;
//!     assert_eq!(back, r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#);
//!     Ok(())
//! }
//! ```
//!
//! | Task | Item |
//! |---|---|
//! | Map one version onto the next | [`Versioned`](derive@Versioned), [`Converter`], and the converters in [`with`] |
//! | Convert objects | [`ResourceType`] |
//! | Convert Rust values | [`upgrade`] and [`downgrade`] |
//! | Answer the API server | [`server`], or [`Reviewer`] from request bytes to response bytes |
//! | Run everything from the command line | [`cli`] |
//! | Make and install the CustomResourceDefinition | [`crd`], with its [`schema`]s, and [`cluster`] |
//! | Test a mapping | [`laws!`] and [`testing`] |
//! | Check a CustomResourceDefinition the way the API server does | [`verify`](mod@verify) |
//! | Check an object the way the API server does | [`validation`] |
//! | Compare two releases of a CustomResourceDefinition | [`diff`](mod@diff) |
//! | Write the types of an existing CustomResourceDefinition | [`import`](mod@import) |
//! | Remove versions from a cluster | [`migrate`] |
//! | Inspect names, versions and types | [`definition`] |
//! | Translate YAML to JSON and back | [`yaml`] |
//!
//! The [`guide`] is for users and operators of a converted resource.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "cli"),
    allow(rustdoc::broken_intra_doc_links, reason = "they point to features")
)]

// A module imports only modules that come earlier in this list:
//
// - `json`, `yaml`: texts. `go`: what Go reads in them. `version`: names of versions.
// - `error`. `object`: what an object says about itself.
// - `converter`: what authors write.
// - `plan`: how versions map onto each other, as data.
// - `definition`: a resource as its author declares it.
// - `versioned`: the traits that the derive implements.
// - `with`: ready-made converters. `private`: what the derive's code calls.
// - `complement`: the format of the annotations.
// - `outline`: what conversions know about a type without the derive.
// - `apiserver`: what the API server does with values. `schema`: schemas of Rust types.
// - `engine`: executes plans.
// - `explanation`: what becomes of each field.
// - `folders`, `table`: files and text for programs.
// - `resource`, `review`, `typed`: the API for conversions. `entries`: a field for authors' types.
// - `verify`, `diff`, `crd`, `validation`, `testing`. `import`: types from documents.
// - `certificate`, `cluster`, `migrate`, `server`.
// - `cli`.
#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
#[cfg(feature = "schema")]
mod apiserver;
#[cfg(feature = "server")]
mod certificate;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "kube")]
pub mod cluster;
mod complement;
mod converter;
#[cfg(feature = "schema")]
pub mod crd;
pub mod definition;
#[cfg(feature = "schema")]
pub mod diff;
mod engine;
mod entries;
mod error;
#[cfg(feature = "schema")]
pub mod explanation;
#[cfg(any(feature = "cli", feature = "testing"))]
mod folders;
mod go;
pub mod guide;
#[cfg(feature = "import")]
pub mod import;
mod json;
#[cfg(feature = "migrate")]
pub mod migrate;
mod object;
mod outline;
mod plan;
mod resource;
mod review;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "server")]
pub mod server;
#[cfg(any(feature = "cli", feature = "testing"))]
mod table;
#[cfg(feature = "testing")]
pub mod testing;
mod typed;
#[cfg(feature = "schema")]
pub mod validation;
#[cfg(feature = "schema")]
pub mod verify;
mod version;
mod versioned;
pub mod with;
#[cfg(feature = "yaml")]
pub mod yaml;

pub use complement::{Unrestored, UnrestoredReason};
pub use converter::{ConvertError, Converter};
#[cfg(feature = "derive")]
pub use crd_conv_derive::Versioned;
pub use entries::ConversionEntries;
pub use error::{ConversionError, FieldError, OversizedError};
pub use resource::{Converted, ResourceType};
pub use review::{Refusal, ReviewError, ReviewErrorKind, Reviewed, Reviewer, Share};
pub use typed::{
    Complement, NewerThan, OlderThan, Typed, downgrade, downgrade_with, upgrade, upgrade_with,
};
pub use version::{Stability, Version};
pub use versioned::{UpgradeFrom, VersionedResource};

/// Compiles the example in the README.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../../README.md")]
struct Readme;
