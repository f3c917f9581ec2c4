//! What the API server makes of an object: pruning, defaulting and validation.
//!
//! [`Validator`] does it for the versions of a [`Resource`](crate::Resource), and for any CustomResourceDefinition, also one that another
//! program made. It says everything at once: the object as the server would store it, what was pruned, why the server refuses it,
//! and what wasn't checked.
//!
//! ```
//! use crd_conv::{schema::Json, validation::Validator};
//!
//! let document: serde_json::Value = serde_json::from_str(
//!     r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
//!         "metadata": {"name": "boxes.example.com"},
//!         "spec": {"group": "example.com", "names": {"plural": "boxes", "kind": "Box"}, "scope": "Namespaced",
//!                  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
//!                      "type": "object", "required": ["spec"], "properties": {"spec": {"type": "object", "properties": {
//!                          "size": {"type": "integer", "maximum": 9},
//!                          "color": {"type": "string", "default": "red"}}}}}}}]}}"#,
//! )
//! .unwrap();
//! let boxes = Validator::read(&Json::from(&document)).unwrap();
//!
//! let small = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"seize":4}}"#;
//! let report = boxes.validate(small)?;
//! assert!(report.accepts());
//! assert_eq!(report.pruned, ["spec.seize"]);
//! assert!(report.object.ends_with(r#""spec":{"color":"red","size":3}}"#));
//!
//! let large = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":12}}"#;
//! let report = boxes.validate(large)?;
//! assert_eq!(
//!     report.causes[0].to_string(),
//!     "spec.size: Invalid value: 12: spec.size in body should be less than or equal to 9"
//! );
//! # Ok::<(), crd_conv::validation::Refusal>(())
//! ```
//!
//! # What the server does
//!
//! An object in the body of a request is decoded and pruned, loses the nulls of fields that aren't nullable, and gets the
//! defaults of its version. Then it is validated in that version: its metadata, its schema, the replicas of a scale subresource,
//! the resources inside it, and the items of sets and maps. Order and words are the server's, apart from what its own code leaves
//! to chance, the order of the keys of an object.
//!
//! # What isn't checked
//!
//! - Rules of CEL, `x-kubernetes-validations`.
//! - Some addresses of the format `email`, patterns with classes of Unicode that are seldom used, and bounds beyond 64 bits.
//!
//! The places where that matters stand in [`Report::unchecked`].
//!
//! Nor is anything known of what depends on the cluster or on an older object: admission, quotas, whether the namespace is there. The
//! API server excuses an update for values that were wrong before and haven't changed; here every object is new. A status
//! stays, although the server throws it away when an object with a status subresource is created.

mod report;
#[cfg(test)]
mod tests;
mod validator;

pub use crate::apiserver::cause::Cause;
pub use crate::apiserver::finding::{Kind, Unchecked};
pub use crate::apiserver::refusal::Refusal;
pub use report::Report;
pub use validator::Validator;
