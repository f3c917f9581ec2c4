//! Reads a request in one pass.

use std::borrow::Cow;

use crate::json::{Scanner, Str, SyntaxError};
use crate::object::string;

const VERSIONS: [&str; 2] = ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"];

/// The reason why a request can't be answered with a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReviewErrorKind {
    /// The request isn't JSON, ends early, or lacks something that every review has, such as the
    /// `uid`.
    Malformed,
    /// The request's `kind` isn't `ConversionReview`.
    OtherKind,
    /// The request's version of `apiextensions.k8s.io` is neither `v1` nor `v1beta1`.
    UnknownVersion,
}

/// The parts of a request that its answer repeats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub(super) api_version: &'static str,
    /// The text between the quotes, which is copied as it is.
    pub(super) uid: &'a str,
}

/// The parts of a request that were read so far.
#[derive(Debug, Default)]
pub(super) struct Reading<'a> {
    api_version: Option<&'static str>,
    kind: bool,
    request: Option<usize>,
    uid: Option<&'a str>,
    desired: Option<Cow<'a, str>>,
    objects: Option<usize>,
    /// The outcome of the conversion, if it was started.
    outcome: Option<Result<(), String>>,
    refused: Option<ReviewErrorKind>,
}

impl<'a> Reading<'a> {
    /// Reads a request and calls `convert` once, with its objects and its `desiredAPIVersion`. If
    /// that version comes after the objects, the objects are read twice.
    ///
    /// An error of `convert` is returned at the end, so that the `uid` is known wherever it is.
    pub(super) fn read(
        &mut self,
        text: &'a str,
        mut convert: impl FnMut(&mut Scanner<'a>, &str) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut scanner = Scanner::new(text);
        let whole =
            self.review(&mut scanner, &mut convert).and_then(|()| scanner.end().map_err(broken));
        if let Err(error) = whole {
            // An error in an object comes earlier in the text than this one.
            let first = self.outcome.take().filter(|_| self.head().is_some());
            return first.filter(Result::is_err).unwrap_or(Err(error));
        }
        if !self.kind {
            return Err("the request's `kind` is missing: expected `ConversionReview`".to_owned());
        }
        if self.head().is_none() {
            return Ok(());
        }
        if let Some(outcome) = self.outcome.take() {
            return outcome;
        }
        let Some(desired) = &self.desired else {
            return Err("the request has no `desiredAPIVersion`".to_owned());
        };
        let mut scanner = Scanner::new(if self.objects.is_some() { text } else { "[]" });
        scanner.pos = self.objects.unwrap_or_default();
        convert(&mut scanner, desired)
    }

    /// The parts of the request that the answer repeats, if they are known.
    pub(super) fn head(&self) -> Option<Head<'a>> {
        let api_version = self.api_version.filter(|_| self.kind)?;
        Some(Head { api_version, uid: self.uid? })
    }

    /// The kind of error if there is no head.
    pub(super) fn kind_of_error(&self) -> ReviewErrorKind {
        self.refused.unwrap_or(ReviewErrorKind::Malformed)
    }

    /// The reason why there is no head.
    pub(super) fn missing(&self) -> &'static str {
        match (self.api_version, self.request) {
            (None, _) => "the request has no `apiVersion`",
            (_, None) => "the review has no `request`",
            _ => "the request has no `uid`",
        }
    }

    fn review(
        &mut self,
        scanner: &mut Scanner<'a>,
        convert: &mut impl FnMut(&mut Scanner<'a>, &str) -> Result<(), String>,
    ) -> Result<(), String> {
        scanner.enter_object().map_err(broken)?;
        let mut first = true;
        while let Some(key) = scanner.next_member(first).map_err(broken)? {
            first = false;
            match &*key.decoded(scanner.text()) {
                "kind" => {
                    let kind = string(scanner).map_err(broken)?;
                    if kind.as_deref() != Some("ConversionReview") {
                        self.refused = Some(ReviewErrorKind::OtherKind);
                        return Err("the request's `kind` isn't `ConversionReview`".to_owned());
                    }
                    once("kind", std::mem::replace(&mut self.kind, true))?;
                }
                "apiVersion" => {
                    let found = string(scanner).map_err(broken)?;
                    let known = VERSIONS.into_iter().find(|known| Some(*known) == found.as_deref());
                    let Some(known) = known else {
                        self.refused = Some(ReviewErrorKind::UnknownVersion);
                        let [v1, v1beta1] = VERSIONS;
                        return Err(format!(
                            "the request's `apiVersion` is neither `{v1}` nor `{v1beta1}`"
                        ));
                    };
                    once("apiVersion", self.api_version.replace(known).is_some())?;
                }
                "request" => {
                    once("request", self.request.replace(scanner.pos).is_some())?;
                    if scanner.peek() == b'{' {
                        self.request(scanner, convert)?;
                    } else {
                        scanner.skip_value().map_err(broken)?;
                    }
                }
                _ => scanner.skip_value().map_err(broken)?,
            }
        }
        Ok(())
    }

    fn request(
        &mut self,
        scanner: &mut Scanner<'a>,
        convert: &mut impl FnMut(&mut Scanner<'a>, &str) -> Result<(), String>,
    ) -> Result<(), String> {
        scanner.enter_object().map_err(broken)?;
        let mut first = true;
        while let Some(key) = scanner.next_member(first).map_err(broken)? {
            first = false;
            match &*key.decoded(scanner.text()) {
                "uid" => {
                    if let Some(uid) = raw_string(scanner).map_err(broken)? {
                        once("uid", self.uid.replace(uid.raw(scanner.text())).is_some())?;
                    }
                }
                "desiredAPIVersion" => {
                    if let Some(desired) = string(scanner).map_err(broken)? {
                        once("desiredAPIVersion", self.desired.replace(desired).is_some())?;
                    }
                }
                "objects" => {
                    once("objects", self.objects.replace(scanner.pos).is_some())?;
                    let start = scanner.mark();
                    self.outcome = self.desired.as_deref().map(|desired| convert(scanner, desired));
                    if !matches!(self.outcome, Some(Ok(()))) {
                        scanner.reset(start);
                        scanner.skip_value().map_err(broken)?;
                    }
                }
                _ => scanner.skip_value().map_err(broken)?,
            }
        }
        Ok(())
    }
}

fn once(field: &str, again: bool) -> Result<(), String> {
    if again { Err(format!("the request has `{field}` twice")) } else { Ok(()) }
}

/// The string that starts here. An empty string or any other value counts as missing.
fn raw_string(scanner: &mut Scanner<'_>) -> Result<Option<Str>, SyntaxError> {
    if scanner.peek() == b'"' {
        return Ok(Some(scanner.string()?).filter(|string| string.start < string.end));
    }
    scanner.skip_value()?;
    Ok(None)
}

pub(super) fn broken(error: SyntaxError) -> String {
    broken_text(&error.to_string())
}

pub(super) fn broken_text(what: &str) -> String {
    format!("the request isn't valid JSON: {what}")
}
