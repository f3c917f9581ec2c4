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

mod cause;
pub(crate) mod decoding;
pub(crate) mod formats;
mod lists;
pub(crate) mod metadata;
pub(crate) mod node;
mod number;
mod object_meta;
pub(crate) mod path;
pub(crate) mod pattern;
mod report;
mod rules;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod validator;
mod value;

pub use crate::verify::{Kind, Unchecked};
pub use cause::Cause;
pub use decoding::Refusal;
pub use report::Report;
pub use validator::Validator;

pub(crate) use cause::Findings;
pub(crate) use value::{Role, validate};
#[cfg(feature = "testing")]
pub(crate) use {validator::find, value::fits};

use crate::schema::Json;
use node::Node;
use path::Path;

/// The paths of the fields in a value that pruning takes away.
pub(crate) fn unknown_fields<S: Node>(value: &Json, schema: &S, is_root: bool) -> Vec<String> {
    steps::prune(&mut value.clone(), schema, is_root)
}

/// A value without them.
pub(crate) fn unknown_fields_taken_out<S: Node>(
    mut value: Json,
    schema: &S,
    is_root: bool,
) -> Json {
    steps::prune(&mut value, schema, is_root);
    value
}

/// What is wrong with the resources in a value.
pub(crate) fn resources<S: Node>(value: &Json, schema: &S, is_root: bool) -> Findings {
    let mut found = Findings::default();
    let mut read = value.clone();
    if let Err(refusal) = metadata::coerce(&mut read, schema, &Path::Root, &mut Vec::new()) {
        found.invalid(&Path::Root, value, refusal.to_string());
        return found;
    }
    if let (true, Json::Object(members)) = (is_root && !schema.is_embedded(), &read) {
        object_meta::resource(&Path::Root, members, &mut found);
    }
    object_meta::embedded(&Path::Root, &read, schema, &mut found);
    found
}

/// What is wrong with the `apiVersion` or the `kind` of a resource.
pub(crate) fn resource_field(name: &str, value: &Json) -> Findings {
    let mut found = Findings::default();
    object_meta::resource_field(&Path::Root, name, value, &mut found);
    found
}

/// Lists the rules of CEL that are about a value or something in it.
pub(crate) fn rules<S: Node>(value: &Json, schema: &S, found: &mut Findings) {
    rules::pass_over(&Path::Root, value, schema, found);
}
