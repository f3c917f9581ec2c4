//! Verifies a finished CustomResourceDefinition, in the API server's place.
//!
//! [`verify`] takes any document, also one that another program made, and says everything at once: what the API server
//! refuses when the document is created, what it takes although it goes wrong later, and what wasn't checked.
//!
//! ```
//! use crd_conv::{schema::Json, verify::verify};
//!
//! let document: serde_json::Value = serde_json::from_str(
//!     r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
//!         "metadata": {"name": "boxes.example.com"},
//!         "spec": {"group": "example.com", "names": {"plural": "boxes", "kind": "Box"}, "scope": "Namespaced",
//!                  "versions": [{"name": "v1", "served": true, "storage": true,
//!                                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {}}}}}]}}"#,
//! )
//! .unwrap();
//! let report = verify(&Json::from(&document));
//! assert!(!report.accepts());
//! assert_eq!(
//!     report.violations[0].path,
//!     "spec.versions[0].schema.openAPIV3Schema.properties[spec].type"
//! );
//! ```
//!
//! # Paths
//!
//! A path is the place in the author's document. The API server sometimes names another: if all versions have the same
//! schema, it moves that to `spec.validation` before it checks it. Here it is checked once, in the first version.
//!
//! # What isn't checked
//!
//! - In expressions of CEL: types, functions and the estimated cost, and what rules say of defaults. The syntax is checked,
//!   and so is where `oldSelf` may stand.
//! - Defaults inside metadata, mail addresses in an unusual form, and patterns with classes of Unicode that are seldom used.
//! - Owners and managed fields of the document itself.
//! - What depends on the cluster: an older document of the same name, which may excuse a mistake and forbid a change, and
//!   other resources of the same names.
//!
//! The places where that matters stand in [`Report::unchecked`].

mod around;
mod cel;
mod check;
mod columns;
mod conversion;
mod defaults;
mod document;
mod hints;
mod keywords;
mod lists;
mod names;
mod path;
mod place;
mod props;
mod read;
mod report;
mod rules;
mod schema;
mod served;
mod sizes;
mod structural;
#[cfg(test)]
mod tests;
mod versions;

pub use report::{About, Report, Violation, Warning};

pub use check::verify;
pub(crate) use check::verify_but;
pub(crate) use served::{Served, ServedVersion, served, takes};
