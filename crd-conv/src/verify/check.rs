//! The checks, in the API server's order.

use super::{VerificationReport, conversion, document::Document, names, schema, sizes, versions};
use crate::apiserver::place::Place;
use crate::json::Json;

/// Checks a CustomResourceDefinition.
///
/// ```
/// use crd_conv::{schema::Json, verify::verify};
///
/// let report = verify(&Json::from(&serde_json::json!({"kind": "CustomResourceDefinition"})));
/// assert!(!report.accepts());
/// println!("{report}");
/// ```
pub fn verify(document: &Json) -> VerificationReport {
    verify_but(document, &[])
}

/// Does the same without the schemas of some versions.
pub(crate) fn verify_but(json: &Json, skipped: &[usize]) -> VerificationReport {
    read(json, skipped).1
}

/// Also returns what the server reads.
pub(super) fn read<'a>(json: &'a Json, skipped: &[usize]) -> (Document<'a>, VerificationReport) {
    let mut place = Place::default();
    let document = Document::read(json, &mut place);
    names::check(&document, &mut place);
    versions::check(&document, &mut place);
    conversion::check(&document, &mut place);
    schema::check(&document, skipped, &mut place);
    sizes::check(json, &mut place);
    place.report.name.clone_from(&document.metadata.name);
    (document, place.report)
}
