//! Answers that are only computed when they are needed.

use std::fmt;

/// Returns the function that returns the answer for the field at an index.
///
/// What a struct knows about the types of all its fields is one such function. In the author's
/// build, a function costs more than its content, and an answer costs more than the name of the
/// function that returns it.
pub type Choice<T> = fn(usize) -> Option<fn() -> T>;

/// The answer for one field.
pub struct Indexed<T: 'static> {
    of: Choice<T>,
    at: usize,
}

impl<T> Indexed<T> {
    /// Creates the answer for the field at an index.
    pub const fn new(of: Choice<T>, at: usize) -> Self {
        Self { of, at }
    }

    /// No answer.
    pub const NOTHING: Self = Self { of: |_| None, at: 0 };

    /// Returns the answer.
    pub fn get(self) -> Option<T> {
        (self.of)(self.at).map(|answer| answer())
    }
}

impl<T> Clone for Indexed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Indexed<T> {}

impl<T> fmt::Debug for Indexed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexed").field("at", &self.at).finish_non_exhaustive()
    }
}
