//! The author's declarations in types that can't be wrong. Values keep their tokens, for later
//! errors.

use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use quote::format_ident;
use syn::{Expr, Generics, Ident, LitStr, Path, Type, spanned::Spanned};

use crate::name::{Name, shown};

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

/// The values that move inside a struct or an object.
#[derive(Default)]
pub(crate) struct Moves {
    /// Each value's path in the older version and in the newer one.
    pub(crate) ways: Vec<(Vec<Name>, Vec<Name>)>,
    /// The fields or stanzas at which the paths start, by version.
    pub(crate) older: Vec<Root>,
    pub(crate) newer: Vec<Root>,
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

/// How a group is converted.
#[derive(Clone)]
pub(crate) struct Conversion {
    pub(crate) by: Converter,
    pub(crate) fallback: Fallback,
    pub(crate) refuses: Refuses,
}

/// The values that a group shows if its converter refuses those of the other version.
pub(crate) type Fallback = Directions<Vec<Option<Expr>>>;

/// Why a converter may refuse values.
pub(crate) type Refuses = Directions<LitStr>;

/// A setting for each direction, with the keyword that names the direction.
#[derive(Clone)]
pub(crate) struct Directions<T> {
    pub(crate) upgrade: Option<(Ident, T)>,
    pub(crate) downgrade: Option<(Ident, T)>,
}

impl<T> std::default::Default for Directions<T> {
    fn default() -> Self {
        Self { upgrade: None, downgrade: None }
    }
}

/// The keyword of a fallback, and the value of each field. `None` leaves a field out.
pub(crate) type Shown = (Ident, Vec<Option<Expr>>);

/// The author's code that converts a group.
#[derive(Clone)]
pub(crate) enum Converter {
    /// A constant whose type implements `Converter`.
    Value(Box<Expr>),
    /// One function for each direction.
    Functions { upgrade: Path, downgrade: Path },
}

impl Converter {
    /// The converter's name as the author wrote it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Value(value) => shown(value),
            Self::Functions { upgrade, downgrade } => {
                format!("{} / {}", shown(upgrade), shown(downgrade))
            }
        }
    }
}

/// A resource enum.
pub(crate) struct Resource {
    pub(crate) ident: Ident,
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) singular: Option<String>,
    pub(crate) list_kind: Option<String>,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) namespaced: bool,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) annotations: Vec<(String, String)>,
    pub(crate) descriptions: Descriptions,
    /// Whether its types have schemas.
    pub(crate) schema: bool,
    /// Oldest first.
    pub(crate) versions: Vec<Version>,
}

/// How much of the doc comments goes into the schemas.
#[derive(Clone, Copy)]
pub(crate) enum Descriptions {
    Full,
    Summary,
    None,
}

/// One version of a resource.
#[expect(clippy::struct_excessive_bools, reason = "they are Kubernetes' own")]
pub(crate) struct Version {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) served: bool,
    pub(crate) storage: bool,
    pub(crate) deprecated: bool,
    pub(crate) deprecation_warning: Option<String>,
    pub(crate) printer_columns: Vec<PrinterColumn>,
    pub(crate) status: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) selectable_fields: Vec<String>,
    pub(crate) validations: Vec<ValidationRule>,
    pub(crate) layout: Layout,
    /// How an object came from the version before it, or `None` for the oldest one.
    pub(crate) hop: Option<Hop>,
}

/// How a version's types are laid out in the object.
pub(crate) enum Layout {
    Root(Box<Type>),
    Stanzas(Vec<Rc<Stanza>>),
}

/// One stanza of an object.
pub(crate) struct Stanza {
    pub(crate) name: Name,
    pub(crate) wire: String,
    /// The type without its `Option`.
    pub(crate) ty: Type,
    pub(crate) optional: bool,
    /// The type as it is written in the enum.
    pub(crate) written: Type,
    /// Whether the author declares that no removed field became part of the stanza.
    pub(crate) is_new: bool,
}

/// How one version's layout became the next one's.
pub(crate) enum Hop {
    Root { older: Box<Type>, newer: Box<Type> },
    Stanzas { older: String, newer: String, rules: Vec<StanzaRule>, moves: Moves },
}

/// The rule of a stanza.
pub(crate) enum StanzaRule {
    Kept { older: Rc<Stanza>, newer: Rc<Stanza> },
    Added(Rc<Stanza>),
    Removed(Rc<Stanza>),
}

impl StanzaRule {
    /// The older and the newer stanza.
    pub(crate) fn sides(&self) -> (Option<Rc<Stanza>>, Option<Rc<Stanza>>) {
        match self {
            Self::Kept { older, newer } => (Some(Rc::clone(older)), Some(Rc::clone(newer))),
            Self::Added(newer) => (None, Some(Rc::clone(newer))),
            Self::Removed(older) => (Some(Rc::clone(older)), None),
        }
    }
}

/// One column of `kubectl get`.
pub(crate) struct PrinterColumn {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) json_path: String,
    pub(crate) format: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) priority: Option<i32>,
}

/// The paths of the scale subresource.
pub(crate) struct Scale {
    pub(crate) spec_replicas: String,
    pub(crate) status_replicas: String,
    pub(crate) label_selector: Option<String>,
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
