//! The context of a schema.

/// What applies to a schema because of its place.
#[derive(Clone, Default)]
pub(super) struct Around {
    /// The reason why a default isn't allowed here.
    pub(super) no_default: Option<String>,
    /// In the metadata, kind or version of a resource.
    pub(super) in_metadata: bool,
    /// In the items of a list that isn't of type `map`, so that nothing identifies an item.
    pub(super) uncorrelated: bool,
}
