//! Answers a `ConversionReview`. Takes the request's bytes and returns the response's bytes.
//!
//! Real requests, and the API server's checks of an answer, differ from the documentation in some
//! places. The request has a `response` stub, objects may lack `metadata`, and the server compares
//! the answer with the request by position.
//!
//! Source: <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#webhook-request-and-response>

mod request;
mod share;

use std::fmt;

use crate::complement::Unrestored;
use crate::definition::Definition;
use crate::engine::{Engine, MAX_ANNOTATIONS, Tally, with_engine};
use crate::json::{Scanner, quote};
use crate::object::Identity;
use crate::{error::ConversionError, resource::ResourceType};
pub use request::ReviewErrorKind;
use request::{Head, Reading, broken, broken_text};
pub use share::Share;
use share::Shares;

/// Answers the conversion reviews of a set of resources.
///
/// An answer is a pure function from request bytes to response bytes, and independent of HTTP.
///
/// ```
/// use crd_conv::{ResourceType, Reviewer, Versioned};
///
/// mod v1 {
///     # use {crd_conv::Versioned, schemars::JsonSchema, serde::{Deserialize, Serialize}};
///     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
///     pub struct Spec { pub size: i64 }
/// }
///
/// mod v2 {
///     # use {crd_conv::Versioned, schemars::JsonSchema, serde::{Deserialize, Serialize}};
///     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
///     #[versioned(from = super::v1::Spec)]
///     pub struct Spec { #[versioned(renamed_from = size)] pub replicas: i64 }
/// }
///
/// #[derive(Versioned)]
/// #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// enum Box { #[versioned(storage)] V1 { spec: v1::Spec }, V2 { spec: v2::Spec } }
///
/// fn main() -> Result<(), crd_conv::ReviewError> {
///     let reviewer = Reviewer::new([ResourceType::of::<Box>()]);
///     let request = br#"{
///         "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
///         "request": { "uid": "7", "desiredAPIVersion": "example.com/v2", "objects": [
///             { "apiVersion": "example.com/v1", "kind": "Box", "metadata": { "name": "b" }, "spec": { "size": 3 } }
///         ] }
///     }"#;
///     let answer = reviewer.review(request)?;
///     assert!(answer.body.contains(r#""spec": { "replicas": 3 }"#));
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct Reviewer {
    resources: Vec<ResourceType>,
}

/// The answer to a review.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ReviewError> {
/// use crd_conv::{ResourceType, Reviewer};
///
/// let request = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"7","desiredAPIVersion":"example.com/v2",
///     "objects":[{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3}}]}}"#;
/// let answer = Reviewer::new([ResourceType::of::<Box>()]).review(request.as_bytes())?;
/// assert!(answer.failure.is_none() && answer.unrestored.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reviewed {
    /// The JSON of the `ConversionReview` to send back.
    pub body: String,
    /// The reason why the review failed. `body` contains the message, too.
    pub failure: Option<String>,
    /// The object that made the review fail, or `None` if the request itself did.
    pub refusal: Option<Refusal>,
    /// The entries of the objects that were not restored.
    pub unrestored: Unrestored,
    /// The size in bytes of the annotations that were written for values that a version can't
    /// express. The sum includes keys, and values as JSON.
    pub kept_bytes: u64,
    /// How many objects have annotations for such values that take more than half of the room that
    /// the API server has for an object's annotations.
    pub nearly_full: u64,
    /// How often a converter refused a value, so that a [fallback](derive@crate::Versioned) is
    /// shown.
    pub fallbacks: u32,
    shares: Shares,
}

impl Reviewed {
    /// Returns how many objects were converted, by resource and versions. A failed review converts
    /// none.
    pub fn objects(&self) -> impl Iterator<Item = Share> {
        self.shares.iter()
    }

    fn failed(head: Head<'_>, message: String, refusal: Option<Refusal>) -> Self {
        Self {
            body: failed(head, &message),
            failure: Some(message),
            refusal,
            unrestored: Unrestored::default(),
            kept_bytes: 0,
            nearly_full: 0,
            fallbacks: 0,
            shares: Shares::default(),
        }
    }
}

/// The object that made a review fail.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ReviewError> {
/// use crd_conv::{ResourceType, Reviewer};
///
/// let request = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"7","desiredAPIVersion":"example.com/v2",
///     "objects":[{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3}}]}}"#;
/// let request = request.replace("example.com/v1", "example.com/v3");
/// let answer = Reviewer::new([ResourceType::of::<Box>()]).review(request.as_bytes())?;
/// let refusal = answer.refusal.expect("there is no v3");
/// assert_eq!(refusal.index, 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The object's position in the review, from 0.
    pub index: usize,
    /// The resource, if this webhook has it.
    pub definition: Option<&'static Definition>,
    /// The reason why the object wasn't converted.
    pub error: ConversionError,
}

/// The reason why a request can't be answered with a review.
///
/// `Display` writes one sentence.
///
/// ```
/// use crd_conv::{ReviewErrorKind, Reviewer};
///
/// let error = Reviewer::new([]).review(b"hello").unwrap_err();
/// assert_eq!(error.kind(), ReviewErrorKind::Malformed);
/// ```
#[derive(Debug)]
pub struct ReviewError {
    kind: ReviewErrorKind,
    message: String,
}

impl ReviewError {
    /// Returns what is wrong with the request.
    pub fn kind(&self) -> ReviewErrorKind {
        self.kind
    }
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReviewError {}

impl Reviewer {
    /// Makes a reviewer for these resources.
    pub fn new(resources: impl IntoIterator<Item = ResourceType>) -> Self {
        Self { resources: resources.into_iter().collect() }
    }

    /// Answers one review, in the version of `apiextensions.k8s.io` that the request has.
    ///
    /// If one object can't be converted, the whole review fails, as the API requires. The answer
    /// then has no objects.
    ///
    /// # Errors
    ///
    /// Fails if the request can't be answered with a review: it isn't a `ConversionReview`, it has
    /// an unknown version, or it ends before its `uid`.
    pub fn review(&self, request: &[u8]) -> Result<Reviewed, ReviewError> {
        self.answer(request, None)
    }

    /// Answers one review without calling authors' code. Returns `None` if an object may need a
    /// converter.
    #[cfg(feature = "server")]
    pub(crate) fn review_without_converters(
        &self,
        request: &[u8],
    ) -> Option<Result<Reviewed, ReviewError>> {
        let mut needs_converter = false;
        let answer = self.answer(request, Some(&mut needs_converter));
        (!needs_converter).then_some(answer)
    }

    /// Answers one review. With `needs_converter`, stops at the first object that may need a
    /// converter, and sets it.
    fn answer(
        &self,
        request: &[u8],
        needs_converter: Option<&mut bool>,
    ) -> Result<Reviewed, ReviewError> {
        let (text, bad_utf8) = match simdutf8::compat::from_utf8(request) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = &request[..error.valid_up_to()];
                let valid = std::str::from_utf8(valid).unwrap_or_default();
                (valid, Some(format!("the request isn't UTF-8 from byte {} on", valid.len())))
            }
        };
        let mut answer = Answer {
            resources: if bad_utf8.is_some() { &[] } else { &self.resources },
            tally: Tally::default(),
            nearly_full: 0,
            shares: Shares::default(),
            refusal: None,
            body: String::new(),
            needs_converter,
        };
        let mut reading = Reading::default();
        let outcome = reading.read(text, |scanner, desired| {
            with_engine(|engine| answer.convert(engine, scanner, desired))
        });
        match (outcome, bad_utf8, reading.head()) {
            (Ok(()), None, Some(head)) => {
                let Answer { mut body, tally, nearly_full, shares, .. } = answer;
                close(head, &mut body);
                let Tally { unrestored, kept_bytes, fallbacks } = tally;
                let (failure, refusal) = (None, None);
                Ok(Reviewed {
                    body,
                    failure,
                    refusal,
                    unrestored,
                    kept_bytes,
                    nearly_full,
                    fallbacks,
                    shares,
                })
            }
            (outcome, bad_utf8, Some(head)) => {
                let refusal = answer.refusal.filter(|_| bad_utf8.is_none());
                let message = bad_utf8.or(outcome.err()).unwrap_or_default();
                Ok(Reviewed::failed(head, message, refusal))
            }
            (outcome, bad_utf8, None) => {
                let message =
                    bad_utf8.or(outcome.err()).unwrap_or_else(|| reading.missing().to_owned());
                Err(ReviewError { kind: reading.kind_of_error(), message })
            }
        }
    }
}

/// A successful answer while it is written.
struct Answer<'a> {
    resources: &'a [ResourceType],
    tally: Tally,
    nearly_full: u64,
    shares: Shares,
    refusal: Option<Refusal>,
    body: String,
    needs_converter: Option<&'a mut bool>,
}

impl Answer<'_> {
    /// Converts the objects in the array at the scanner's position.
    fn convert(
        &mut self,
        engine: &mut Engine,
        scanner: &mut Scanner<'_>,
        desired: &str,
    ) -> Result<(), String> {
        let length = scanner.text().len();
        self.body.reserve(length + length / 16);
        self.body.push_str(OPENING);
        self.body.push_str("\"convertedObjects\":[");
        let mut count = 0;
        if scanner.peek() == b'n' {
            scanner.skip_value().map_err(broken)?;
        } else {
            scanner.enter_array().map_err(broken)?;
            while scanner.next_element(count == 0).map_err(broken)? {
                if count > 0 {
                    self.body.push(',');
                }
                count += 1;
                let outcome = self.convert_object(engine, scanner, desired);
                outcome.map_err(|(definition, error)| match error {
                    ConversionError::Syntax(what) => broken_text(&what),
                    error => {
                        let message = format!("object {count}: {error}");
                        self.refusal = Some(Refusal { index: count - 1, definition, error });
                        message
                    }
                })?;
            }
        }
        self.body.push_str("],\"result\":{\"status\":\"Success\"}");
        Ok(())
    }

    fn convert_object(
        &mut self,
        engine: &mut Engine,
        scanner: &mut Scanner<'_>,
        desired: &str,
    ) -> Result<(), (Option<&'static Definition>, ConversionError)> {
        let identity = Identity::read(scanner).map_err(|error| (None, error))?;
        let (group, version) = desired.split_once('/').unwrap_or(("", desired));
        let known = self.resources.iter().find(|resource| {
            let definition = resource.definition();
            definition.group == identity.group() && definition.kind == identity.kind
        });
        let Some(resource) = known else {
            let error = identity.refused("this webhook doesn't serve that kind in that group");
            return Err((None, error));
        };
        let definition = resource.definition();
        let of_resource = |error| (Some(definition), error);
        if group != definition.group {
            let error = identity.refused(&format!("`{desired}` is in another group"));
            return Err(of_resource(error));
        }
        let path = resource.path(&identity, version).map_err(of_resource)?;
        if let Some(needs) = &mut self.needs_converter
            && resource.has_converters(path)
        {
            **needs = true;
            return Err(of_resource(ConversionError::Syntax(String::new())));
        }
        let before = self.tally.kept_bytes;
        resource
            .walk(engine, scanner, path, MAX_ANNOTATIONS, &mut self.tally, &mut self.body)
            .map_err(of_resource)?;
        self.nearly_full += u64::from(self.tally.kept_bytes - before > MAX_ANNOTATIONS as u64 / 2);
        self.shares.add(definition, path);
        Ok(())
    }
}

/// The beginning of an answer. The members that depend on the request come last, because in the
/// request they may come after the objects.
const OPENING: &str = "{\"response\":{";

fn close(head: Head<'_>, body: &mut String) {
    body.push_str(",\"uid\":\"");
    body.push_str(head.uid);
    body.push_str("\"},\"kind\":\"ConversionReview\",\"apiVersion\":\"");
    body.push_str(head.api_version);
    body.push_str("\"}");
}

fn failed(head: Head<'_>, message: &str) -> String {
    let mut body = String::from(OPENING);
    body.push_str("\"result\":{\"status\":\"Failed\",\"message\":");
    quote(message, &mut body);
    body.push('}');
    close(head, &mut body);
    body
}
