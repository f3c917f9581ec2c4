//! A versioned struct, and how it came from its older version.

use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use syn::{Expr, Ident, LitStr, Path, Type};

use super::{Conversion, Declared, Moves, OfType, OlderField};
use crate::name::Name;

/// A versioned struct.
pub(crate) struct Struct {
    pub(crate) ident: Ident,
    /// The name that messages show.
    pub(crate) shown: String,
    pub(crate) fields: Vec<Rc<Field>>,
    /// The names of the fields that serde skips, which aren't in `fields`.
    pub(crate) skipped: Vec<String>,
    pub(crate) declared: OfType,
    /// The value that serde gives absent fields, from the struct's own attributes.
    pub(crate) default: Option<Default>,
    /// How the struct came from the older version, or `None` for the oldest one.
    pub(crate) upgrade: Option<Upgrade>,
}

/// A field of a versioned struct that is in JSON.
pub(crate) struct Field {
    /// The field's place in the struct's shape.
    pub(crate) index: usize,
    pub(crate) name: Name,
    /// The name in JSON, which is empty for a flattened field.
    pub(crate) wire: String,
    /// Whether the fields inside this one are next to the other fields in JSON.
    pub(crate) flatten: bool,
    pub(crate) ty: Type,
    pub(crate) default: Option<Default>,
    pub(crate) codec: Codec,
    /// The function of `skip_serializing_if`.
    pub(crate) skip_if: Option<Path>,
    pub(crate) aliased: bool,
    /// The keys that identify the items of a list.
    pub(crate) list_keys: Vec<ListKey>,
    /// The author's declaration about `null`.
    pub(crate) nullable: Option<bool>,
    /// Whether the author declares that no removed field became this one.
    pub(crate) is_new: bool,
    pub(crate) declared: Declared,
}

/// A field that identifies the items of a list.
#[derive(Clone)]
pub(crate) enum ListKey {
    /// By its Rust name in the items' struct.
    Field(Name),
    /// By its name in JSON.
    Wire(LitStr),
}

/// Where serde takes the value of an absent field from.
#[derive(Clone)]
pub(crate) enum Default {
    Trait,
    Function(Path),
}

/// How a field's value is read and written.
pub(crate) enum Codec {
    /// With the type's own serde impls.
    Type,
    /// With two functions.
    Functions { serialize: Path, deserialize: Path },
}

/// How a struct came from its older version.
pub(crate) struct Upgrade {
    pub(crate) older: Older,
    pub(crate) rules: Vec<Rule>,
    /// The newer fields that attributes on the struct name, with those tokens.
    pub(crate) mentions: Vec<Name>,
    pub(crate) moves: Moves,
}

/// The older version of a struct.
pub(crate) struct Older {
    pub(crate) ty: TokenStream,
    /// The name that messages show.
    pub(crate) shown: String,
    /// The first and the last token of the type, where mistakes about the struct as a whole are
    /// reported.
    pub(crate) ends: (Span, Span),
    /// Whether these are the fields of a variant, which only the enum's own rules use.
    pub(crate) of_variant: bool,
}

/// The rule of a field or of a group of fields.
pub(crate) enum Rule {
    Kept {
        older: OlderField,
        newer: Rc<Field>,
    },
    Added {
        newer: Rc<Field>,
        value: Option<Expr>,
    },
    Removed {
        older: OlderField,
        value: Option<Expr>,
    },
    Converted {
        older: Vec<OlderField>,
        newer: Vec<Rc<Field>>,
        by: Conversion,
    },
    /// Only the newer version has the field, and its content comes from other fields.
    Come(Rc<Field>),
    /// Only the older version has the field, and its content goes to other fields.
    Gone(OlderField),
    /// Kept if the older version has a field with this name, otherwise like [`Come`](Rule::Come).
    KeptOrCome {
        older: OlderField,
        newer: Rc<Field>,
    },
}
