//! The log's events. They name objects, versions and fields, but never values.
//!
//! A converter's message may quote a value, and serde's messages do. So the log doesn't contain the
//! message that the client gets.

use tracing::{debug, info, warn};

use super::outcome::Outcome;
use crate::{ConversionError, FieldError, Refusal, Reviewed};

/// The largest part of a client's text in one event, in bytes. The longest names in Kubernetes have
/// 253.
const MAX_TEXT: usize = 512;

pub(super) fn log(outcome: &Outcome) {
    match outcome {
        Outcome::Reviewed(reviewed) => match &reviewed.failure {
            Some(failure) => failed(reviewed.refusal.as_ref(), failure),
            None => not_restored(reviewed),
        },
        Outcome::Refused(error) => {
            warn!(reason = cut(&error.to_string()), "can't read the request as a ConversionReview");
        }
        Outcome::Panicked => tracing::error!("a conversion panicked outside of a converter"),
        Outcome::TimedOut => warn!("a conversion took too long"),
        Outcome::Overloaded | Outcome::Draining => {
            debug!(result = outcome.result(), "refused a request for now");
        }
        _ => info!(result = outcome.result(), "refused a request"),
    }
}

fn failed(refusal: Option<&Refusal>, failure: &str) {
    let Some(Refusal { index, error, definition }) = refusal else {
        // The failure concerns the review as a whole.
        return warn!(reason = cut(failure), "a review failed");
    };
    match error {
        ConversionError::Field(error) => {
            let FieldError { kind, object, from, to, field, .. } = &**error;
            let (object, field) = (cut(object), cut(field));
            warn!(
                index,
                kind, object, from, to, field, "an object wasn't converted: its value was refused"
            );
        }
        ConversionError::Oversized(error) => {
            let (kind, from, to, object) = (error.kind, error.from, error.to, cut(&error.object));
            let bytes = error.size();
            warn!(
                index,
                kind,
                object,
                from,
                to,
                bytes,
                "an object wasn't converted: its kept values don't fit into its annotations"
            );
        }
        ConversionError::Refused { object, reason } => {
            let kind = definition.map(|definition| definition.kind);
            let (object, reason) = (cut(object), cut(reason));
            warn!(index, kind, object, reason, "an object wasn't converted");
        }
        ConversionError::Syntax(_) | ConversionError::Value { .. } => {
            warn!(index, "an object wasn't converted: it can't be read");
        }
    }
}

fn not_restored(reviewed: &Reviewed) {
    for (reason, count) in reviewed.unrestored.iter() {
        debug!(%reason, count, "entries weren't restored");
    }
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
