//! Checks a finished CustomResourceDefinition the way the API server does.
//!
//! [`verify`] takes any document, including one that another program made. It reports everything at
//! once: violations that the API server refuses when the document is created, warnings about what
//! it accepts although it fails later, and what wasn't checked.
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
//! A path is the place in the author's document. The API server sometimes names another place: if
//! all versions have the same schema, it moves the schema to `spec.validation` before it checks it.
//! Here the schema is checked once, in the first version.
//!
//! # Limitations
//!
//! - In CEL expressions: types, functions and the estimated cost, and what rules say about
//!   defaults. The syntax is checked, and so is where `oldSelf` is allowed. With the feature `cel`,
//!   types and costs of the most common functions are checked, too.
//! - Defaults inside metadata, email addresses in an unusual form, and patterns with rare Unicode
//!   classes.
//! - Owners and managed fields of the document itself.
//! - Anything that depends on the cluster: an older document of the same name, which may excuse a
//!   mistake or forbid a change, and other resources of the same names.
//!
//! If the document contains something that isn't checked, [`VerificationReport::unchecked`] lists the places.

mod around;
pub(crate) mod cel;
mod check;
mod columns;
mod conversion;
#[cfg(feature = "cel")]
mod costs;
mod defaults;
pub(crate) mod document;
mod hints;
mod keywords;
mod lists;
mod names;
mod rules;
mod schema;
mod served;
mod sizes;
mod structural;
#[cfg(test)]
mod tests;
mod versions;

pub use crate::apiserver::report::{About, VerificationReport, Violation, Warning};

pub use check::verify;
pub(crate) use check::verify_but;
#[cfg(feature = "cel")]
pub use costs::{RuleCost, rule_costs};
pub(crate) use served::{Served, ServedVersion, served};
