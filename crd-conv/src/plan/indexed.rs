//! What is asked only when it is needed.

use std::fmt;

/// Which of several functions gives the answer for the field at a place.
///
/// What a struct knows of the types of all its fields is one such choice: a function costs the author's build more than what it says, and an
/// answer more than the name of the function that gives it.
pub type Choice<T> = fn(usize) -> Option<fn() -> T>;

/// The answer for one place.
pub struct Indexed<T: 'static> {
    of: Choice<T>,
    at: usize,
}

impl<T> Indexed<T> {
    /// The answer at a place.
    pub const fn new(of: Choice<T>, at: usize) -> Self {
        Self { of, at }
    }

    /// Nothing.
    pub const NOTHING: Self = Self { of: |_| None, at: 0 };

    /// What it is.
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
