//! How far an object may stray from its schema.

/// How far an object may stray from its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stray {
    /// Not at all.
    Valid,
    /// Not from the schema, but from the type: below the end of a type that contains itself, the
    /// schema accepts anything.
    Accepted,
    /// Only by missing fields: an object as server-side apply sends it.
    Partial,
    /// Also by unknown fields, whose names other versions may know.
    Unknown,
    /// By odd values everywhere.
    Anywhere,
}

impl Stray {
    /// Whether the schema accepts the object.
    pub(super) fn is_accepted(self) -> bool {
        matches!(self, Self::Valid | Self::Accepted)
    }
}
