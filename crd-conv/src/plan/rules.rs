//! The rules between two neighboring versions of a type.

use std::slice;

use super::{Conversion, Facts, Field, Indexed, JsonType, Tagging, WriteFn};

/// How two struct types of neighboring versions map onto each other.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StructPlan {
    /// The older type as the author wrote it, without `super::` and `crate::`.
    pub older: &'static str,
    /// The newer type's name.
    pub newer: &'static str,
    /// What happens to the fields. Every field of either type is named exactly once.
    pub rules: &'static [Rule],
}

/// The rules inside a value whose newer type is a later version of the older one. `Option` and
/// `Box` don't show in JSON, so they aren't here, either.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Nested {
    /// An object with fields.
    Struct(&'static StructPlan),
    /// An enum value.
    Enum(&'static EnumPlan),
    /// An array, with the rules of its items.
    List(fn() -> Nested),
    /// An object with any keys, with the rules of its values.
    Map(fn() -> Nested),
}

/// How two enum types of neighboring versions map onto each other.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EnumPlan {
    /// The older type as the author wrote it, without `super::` and `crate::`.
    pub older: &'static str,
    /// The newer type's name.
    pub newer: &'static str,
    /// Where the older version's JSON says which variant it is.
    pub older_tagging: Tagging,
    /// Where the newer version's JSON says which variant it is. The kind of place is the same as in
    /// the older version.
    pub newer_tagging: Tagging,
    /// What happens to the variants. Every variant of either type is named exactly once. Only a
    /// variant that another version shows in place of its own may be named again.
    pub rules: &'static [VariantRule],
}

/// One variant of a versioned enum.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Variant {
    /// The Rust name, without `r#`.
    pub rust: &'static str,
    /// The name in JSON.
    pub wire: &'static str,
    /// What it holds.
    pub content: Content,
    /// The kinds of JSON value that its content is written as, as far as the derive needs them.
    pub(crate) kind: JsonType,
    /// The fields of the struct that it holds.
    pub(crate) fields: Option<&'static [Facts]>,
}

/// What a variant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Nothing.
    Unit,
    /// A value of another type.
    Newtype,
    /// Several values.
    Tuple,
    /// Fields.
    Struct,
}

/// What happens to one variant.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum VariantRule {
    /// Both versions have it, under the same name or another one.
    Kept {
        /// The older version's variant.
        older: Variant,
        /// The newer version's variant.
        newer: Variant,
        /// The rules inside what it holds, if the newer version has another type for that.
        nested: Indexed<Nested>,
    },
    /// Only the newer version has it.
    Added {
        /// The variant.
        newer: Variant,
        /// The variant that the older version shows in its place.
        shown_as: Variant,
    },
    /// Only the older version has it.
    Removed {
        /// The variant.
        older: Variant,
        /// The variant that the newer version shows in its place.
        shown_as: Variant,
    },
}

/// A field on the path to a moved value. The last one is the value's own field.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The field.
    pub field: Field,
    /// The fields next to the following part, without those that a move names.
    pub others: &'static [Field],
}

/// The path to a moved value.
pub(crate) type Path = &'static [Part];

/// What happens to one field, or one group of fields, on a hop.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Rule {
    /// The value stays as it is, under the same name or another one.
    Kept {
        /// The older version's field.
        older: Field,
        /// The newer version's field.
        newer: Field,
        /// The rules inside the value if the newer type is a later version of the older one.
        nested: Indexed<Nested>,
    },
    /// Only the newer version has the field.
    Added {
        /// The field.
        newer: Field,
        /// What an upgraded object shows if nothing is known about the field.
        fill: Option<WriteFn>,
    },
    /// Only the older version has the field.
    Removed {
        /// The field.
        older: Field,
        /// What a downgraded object shows if nothing is known about the field.
        fill: Option<WriteFn>,
    },
    /// A value is in another place in the newer version, or several values that a converter changes
    /// together. These move as a whole or not at all. Each end has a rule of its own, as removed or
    /// added: for the field itself, or for the first field around it that the other version doesn't
    /// have.
    Moved {
        /// The paths to the values in the older version, in the order of the mapping.
        older: &'static [Path],
        /// The paths to the values in the newer version, in the order of the mapping.
        newer: &'static [Path],
        /// How the values change on the way. Several values have a converter.
        change: Change,
    },
    /// A converter makes one side from the other.
    Converted {
        /// The older version's fields, in the order of the mapping.
        older: &'static [Field],
        /// The newer version's fields, in the order of the mapping.
        newer: &'static [Field],
        /// The converter.
        by: By,
    },
}

/// How a moved value changes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Change {
    /// By a converter.
    By(By),
    /// By the rules inside it, if the newer type is a later version of the older one. Otherwise, it
    /// stays as it is.
    Versions(Indexed<Nested>),
}

/// A converter.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct By {
    /// The converter, as the author named it.
    pub by: &'static str,
    /// Converts from older to newer.
    pub upgrade: Conversion,
    /// Converts from newer to older.
    pub downgrade: Conversion,
}

/// A field that only one version has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneSided<'r> {
    /// Whether the newer version has it.
    pub(crate) newer: bool,
    pub(crate) field: &'r Field,
    /// What the version shows if nothing is known about the field.
    pub(crate) fill: Option<WriteFn>,
}

/// What most readers ask about a rule, whatever its kind is.
impl Rule {
    /// Returns the fields of the older and of the newer version that the rule is for. A move has
    /// none: the fields at its ends have rules of their own.
    pub(crate) fn fields(&self) -> [&[Field]; 2] {
        match self {
            Self::Kept { older, newer, .. } => [slice::from_ref(older), slice::from_ref(newer)],
            Self::Added { newer, .. } => [&[], slice::from_ref(newer)],
            Self::Removed { older, .. } => [slice::from_ref(older), &[]],
            Self::Moved { .. } => [&[], &[]],
            Self::Converted { older, newer, .. } => [older, newer],
        }
    }

    /// Returns the field in the older and in the newer version if the rule keeps its value.
    pub(crate) fn kept(&self) -> Option<[&Field; 2]> {
        match self {
            Self::Kept { older, newer, .. } => Some([older, newer]),
            Self::Added { .. }
            | Self::Removed { .. }
            | Self::Moved { .. }
            | Self::Converted { .. } => None,
        }
    }

    /// Returns the paths to moved values in the older and in the newer version.
    #[cfg(feature = "schema")]
    pub(crate) fn moved(&self) -> [&[Path]; 2] {
        match self {
            Self::Moved { older, newer, .. } => [older, newer],
            Self::Kept { .. }
            | Self::Added { .. }
            | Self::Removed { .. }
            | Self::Converted { .. } => [&[], &[]],
        }
    }

    /// Returns the rules inside the rule's value if its newer type is a later version of the older
    /// one. For a flattened map, these are the rules of its values.
    pub(super) fn nested(&self) -> Option<Nested> {
        match self {
            Self::Kept { newer, nested, .. } => match nested.get() {
                Some(Nested::Map(values)) if newer.is_rest() => Some(values()),
                nested => nested,
            },
            Self::Moved { change: Change::Versions(nested), .. } => nested.get(),
            Self::Added { .. }
            | Self::Removed { .. }
            | Self::Moved { change: Change::By(_), .. }
            | Self::Converted { .. } => None,
        }
    }

    /// Returns the author's converter of the rule's fields or moved values.
    #[cfg(feature = "testing")]
    pub(crate) fn converter(&self) -> Option<By> {
        match self {
            Self::Converted { by, .. } | Self::Moved { change: Change::By(by), .. } => Some(*by),
            Self::Kept { .. }
            | Self::Added { .. }
            | Self::Removed { .. }
            | Self::Moved { change: Change::Versions(_), .. } => None,
        }
    }

    /// Returns the field if only one version has it.
    pub(crate) fn one_sided(&self) -> Option<OneSided<'_>> {
        match self {
            Self::Added { newer, fill } => {
                Some(OneSided { newer: true, field: newer, fill: *fill })
            }
            Self::Removed { older, fill } => {
                Some(OneSided { newer: false, field: older, fill: *fill })
            }
            Self::Kept { .. } | Self::Moved { .. } | Self::Converted { .. } => None,
        }
    }
}

impl StructPlan {
    #[doc(hidden)]
    pub const fn new(older: &'static str, newer: &'static str, rules: &'static [Rule]) -> Self {
        Self { older, newer, rules }
    }
}

impl EnumPlan {
    #[doc(hidden)]
    pub const fn new(
        older: &'static str,
        newer: &'static str,
        [older_tagging, newer_tagging]: [Tagging; 2],
        rules: &'static [VariantRule],
    ) -> Self {
        Self { older, newer, older_tagging, newer_tagging, rules }
    }
}

impl Variant {
    #[doc(hidden)]
    pub const fn new(
        rust: &'static str,
        wire: &'static str,
        content: Content,
        kind: JsonType,
        fields: Option<&'static [Facts]>,
    ) -> Self {
        Self { rust, wire, content, kind, fields }
    }
}

impl By {
    #[doc(hidden)]
    pub const fn new(by: &'static str, upgrade: Conversion, downgrade: Conversion) -> Self {
        Self { by, upgrade, downgrade }
    }
}

impl Part {
    #[doc(hidden)]
    pub const fn new(field: Field, others: &'static [Field]) -> Self {
        Self { field, others }
    }
}
