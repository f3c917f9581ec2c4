//! Plans: the rules of one hop, as data that the derive writes and the engine executes.

use crate::__private::{Fault, JsonType, Values};
use crate::ConvertError;

/// Appends a value's JSON to the text; `false` says that serde would leave the field out.
pub(crate) type WriteFn = fn(&mut String) -> Result<bool, ConvertError>;

/// Converts one group of fields: the JSON text of each input, in order, `None` where it is absent.
pub(crate) type ConvertFn = fn(&[Option<&str>], &mut Values) -> Result<(), Fault>;

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

/// One field of a versioned type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The Rust name, without `r#`.
    pub rust: &'static str,
    /// The name in JSON.
    pub wire: &'static str,
    /// The type as the author wrote it.
    pub ty: &'static str,
    /// Whether the type takes an absent field: an `Option`, or a field with `#[serde(default)]`.
    pub optional: bool,
    /// Whether an explicit `null` is a value of its own in the schema: an `Option`.
    pub nullable: bool,
    pub(crate) kind: fn() -> JsonType,
    pub(crate) default: Option<WriteFn>,
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
        nested: fn() -> Option<&'static StructPlan>,
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
    /// A converter makes one side from the other.
    Converted {
        /// The older version's fields, in the order of the mapping.
        older: &'static [Field],
        /// The newer version's fields, in the order of the mapping.
        newer: &'static [Field],
        /// The converter as the author named it.
        by: &'static str,
        /// Older to newer.
        upgrade: ConvertFn,
        /// Newer to older.
        downgrade: ConvertFn,
    },
}

impl StructPlan {
    #[doc(hidden)]
    pub const fn new(older: &'static str, newer: &'static str, rules: &'static [Rule]) -> Self {
        Self { older, newer, rules }
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
        Self { rust, wire, ty, optional, nullable, kind, default }
    }
}
