//! The author's declarations in types that can't be wrong. Values keep their tokens, for later
//! errors. Here is what structs, enums and resources have in common.

mod conversion;
mod resource;
mod structure;
mod values;

use proc_macro2::TokenStream;
use syn::{Expr, Generics, Ident};

pub(crate) use conversion::{Conversion, Converter, Directions, Fallback, Refuses, Shown};
pub(crate) use resource::{
    Descriptions, Hop, Layout, PrinterColumn, Resource, Scale, Stanza, StanzaRule, Version,
};
pub(crate) use structure::{Codec, Default, Field, ListKey, Older, Rule, Struct, Upgrade};
pub(crate) use values::{Content, Nameless, Tagging, Values, ValuesUpgrade, Variant, VariantRule};

use crate::name::Name;

/// The author's declarations for a field in addition to its type.
#[derive(Clone, Default)]
pub(crate) struct Declared {
    pub(crate) list_type: Option<&'static str>,
    pub(crate) map_type: Option<&'static str>,
    /// The default that the API server fills in.
    pub(crate) default: Option<Expr>,
    pub(crate) int_or_string: bool,
    pub(crate) preserve_unknown_fields: bool,
    pub(crate) embedded_resource: bool,
    pub(crate) validations: Vec<ValidationRule>,
    /// How many levels of a recursive type the schema writes out.
    pub(crate) recursion_depth: Option<u8>,
}

impl Declared {
    /// Whether there is any declaration.
    pub(crate) fn is_any(&self) -> bool {
        let Self { list_type, map_type, default, .. } = self;
        let flags = self.int_or_string || self.preserve_unknown_fields || self.embedded_resource;
        flags
            || !self.validations.is_empty()
            || self.recursion_depth.is_some()
            || list_type.is_some()
            || map_type.is_some()
            || default.is_some()
    }
}

/// The author's declarations for a type, which apply wherever it is used.
#[derive(Default)]
pub(crate) struct OfType {
    /// Whether an `Option` among the fields is nullable only if it is declared so itself.
    pub(crate) never_null: bool,
    pub(crate) map_type: Option<&'static str>,
    pub(crate) validations: Vec<ValidationRule>,
}

/// A CEL rule.
#[derive(Clone)]
pub(crate) struct ValidationRule {
    pub(crate) rule: String,
    pub(crate) message: Option<String>,
    pub(crate) message_expression: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) field_path: Option<String>,
    pub(crate) optional_old_self: bool,
}

/// The values that move inside a struct or an object.
#[derive(Default)]
pub(crate) struct Moves {
    pub(crate) ways: Vec<Way>,
    /// The fields or stanzas at which the paths start, by version.
    pub(crate) older: Vec<Root>,
    pub(crate) newer: Vec<Root>,
}

/// The names on the way to a value. There is at least one.
pub(crate) type Path = Vec<Name>;

/// A moved value, or a group of values that move together: the paths in the older version and in
/// the newer one. A single value has one path in each.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) older: Vec<Path>,
    pub(crate) newer: Vec<Path>,
    /// The converter, if the values change on the way. A group has one.
    pub(crate) by: Option<Conversion>,
}

impl Way {
    /// The paths in one of the versions.
    pub(crate) fn paths(&self, is_newer: bool) -> &[Path] {
        if is_newer { &self.newer } else { &self.older }
    }

    /// The path in one of the versions, if it isn't a group.
    pub(crate) fn single(&self, is_newer: bool) -> Option<&Path> {
        match (self.paths(is_newer), self.paths(!is_newer)) {
            ([path], [_]) => Some(path),
            _ => None,
        }
    }

    /// The attribute that it is written in.
    pub(crate) fn key(&self) -> &'static str {
        if self.single(true).is_some() { "moved" } else { "map" }
    }
}

/// A field or a stanza at which a path starts.
pub(crate) struct Root {
    pub(crate) name: Name,
    pub(crate) status: Status,
}

/// Whether both versions have a field or a stanza.
pub(crate) enum Status {
    /// Both have it. Holds the other version's name.
    Kept(String),
    OneSided,
    /// Only the compiler knows whether the other version has a field with the same name.
    Perhaps,
}

/// A field or variant of the older type, of which the derive knows only the name.
pub(crate) struct OlderField {
    pub(crate) name: Name,
    pub(crate) reason: Reason,
}

/// Why an older field or variant is named.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    /// An attribute names it.
    Named,
    /// A newer field or variant without an attribute has the same name.
    SameName,
    /// A newer field with a converter has the same name.
    Converted,
}

/// The parts that both kinds of input share.
pub(crate) struct Container<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    /// The path of `crd_conv::__private`.
    pub(crate) private: TokenStream,
    /// The paths that let the editor complete keywords.
    pub(crate) keywords: Option<TokenStream>,
}
