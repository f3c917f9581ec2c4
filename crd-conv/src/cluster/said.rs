//! Describes errors of `kube` and what to do about them.

use std::error::Error as _;
use std::fmt::Write as _;

use kube::Error;

/// Describes an error. `kube`'s own text for an API server's answer lists every field of the
/// answer.
pub(crate) fn said(error: &Error) -> String {
    match error {
        Error::Api(status) if status.is_forbidden() => {
            format!("{}; grant that permission with a ClusterRole and a binding", status.message)
        }
        Error::Api(status) if status.message.is_empty() => {
            format!("the API server answers {} {}", status.code, status.reason)
        }
        Error::Api(status) => status.message.clone(),
        Error::TlsRequired => "the connection needs TLS, and `kube` was built without it; enable its features `rustls-tls` and `ring`, or its default features"
            .to_owned(),
        other => {
            let mut text = other.to_string();
            let mut source = other.source();
            while let Some(error) = source {
                let cause = error.to_string();
                // Many errors contain the text of their cause.
                if !text.contains(&cause) {
                    // Writing to a string doesn't fail.
                    let _ = write!(text, ": {cause}");
                }
                source = error.source();
            }
            text
        }
    }
}
