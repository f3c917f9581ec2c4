//! An enum of values, and how it came from its older version.

use std::rc::Rc;

use proc_macro2::Span;
use quote::format_ident;
use syn::{Ident, Path, Type, spanned::Spanned};

use super::{OfType, OlderField, Struct};
use crate::name::Name;

/// An enum of values.
pub(crate) struct Values {
    pub(crate) ident: Ident,
    pub(crate) tagging: Tagging,
    pub(crate) declared: OfType,
    pub(crate) variants: Vec<Rc<Variant>>,
    /// The variants without a name in JSON, which aren't in `variants`, each with the serde
    /// attribute that causes it.
    pub(crate) nameless: Vec<Nameless>,
    /// The fields of each variant with named fields, with the variant's place.
    pub(crate) structs: Vec<(usize, Struct)>,
    /// How the enum came from the older version, or `None` for the oldest one.
    pub(crate) upgrade: Option<ValuesUpgrade>,
}

/// How JSON tells variants apart.
#[derive(Clone)]
pub(crate) enum Tagging {
    External,
    Internal { tag: String },
    Adjacent { tag: String, content: String },
    Untagged,
}

/// The name of a variant, and the serde attribute that leaves it without a name in JSON.
pub(crate) type Nameless = (String, &'static str);

/// A variant of an enum of values that has a name of its own in JSON.
pub(crate) struct Variant {
    /// The variant's place in the enum.
    pub(crate) index: usize,
    pub(crate) name: Name,
    pub(crate) wire: String,
    pub(crate) aliased: bool,
    pub(crate) content: Content,
}

impl Variant {
    /// The name of the type that holds the place of the older variant that this one was.
    pub(crate) fn place(&self) -> Ident {
        format_ident!("__Variant{}", self.index)
    }
}

/// The content of a variant.
pub(crate) enum Content {
    Unit,
    Newtype(Box<Type>),
    Tuple(Vec<Type>),
    Struct,
}

impl Content {
    /// The span of the first of the types.
    pub(crate) fn span(&self) -> Option<Span> {
        match self {
            Self::Newtype(ty) => Some(ty.span()),
            Self::Tuple(types) => types.first().map(Spanned::span),
            Self::Unit | Self::Struct => None,
        }
    }
}

/// How an enum of values came from its older version.
pub(crate) struct ValuesUpgrade {
    pub(crate) older: Path,
    pub(crate) rules: Vec<VariantRule>,
}

/// The rule of a variant.
pub(crate) enum VariantRule {
    Kept {
        older: OlderField,
        newer: Rc<Variant>,
    },
    Added {
        newer: Rc<Variant>,
        shown_as: Name,
    },
    /// Holds the tokens that name the variant to show instead.
    Removed {
        older: OlderField,
        shown_as: Rc<Variant>,
        tokens: Ident,
    },
}
