//! What is asked only when it is needed.

use std::fmt;

/// One of the answers of a function. What a struct knows of the types of all its fields is one function, since each function costs the
/// author's build more than what it says.
pub struct Indexed<T: 'static> {
    of: fn(usize) -> Option<T>,
    at: usize,
}

impl<T> Indexed<T> {
    /// The answer at a place.
    pub const fn new(of: fn(usize) -> Option<T>, at: usize) -> Self {
        Self { of, at }
    }

    /// Nothing.
    pub const NOTHING: Self = Self { of: |_| None, at: 0 };

    /// What it is.
    pub fn get(self) -> Option<T> {
        (self.of)(self.at)
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
