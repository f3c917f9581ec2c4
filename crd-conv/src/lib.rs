//! Lossless conversions between the versions of a Kubernetes custom resource.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
#[cfg(feature = "cli")]
pub mod cli;
mod complement;
mod converter;
#[cfg(feature = "schema")]
pub mod crd;
mod definition;
mod engine;
mod error;
mod json;
mod object;
mod plan;
mod resource;
mod review;
#[cfg(feature = "schema")]
pub mod schema;
mod version;
#[cfg(feature = "yaml")]
pub mod yaml;

pub use complement::{Loss, Losses};
pub use converter::{ConvertError, Converter};
#[cfg(feature = "derive")]
pub use crd_conv_derive::Versioned;
pub use definition::{
    Definition, Layout, PrinterColumn, Scale, Scope, Stanza, TypeRef, VersionDefinition,
    VersionedResource,
};
pub use error::{ConversionError, FieldError};
pub use plan::{Field, Rule, StructPlan};
pub use resource::{Converted, Resource};
pub use review::{ReviewError, Reviewed, Reviewer};
pub use version::{Stability, Version};
