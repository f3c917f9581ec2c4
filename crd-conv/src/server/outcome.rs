//! The outcome of a request, and its HTTP response.

use axum::body::Body;
use http::header::{ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};
use serde_json::json;

use super::body::Unread;
use crate::{ReviewError, ReviewErrorKind, Reviewed};

/// The outcome of a request.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The review was answered, perhaps as failed.
    Reviewed(Reviewed),
    /// The request can't be answered with a review.
    Refused(ReviewError),
    Method,
    MediaType,
    Unread(Unread),
    /// The body didn't arrive in time.
    TooSlow,
    Overloaded,
    Draining,
    /// The conversion took too long.
    TimedOut,
    /// This crate's code panicked. Panics in authors' code are caught earlier.
    Panicked,
}

impl From<Result<Reviewed, ReviewError>> for Outcome {
    fn from(answer: Result<Reviewed, ReviewError>) -> Self {
        match answer {
            Ok(reviewed) => Self::Reviewed(reviewed),
            Err(error) => Self::Refused(error),
        }
    }
}

impl Outcome {
    /// The value of the label `result`. There are few such values.
    pub(super) fn result(&self) -> &'static str {
        match self {
            Self::Reviewed(Reviewed { failure: None, .. }) => "converted",
            Self::Reviewed(_) => "failed",
            Self::Refused(error) => match error.kind() {
                ReviewErrorKind::Malformed => "malformed",
                ReviewErrorKind::OtherKind => "other_kind",
                ReviewErrorKind::UnknownVersion => "unknown_version",
            },
            Self::Method => "method",
            Self::MediaType => "media_type",
            Self::Unread(Unread::TooLarge) => "too_large",
            Self::Unread(Unread::BrokenOff) => "broken_off",
            Self::TooSlow => "too_slow",
            Self::Overloaded | Self::Unread(Unread::NoRoom) => "overloaded",
            Self::Draining => "draining",
            Self::TimedOut => "timed_out",
            Self::Panicked => "panicked",
        }
    }

    pub(super) const RESULTS: [&'static str; 14] = [
        "converted",
        "failed",
        "malformed",
        "other_kind",
        "unknown_version",
        "method",
        "media_type",
        "too_large",
        "broken_off",
        "too_slow",
        "overloaded",
        "draining",
        "timed_out",
        "panicked",
    ];

    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::Reviewed(_) => StatusCode::OK,
            Self::Refused(error) => match error.kind() {
                ReviewErrorKind::Malformed => StatusCode::BAD_REQUEST,
                ReviewErrorKind::OtherKind | ReviewErrorKind::UnknownVersion => {
                    StatusCode::UNPROCESSABLE_ENTITY
                }
            },
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Unread(Unread::TooLarge) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unread(Unread::BrokenOff) => StatusCode::BAD_REQUEST,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Overloaded | Self::Unread(Unread::NoRoom) => StatusCode::TOO_MANY_REQUESTS,
            Self::Draining => StatusCode::SERVICE_UNAVAILABLE,
            Self::TimedOut => StatusCode::GATEWAY_TIMEOUT,
            Self::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Whether the API server should retry.
    ///
    /// It retries up to ten times, for 429 and for 500 to 599 with `Retry-After`.
    ///
    /// Source: `IsRetryableError` and `retryAfter` of `k8s.io/client-go/rest`.
    fn is_for_now(&self) -> bool {
        matches!(self, Self::Overloaded | Self::Unread(Unread::NoRoom) | Self::Draining)
    }

    /// Whether the rest of a request may still be on its way. If so, the connection can't be
    /// reused.
    fn is_cut_short(&self) -> bool {
        matches!(self, Self::TooSlow | Self::Unread(_))
    }

    /// One sentence for the client.
    fn message(&self) -> String {
        match self {
            Self::Reviewed(_) => String::new(),
            Self::Refused(error) => error.to_string(),
            Self::Method => "the method isn't POST: send a ConversionReview with POST".to_owned(),
            Self::MediaType => {
                "the request isn't `application/json`, or has a content coding: send a ConversionReview as plain `application/json`".to_owned()
            }
            Self::Unread(Unread::TooLarge) => "the request is too large".to_owned(),
            Self::Unread(Unread::BrokenOff) => "the request is incomplete".to_owned(),
            Self::TooSlow => "the request didn't arrive in time".to_owned(),
            Self::Overloaded | Self::Unread(Unread::NoRoom) => {
                "too many requests are under way".to_owned()
            }
            Self::Draining => "this server is shutting down".to_owned(),
            Self::TimedOut => "the conversion took too long".to_owned(),
            Self::Panicked => "the conversion panicked".to_owned(),
        }
    }

    /// Makes the response. If `leaving`, it asks the client to close the connection.
    pub(super) fn respond(self, leaving: bool) -> Response<Body> {
        let leaving = leaving || self.is_cut_short();
        let (status, retry) = (self.status(), self.is_for_now());
        let is_method = matches!(self, Self::Method);
        let body = match self {
            Self::Reviewed(reviewed) => Body::from(reviewed.body),
            other => Body::from(failure(status, &other.message())),
        };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if is_method {
            headers.insert(ALLOW, HeaderValue::from_static("POST"));
        }
        if retry {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if leaving {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// A Kubernetes `Status`. For a plain text, the API server would only report that there was one.
///
/// Source: `Result.Error` of `k8s.io/client-go/rest`.
fn failure(status: StatusCode, message: &str) -> String {
    json!({
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "code": status.as_u16(),
    })
    .to_string()
}
