//! A resource with every kind of mapping, of the attributes and of the library of converters, over
//! four versions.
//!
//! The schemas restrict strings by patterns, so that converters get what they accept, and what they
//! refuse if there is a `fallback`. Unions, lists, and values that are converted into others with
//! something inside are stanzas of their own, so that enough choices are left for each.

pub mod cargo;
pub mod lists;
pub mod unions;
pub mod v1;
pub mod v1alpha1;
pub mod v1alpha2;
pub mod v1beta1;

use crd_conv::Versioned;

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "atlases", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
pub enum Atlas {
    V1alpha1 {
        spec: v1alpha1::Spec,
        unions: Option<unions::v1alpha1::Unions>,
        lists: Option<lists::v1alpha1::Lists>,
        cargo: Option<cargo::v1alpha1::Cargo>,
    },
    #[versioned(moved(spec.phase => status.phase))]
    V1alpha2 {
        spec: v1alpha2::Spec,
        unions: Option<unions::v1alpha2::Unions>,
        lists: Option<lists::v1alpha2::Lists>,
        cargo: Option<cargo::v1alpha2::Cargo>,
        #[versioned(added)]
        status: Option<v1alpha2::Status>,
    },
    V1beta1 {
        spec: v1beta1::Spec,
        unions: Option<unions::v1beta1::Unions>,
        lists: Option<lists::v1beta1::Lists>,
        cargo: Option<cargo::v1beta1::Cargo>,
        status: Option<v1beta1::Status>,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
        unions: Option<unions::v1::Unions>,
        lists: Option<lists::v1::Lists>,
        cargo: Option<cargo::v1::Cargo>,
        status: Option<v1::Status>,
    },
}
