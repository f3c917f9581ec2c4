//! What stands for entries that had no room, and what a conversion does about it.

use super::steps::Work;
use crate::complement::{Loss, Parsed};

/// A tombstone takes less, as JSON.
const MAX_TOMBSTONE: usize = 256;

/// In which of the versions at the ends of a conversion the API server may store objects.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stored {
    /// The object may be one that is being read, in a list with all others. What it lacks was lost before.
    pub(crate) from: bool,
    /// The object may be one that is about to be stored, which must not lack anything.
    pub(crate) to: bool,
}

/// What an object lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The annotation.
    pub(crate) key: String,
    /// How many bytes it would have.
    pub(crate) size: usize,
}

impl Work<'_> {
    /// What to do about an annotation for another version, which usually is no tombstone.
    #[inline]
    pub(super) fn pass_foreign(&mut self, index: usize) {
        let value = self.found.value(self.text, index);
        if value.len() <= MAX_TOMBSTONE
            && value.contains("tombstone")
            && let Some(Parsed::Tombstone { size, .. }) = self.parsed(index)
        {
            self.pass_tombstone(index, size, false);
        }
    }

    /// Keeps a tombstone, or notes that the conversion can't go on with it. It can't if this hop would restore what it
    /// stands for.
    pub(super) fn pass_tombstone(&mut self, index: usize, size: usize, restores: bool) {
        if self.stored.from {
            self.discard(index, Loss::Malformed);
        } else if self.stored.to || restores {
            let key = self.found.named[index].key.decoded(self.text).into_owned();
            self.missing.push(Missing { key, size });
        }
    }
}
