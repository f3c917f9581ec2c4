//! Rust types of every form that serde knows, each as a resource of its own. Shows their schemas,
//! and checks that these agree with the types.
#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "this crate is for the workspace's own tests"
)]

pub mod enums;
pub mod foreign;
pub mod plain;
pub mod refused;
pub mod structs;

use std::marker::PhantomData;

use crd_conv::{
    ResourceType, VersionedResource,
    definition::{Definition, Layout, Scope, Stanza, TypeRef, VersionDefinition},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A type in the zoo.
pub struct Shape {
    /// The name of the file with its schema.
    pub group: &'static str,
    /// The type's name.
    pub name: &'static str,
    /// A resource with the version `v1`. Its `spec.value` has the type.
    pub resource: fn() -> ResourceType,
    /// Values that serde wrote.
    pub samples: Vec<Value>,
    /// Returns what serde writes for the `spec` that it reads.
    pub written: fn(&str) -> Result<Value, serde_json::Error>,
}

/// All types.
pub fn zoo() -> Vec<Shape> {
    let groups = [plain::shapes(), structs::shapes(), enums::shapes(), foreign::shapes()];
    groups.into_iter().flatten().chain(refused::shapes()).collect()
}

/// What has the value.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Spec<T> {
    pub value: T,
}

/// A resource with a value of a type.
pub struct Of<T>(PhantomData<T>);

impl<T: JsonSchema> Of<T> {
    const STANZAS: &'static [Stanza] =
        &[Stanza::new("spec", false, TypeRef::of::<Spec<T>>("Spec"))];
    const VERSIONS: &'static [VersionDefinition] =
        &[VersionDefinition::new("v1", Layout::Stanzas(Self::STANZAS)).storage(true)];
}

impl<T: JsonSchema> VersionedResource for Of<T> {
    const DEFINITION: &'static Definition =
        &Definition::new("zoo.example.com", "Shape", "shapes", Scope::Namespaced, Self::VERSIONS);
}

fn shape<T: JsonSchema + Serialize + DeserializeOwned>(
    group: &'static str,
    name: &'static str,
    samples: Vec<T>,
) -> Shape {
    let written = |sample: T| serde_json::to_value(sample).expect("invalid test case: no JSON");
    Shape {
        group,
        name,
        resource: ResourceType::of::<Of<T>>,
        samples: samples.into_iter().map(written).collect(),
        written: |text| serde_json::to_value(serde_json::from_str::<Spec<T>>(text)?),
    }
}

/// The shapes of a group: each type with some of its values.
macro_rules! shapes {
    ($group:literal: $($ty:ty = [$($sample:expr),* $(,)?];)*) => {
        /// The types here.
        pub fn shapes() -> Vec<super::Shape> {
            vec![$(super::shape::<$ty>($group, stringify!($ty), vec![$($sample),*])),*]
        }
    };
}
use shapes;
