//! What conversions have done, in numbers.

use crate::complement::Losses;

/// Counts that grow from object to object.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// What wasn't restored.
    pub(crate) losses: Losses,
    /// How many bytes the entries have that were written.
    pub(crate) kept_bytes: u64,
    /// How often a fallback was shown, because a converter refused.
    pub(crate) fallbacks: u32,
}
