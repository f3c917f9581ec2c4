//! How JSON tells the variants of an enum apart.

/// Where JSON says which variant of an enum a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tagging {
    /// A string, or the only key of an object around what the variant holds.
    External,
    /// A field beside those of the variant.
    Internal {
        /// The field's name.
        tag: &'static str,
    },
    /// A field beside the one that has what the variant holds.
    Adjacent {
        /// The field's name.
        tag: &'static str,
        /// The name of the other field.
        content: &'static str,
    },
    /// Nowhere: the kind of JSON value tells it.
    Untagged,
}
