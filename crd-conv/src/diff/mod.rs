//! Compares a new CustomResourceDefinition with the previous one, and reports what the changes mean
//! for its users.
//!
//! [`diff`] takes two documents of one resource, from any program. For each change, the report says
//! whether it breaks something: clients whose objects will be refused, objects that lose a value,
//! or readers that encounter unknown values.
//!
//! ```
//! use crd_conv::{diff::{Level, diff}, schema::Json};
//!
//! let document = |fields: &str| -> Json {
//!     let text = format!(
//!         r#"{{"metadata": {{"name": "boxes.example.com"}}, "spec": {{"group": "example.com", "versions": [
//!             {{"name": "v1", "served": true, "storage": true, "schema": {{"openAPIV3Schema":
//!                 {{"type": "object", "properties": {{"spec": {{"type": "object", "properties": {fields}}}}}}}}}}}]}}}}"#
//!     );
//!     Json::from(&serde_json::from_str::<serde_json::Value>(&text).unwrap())
//! };
//! let report = diff(
//!     &document(r#"{"size": {"type": "integer", "maximum": 9}, "owner": {"type": "string"}}"#),
//!     &document(r#"{"size": {"type": "integer", "maximum": 99}}"#),
//! );
//! let seen: Vec<_> = report.changes.iter().map(|change| (change.level, change.path.as_str(), change.kind)).collect();
//! assert_eq!(
//!     seen,
//!     [(Level::Breaking, ".spec.owner", "field-removed"), (Level::Safe, ".spec.size", "bound-loosened")],
//! );
//! ```
//!
//! # What is compared
//!
//! - The parts outside of the versions: the scope, the names, which versions exist, which are
//!   served, and which is stored.
//! - Each version that both documents have, with itself. A version is a promise to its users,
//!   whatever other versions there are.
//! - Each served version with the next one, unless the old document has the same difference. A
//!   document doesn't say what a conversion does about the difference. The command `diff` of an
//!   author's program knows the mapping, so that a renamed field isn't reported as lost.
//!
//! # Levels
//!
//! | level | meaning |
//! |---|---|
//! | breaking | The API server refuses what it accepted before, or a value is lost. |
//! | risky | Nothing is refused or lost, but a client may read something unexpected. Or the change can't be judged from the documents. |
//! | safe | Nobody has to do anything. |

mod between;
mod bounds;
pub(crate) mod catalog;
mod change;
mod collect;
mod document;
mod extensions;
mod forms;
#[cfg(any(feature = "cli", test))]
pub(crate) mod page;
mod schema;
mod served;
mod values;

use crate::{apiserver::place::Place, json::Json, verify::document::Document};

#[cfg(feature = "testing")]
use crate::verify::document::Version;
#[cfg(feature = "cli")]
pub(crate) use between::{Mapping, Mappings, refusals};
pub use change::{Acceptance, Change, DiffReport, Level};

/// Compares two documents of one resource, the older one first.
///
/// If they have different names, the report says only that.
pub fn diff(older: &Json, newer: &Json) -> DiffReport {
    diff_knowing(older, newer, &|_, _| None)
}

/// Like [`diff`], with the rules between two neighboring versions if they are known. The older
/// version comes first.
pub(crate) fn diff_knowing(
    older: &Json,
    newer: &Json,
    mappings: &dyn Fn(&str, &str) -> Option<between::Mappings>,
) -> DiffReport {
    let mut changes = collect::Changes::default();
    let [older, newer] = [older, newer].map(read);
    document::document(&older, &newer, &mut changes);
    between::between(&older, &newer, mappings, &mut changes);
    changes.into_report(newer.metadata.name)
}

/// What isn't as the API server wants it is up to [`verify`](crate::verify).
fn read(document: &Json) -> Document<'_> {
    Document::read(document, &mut Place::default())
}

/// The removals in a newer document after which requests get 404, or values are silently dropped.
/// Validation isn't compared, because clients get a message if it refuses a value.
#[cfg(feature = "kube")]
pub(crate) fn taken_away(older: &Json, newer: &Json) -> Vec<Change> {
    const KINDS: [&str; 10] = [
        "conversion-removed",
        "embedded-resource-removed",
        "field-removed",
        "map-removed",
        "preserve-unknown-fields-removed",
        "scale-subresource-removed",
        "selectable-field-removed",
        "status-subresource-removed",
        "version-not-served",
        "version-removed",
    ];
    let mut changes = collect::Changes::default();
    document::document(&read(older), &read(newer), &mut changes);
    let mut changes = changes.found();
    changes.retain(|change| change.level == Level::Breaking && KINDS.contains(&change.kind));
    changes
}

/// The changes in one version of a document.
#[cfg(feature = "testing")]
pub(crate) fn of_version(older: &Json, newer: &Json) -> Vec<Change> {
    let mut changes = collect::Changes::default();
    let [older, newer] = [older, newer].map(|json| Version::read(json, &mut Place::default()));
    document::same_version(&older, &newer, &mut changes);
    changes.into_report(String::new()).changes
}
