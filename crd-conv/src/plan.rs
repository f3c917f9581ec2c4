//! Plans: the rules of one hop, as data that the derive writes and the engine executes.

use crate::__private::{Declared, Facts, Fault, Flat, JsonType, Values};
use crate::ConvertError;

/// Appends a value's JSON to the text; `false` says that serde would leave the field out.
pub(crate) type WriteFn = fn(&mut String) -> Result<bool, ConvertError>;

/// Converts one group of fields: the JSON text of each input, in order, `None` where it is absent. The second are the
/// outputs as they were before a client edited the inputs, if they are known.
pub(crate) type ConvertFn =
    fn(&[Option<&str>], Option<&[Option<&str>]>, &mut Values) -> Result<(), Fault>;

/// What a group of fields shows if its converter refuses the others.
pub(crate) type FallbackFn = fn(&mut Values) -> Result<(), Fault>;

/// What a converter does in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    pub(crate) convert: ConvertFn,
    pub(crate) fallback: Option<FallbackFn>,
}

/// How one pair of neighbouring struct types maps onto each other.
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

/// The rules inside a value whose newer type is a later version of the older one. `Option` and `Box` leave no trace in
/// JSON, and none here.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Nested {
    /// An object with these fields.
    Struct(&'static StructPlan),
    /// An enum value.
    Enum(&'static EnumPlan),
    /// An array of such items.
    List(fn() -> Nested),
    /// An object of such values under any keys.
    Map(fn() -> Nested),
}

/// How one pair of neighbouring enum types maps onto each other.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EnumPlan {
    /// The older type as the author wrote it, without `super::` and `crate::`.
    pub older: &'static str,
    /// The newer type's name.
    pub newer: &'static str,
    /// Where the older version's JSON says which variant it is.
    pub older_tagging: Tagging,
    /// Where the newer version's JSON says which variant it is: the same kind of place.
    pub newer_tagging: Tagging,
    /// What happens to the variants. Every variant of either type is named exactly once, but one that another
    /// version shows in place of its own may be named again.
    pub rules: &'static [VariantRule],
}

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
    /// The kinds of JSON value that what it holds is written as, as far as the derive asks for them.
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
        /// The rules inside what it holds if that is of another type in the newer version.
        nested: fn() -> Option<Nested>,
    },
    /// Only the newer version has it.
    Added {
        /// The variant.
        newer: Variant,
        /// What the older version shows in its place.
        shown_as: Variant,
    },
    /// Only the older version has it.
    Removed {
        /// The variant.
        older: Variant,
        /// What the newer version shows in its place.
        shown_as: Variant,
    },
}

/// One field of a versioned type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "they are the schema's own")]
pub struct Field {
    /// The Rust name, without `r#`.
    pub rust: &'static str,
    /// The name in JSON; empty for a field that serde flattens.
    pub wire: &'static str,
    /// The type as the author wrote it.
    pub ty: &'static str,
    /// Whether the type takes an absent field: an `Option`, or a field with `#[serde(default)]`.
    pub optional: bool,
    /// Whether an explicit `null` is a value of its own in the schema: an `Option`.
    pub nullable: bool,
    /// The fields by which the items of this list are told apart (`x-kubernetes-list-map-keys`), by their names in
    /// JSON; empty for every other field.
    pub list_keys: &'static [&'static str],
    /// Whether the API server keeps what the schema doesn't know inside this field
    /// (`x-kubernetes-preserve-unknown-fields`).
    pub preserve_unknown_fields: bool,
    /// Whether the value is a resource of its own, or a list of such (`x-kubernetes-embedded-resource`).
    pub embedded_resource: bool,
    /// Whether the author says that no removed field goes here: `added(moved = false)`.
    pub(crate) is_new: bool,
    pub(crate) kind: fn() -> JsonType,
    pub(crate) default: Option<WriteFn>,
    /// What is declared of what is inside.
    pub(crate) inside: fn() -> Option<Declared>,
    /// What stands in JSON in its place.
    pub(crate) flat: Flat,
}

/// A field on the way to a moved value; the last one is the value's own.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The field.
    pub field: Field,
    /// The fields beside the next one that no move names.
    pub others: &'static [Field],
}

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
        nested: fn() -> Option<Nested>,
    },
    /// Only the newer version has the field.
    Added {
        /// The field.
        newer: Field,
        /// What an upgraded object shows if nothing is known of the field.
        fill: Option<WriteFn>,
    },
    /// Only the older version has the field.
    Removed {
        /// The field.
        older: Field,
        /// What a downgraded object shows if nothing is known of the field.
        fill: Option<WriteFn>,
    },
    /// A value stands at another place in the newer version. The field at either end, or the first around it that the
    /// other version doesn't have, has a rule of its own as removed or added.
    Moved {
        /// The way to the value in the older version.
        older: &'static [Part],
        /// The way to it in the newer version.
        newer: &'static [Part],
    },
    /// A converter makes one side from the other.
    Converted {
        /// The older version's fields, in the order of the mapping.
        older: &'static [Field],
        /// The newer version's fields, in the order of the mapping.
        newer: &'static [Field],
        /// The converter as the author named it.
        by: &'static str,
        /// Older to newer.
        upgrade: Conversion,
        /// Newer to older.
        downgrade: Conversion,
    },
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

impl Conversion {
    #[doc(hidden)]
    pub const fn new(convert: ConvertFn, fallback: Option<FallbackFn>) -> Self {
        Self { convert, fallback }
    }

    /// The JSON of each field if the converter refuses, if that is said.
    #[cfg(feature = "cli")]
    pub(crate) fn shown_if_refused(&self) -> Option<Vec<Option<String>>> {
        let mut values = Values::default();
        self.fallback?(&mut values).ok()?;
        Some(values.texts().map(|text| text.map(str::to_owned)).collect())
    }
}

impl Part {
    #[doc(hidden)]
    pub const fn new(field: Field, others: &'static [Field]) -> Self {
        Self { field, others }
    }
}

impl Nested {
    /// The plan of what is inside lists and maps.
    #[cfg(feature = "schema")]
    pub(crate) fn innermost(self) -> Self {
        match self {
            Self::List(inner) | Self::Map(inner) => inner().innermost(),
            plan => plan,
        }
    }
}

impl Field {
    #[doc(hidden)]
    pub const fn new(
        rust: &'static str,
        wire: &'static str,
        ty: &'static str,
        nullable: bool,
        default: Option<WriteFn>,
        optional: bool,
        kind: fn() -> JsonType,
    ) -> Self {
        Self {
            rust,
            wire,
            ty,
            optional,
            nullable,
            list_keys: &[],
            preserve_unknown_fields: false,
            embedded_resource: false,
            is_new: false,
            kind,
            default,
            inside: || None,
            flat: Flat::No,
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn with_list_keys(mut self, keys: &'static [&'static str]) -> Self {
        self.list_keys = keys;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn with_inside(mut self, inside: fn() -> Option<Declared>) -> Self {
        self.inside = inside;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn flattened(mut self, flat: Flat) -> Self {
        self.flat = flat;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn preserving_unknown_fields(mut self) -> Self {
        self.preserve_unknown_fields = true;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn said_to_be_new(mut self) -> Self {
        self.is_new = true;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn embedding_resources(mut self) -> Self {
        self.embedded_resource = true;
        self
    }
}
