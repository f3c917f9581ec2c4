//! How JSON tells the variants of an enum apart.

/// Where JSON says which variant of an enum a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tagging {
    /// In a string, or in the only key of an object, whose value is what the variant holds.
    External,
    /// In a field next to the variant's fields.
    Internal {
        /// The field's name.
        tag: &'static str,
    },
    /// In a field next to the field with what the variant holds.
    Adjacent {
        /// The field's name.
        tag: &'static str,
        /// The name of the field with what the variant holds.
        content: &'static str,
    },
    /// Nowhere. The kind of JSON value determines the variant.
    Untagged,
}
