//! A field, and what its author declares of it.

use super::{Choice, Declared, Indexed, JsonType, ValidationRule, WriteFn};

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
    pub(crate) inside: Indexed<Declared>,
    /// What stands in JSON in its place.
    pub(crate) flat: Flat,
}

/// Whether a field has a name of its own in JSON.
#[derive(Clone, Copy, Debug)]
pub enum Flat {
    /// It has.
    No,
    /// These fields stand in its place.
    Fields(&'static [Facts]),
    /// Every name stands in its place that no other field has.
    Map,
}

/// What the newer version of a type asks of a field, whose type may be private.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What the engine needs to know.
    pub field: Field,
    /// The functions that serde's attributes name for the value; empty for the type's own.
    pub codec: &'static str,
    /// Whether the type is an `Option`.
    pub option: bool,
    /// Whether serde takes other names for it too.
    pub aliased: bool,
    /// Whether serde may leave it out.
    pub skips: bool,
    /// What the author says of `null`.
    pub nullable: Option<bool>,
    /// What else the author says of the field.
    pub said: Said,
}

/// What the author of a struct declares of a field beside its type.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// `x-kubernetes-list-type`, if it isn't `map`.
    pub list_type: Option<&'static str>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<&'static str>,
    /// What the API server fills in.
    pub default: Option<WriteFn>,
    /// What serde fills in beside it, also where it would leave it out.
    pub serde_default: Option<WriteFn>,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown_fields: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-validations`.
    pub validations: &'static [ValidationRule],
    /// How often a type that holds itself is written out.
    pub recursion_depth: Option<u8>,
}

impl Facts {
    /// Of a field of which nothing but its type is known. It takes null if that is an `Option`.
    #[doc(hidden)]
    pub const fn new(
        rust: &'static str,
        wire: &'static str,
        ty: &'static str,
        option: bool,
        default: Option<WriteFn>,
        kind: fn() -> JsonType,
    ) -> Self {
        Self {
            field: Field::new(rust, wire, ty, option, default, option, kind),
            codec: "",
            option,
            aliased: false,
            skips: false,
            nullable: None,
            said: Said::NOTHING,
        }
    }

    /// It takes no null if its type is an `Option` of plain names.
    #[doc(hidden)]
    #[must_use]
    pub const fn unless_name(mut self, is_name: bool) -> Self {
        self.field.nullable = self.option && !is_name;
        self
    }

    /// The author says whether it takes null.
    #[doc(hidden)]
    #[must_use]
    pub const fn nullable(mut self, nullable: bool) -> Self {
        self.field.nullable = nullable;
        self.nullable = Some(nullable);
        self
    }

    /// The author says of all fields that they take no null.
    #[doc(hidden)]
    #[must_use]
    pub const fn never_null(mut self) -> Self {
        self.field.nullable = false;
        self.nullable = if self.option { Some(false) } else { None };
        self
    }

    /// Serde says what an absent field is.
    #[doc(hidden)]
    #[must_use]
    pub const fn defaulted(mut self) -> Self {
        self.field.optional = true;
        self
    }

    /// Serde calls these functions for the value.
    #[doc(hidden)]
    #[must_use]
    pub const fn written_by(mut self, codec: &'static str) -> Self {
        self.codec = codec;
        self
    }

    /// Serde takes other names for it too.
    #[doc(hidden)]
    #[must_use]
    pub const fn aliased(mut self) -> Self {
        self.aliased = true;
        self
    }

    /// Serde may leave it out.
    #[doc(hidden)]
    #[must_use]
    pub const fn skipping(mut self) -> Self {
        self.skips = true;
        self
    }

    /// What else the author says.
    #[doc(hidden)]
    #[must_use]
    pub const fn saying(mut self, said: Said) -> Self {
        self.said = said;
        self
    }

    /// The fields by which the items of a list are told apart.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_list_keys(mut self, keys: &'static [&'static str]) -> Self {
        self.field.list_keys = keys;
        self
    }

    /// What is declared of what is inside.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_inside(mut self, of: Choice<Declared>, at: usize) -> Self {
        self.field.inside = Indexed::new(of, at);
        self
    }

    /// What stands in JSON in its place.
    #[doc(hidden)]
    #[must_use]
    pub const fn flattened(mut self, flat: Flat) -> Self {
        self.field.flat = flat;
        self
    }

    /// The API server keeps what the schema doesn't know inside.
    #[doc(hidden)]
    #[must_use]
    pub const fn preserving_unknown_fields(mut self) -> Self {
        self.field.preserve_unknown_fields = true;
        self
    }

    /// The value is a resource of its own, or a list of such.
    #[doc(hidden)]
    #[must_use]
    pub const fn embedding_resources(mut self) -> Self {
        self.field.embedded_resource = true;
        self
    }

    /// The author says that no removed field goes here.
    #[doc(hidden)]
    #[must_use]
    pub const fn said_to_be_new(mut self) -> Self {
        self.field.is_new = true;
        self
    }
}

impl Said {
    /// Of most fields.
    pub const NOTHING: Self = Self {
        list_type: None,
        map_type: None,
        default: None,
        serde_default: None,
        int_or_string: false,
        preserve_unknown_fields: false,
        embedded_resource: false,
        validations: &[],
        recursion_depth: None,
    };
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
            inside: Indexed::NOTHING,
            flat: Flat::No,
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn said_to_be_new(mut self) -> Self {
        self.is_new = true;
        self
    }

    /// Whether it is a map of all that no field has.
    pub(crate) fn is_rest(&self) -> bool {
        matches!(self.flat, Flat::Map)
    }
}

impl Flat {
    /// Whether the field has no name of its own.
    pub(crate) const fn is_flat(&self) -> bool {
        !matches!(self, Self::No)
    }
}
