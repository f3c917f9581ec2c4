//! Shows what the API server does with an object: pruning, defaulting and validation.
//!
//! [`Validator`] does the same for the versions of a [`ResourceType`](crate::ResourceType), and for any
//! CustomResourceDefinition, including one that another program made. It reports everything at
//! once: the object as the server would store it, the pruned fields, the reasons why the server
//! refuses it, and what wasn't checked.
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
//! The server decodes the object in the body of a request, prunes it, and drops the nulls of fields
//! that aren't nullable. Then it fills in the defaults of the object's version.
//!
//! After that, it validates the object in that version: its metadata, its schema, the replicas of a
//! scale subresource, the resources inside it, and the items of sets and maps. The report has the
//! server's order and words. The exception is an order that the server's own code leaves to chance:
//! that of the keys of an object.
//!
//! # Limitations
//!
//! - CEL rules (`x-kubernetes-validations`), without the feature `cel`. With it, those that aren't known to
//!   mean the same to the evaluator and to the server.
//! - Some addresses of the format `email`, patterns with rare Unicode classes, and bounds beyond 64
//!   bits.
//!
//! If the object contains something that isn't checked, [`ValidationReport::unchecked`] lists the places.
//!
//! Anything that depends on the cluster or on an older object is unknown as well: admission,
//! quotas, and whether the namespace exists. The API server accepts an update with values that were
//! invalid before and haven't changed. Here every object is new. A status stays in the object,
//! although the server drops it when an object with a status subresource is created.

mod report;
#[cfg(test)]
mod tests;
mod validator;

pub use crate::apiserver::cause::Cause;
pub use crate::apiserver::finding::{Kind, Unchecked};
pub use crate::go::refusal::Refusal;
pub use report::ValidationReport;
#[cfg(feature = "cli")]
pub(crate) use validator::Update;
pub use validator::Validator;
