//! The span of a review.

use std::fmt;
use std::sync::Arc;

use http::request::Parts;
use tracing::{Span, info_span};

/// Makes the span of a review from the head of its request.
#[derive(Clone)]
pub(super) struct MakeSpan(Arc<dyn Fn(&Parts) -> Span + Send + Sync>);

impl MakeSpan {
    pub(super) fn new(make: impl Fn(&Parts) -> Span + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(super) fn of(&self, head: &Parts) -> Span {
        (self.0)(head)
    }
}

impl Default for MakeSpan {
    /// A request that belongs to no trace has no span, and costs nothing.
    fn default() -> Self {
        Self::new(|head| match trace_id(head) {
            Some(trace_id) => info_span!(target: "crd_conv::server", "review", trace_id),
            None => Span::none(),
        })
    }
}

impl fmt::Debug for MakeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MakeSpan")
    }
}

/// The trace that a request belongs to.
///
/// Source: <https://www.w3.org/TR/trace-context/#traceparent-header>
fn trace_id(head: &Parts) -> Option<&str> {
    let is_hex = |part: &str, len| {
        part.len() == len && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_id = |part: &str, len| is_hex(part, len) && part.bytes().any(|byte| byte != b'0');
    let mut parts = head.headers.get("traceparent")?.to_str().ok()?.split('-');
    let mut part = || parts.next();
    let (version, trace, parent, flags) = (part()?, part()?, part()?, part()?);
    // Later versions may have more parts.
    let ends = version != "00" || parts.next().is_none();
    let is_valid = is_hex(version, 2) && version != "ff" && is_id(parent, 16) && is_hex(flags, 2);
    (ends && is_valid && is_id(trace, 32)).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_headers_name_a_trace() {
        const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
        let found = |header: &str| {
            let request = http::Request::builder().header("traceparent", header).body(());
            trace_id(&request.expect("a request").into_parts().0).map(str::to_owned)
        };
        for header in ["00-{}-00f067aa0ba902b7-01", "01-{}-00f067aa0ba902b7-01-later"] {
            assert_eq!(found(&header.replace("{}", TRACE)).as_deref(), Some(TRACE), "{header}");
        }
        for header in [
            "",
            "00-{}-00f067aa0ba902b7",
            "00-{}-00f067aa0ba902b7-01-later",
            "ff-{}-00f067aa0ba902b7-01",
            "00-{}-0000000000000000-01",
            "00-{}0-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(found(&header.replace("{}", TRACE)), None, "{header}");
        }
    }
}
