//! Counts of entries that were not restored.

use std::fmt;

/// The reason why an entry was dropped or left alone, or is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UnrestoredReason {
    /// A client changed the fields that the entry belongs to: the edit wins.
    Edited,
    /// The part of the object that the entry belongs to is gone.
    AnchorGone,
    /// The object was already in the entry's home version.
    AtHome,
    /// The annotation has a value that no release writes there.
    Malformed,
    /// The entry has fields, or kinds of value, that its rule doesn't have.
    Mistyped,
    /// A newer entry replaced it in the annotation.
    Superseded,
    /// The entry has a format that this release doesn't know. Or it is from another release, and
    /// its values can't be compared with what the object shows. It stays on the object.
    Ignored,
    /// The object had a key twice. The last one counts, as for the API server.
    DuplicateKey,
    /// The object's annotations had no room for the entry. They now have a tombstone in its place.
    Oversized,
}

impl UnrestoredReason {
    pub(crate) const ALL: [Self; 9] = [
        Self::Edited,
        Self::AnchorGone,
        Self::AtHome,
        Self::Malformed,
        Self::Mistyped,
        Self::Superseded,
        Self::Ignored,
        Self::DuplicateKey,
        Self::Oversized,
    ];
}

impl fmt::Display for UnrestoredReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Edited => "edited",
            Self::AnchorGone => "anchor gone",
            Self::AtHome => "at home",
            Self::Malformed => "malformed",
            Self::Mistyped => "mistyped",
            Self::Superseded => "superseded",
            Self::Ignored => "ignored",
            Self::DuplicateKey => "duplicate key",
            Self::Oversized => "oversized",
        })
    }
}

/// The number of entries that were dropped or left alone, or didn't fit, by reason.
///
/// A count isn't always a loss. If a client edits a field, for example, the value that was kept for it no longer applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unrestored([u32; UnrestoredReason::ALL.len()]);

impl Unrestored {
    /// Returns the number of entries that were not restored for one reason.
    pub fn count(&self, reason: UnrestoredReason) -> u32 {
        self.0[reason as usize]
    }

    /// Returns whether all entries were restored.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the reasons that occurred, with their numbers of entries.
    pub fn iter(&self) -> impl Iterator<Item = (UnrestoredReason, u32)> {
        UnrestoredReason::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }

    pub(crate) fn add(&mut self, reason: UnrestoredReason) {
        self.0[reason as usize] += 1;
    }
}
