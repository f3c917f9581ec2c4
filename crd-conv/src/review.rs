//! `ConversionReview`: request bytes to response bytes.

use std::fmt;

use crate::Resource;

/// Answers conversion reviews for a set of resources.
#[derive(Debug)]
pub struct Reviewer {
    resources: Vec<Resource>,
}

impl Reviewer {
    /// Takes the resources that it answers for.
    pub fn new(resources: impl IntoIterator<Item = Resource>) -> Self {
        Self { resources: resources.into_iter().collect() }
    }

    /// Answers one review.
    ///
    /// # Errors
    ///
    /// If the request can't be answered with a review, because it has no `uid` for instance.
    pub fn review(&self, request: &[u8]) -> Result<Reviewed, ReviewError> {
        unimplemented!("{:?} {request:?}", self.resources)
    }
}

/// An answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reviewed {
    /// The JSON of the `ConversionReview` to send back.
    pub body: String,
}

/// Why a request can't be answered with a review. `Display` gives one sentence.
#[derive(Debug)]
pub struct ReviewError {
    message: String,
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReviewError {}
