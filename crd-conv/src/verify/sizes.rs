//! How large a document may be.

use super::{names::ANNOTATIONS, place::Place, report::About};
use crate::json::Json;

/// What etcd takes in one request, unless it is told otherwise, without room for its own bytes.
const STORED: usize = 1_500_000;
/// What the API server takes in one request.
const REQUEST: usize = 3 << 20;

pub(super) fn check(json: &Json, place: &mut Place) {
    let size = json.to_string().len();
    let problem = if size > REQUEST {
        "the API server takes no request of more than 3 MiB"
    } else if size > STORED {
        "etcd takes no more than 1.5 MiB unless it is told otherwise"
    } else if size > ANNOTATIONS {
        "`kubectl apply` would write all of it into an annotation, and 256 KiB are the most there; use `kubectl apply --server-side`, `create` or `replace`"
    } else {
        return;
    };
    place.warn_at(
        "spec",
        About::Size,
        format!("the document has {size} bytes, but {problem}; take long descriptions away"),
    );
}
