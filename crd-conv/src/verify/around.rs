//! Where a schema stands.

/// What holds for a schema because of where it stands.
#[derive(Clone, Default)]
pub(super) struct Around {
    /// Why no default may stand here.
    pub(super) no_default: Option<String>,
    /// In the metadata, kind or version of a resource.
    pub(super) in_metadata: bool,
    /// The list whose items have nothing to be told apart by.
    pub(super) uncorrelated: bool,
}
