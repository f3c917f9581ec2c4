//! Counts what conversions have done.

use crate::complement::Unrestored;

/// Counts that grow from object to object.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Entries that weren't restored, by reason.
    pub(crate) unrestored: Unrestored,
    /// How many bytes the written entries have.
    pub(crate) kept_bytes: u64,
    /// How often a fallback was shown, because a converter refused.
    pub(crate) fallbacks: u32,
}
