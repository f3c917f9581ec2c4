//! What generated code calls. Not a public interface: it may change in any release.

mod codec;
mod declared;
#[cfg(all(test, feature = "derive"))]
mod derived;
mod held;
mod lookup;
mod moved;
mod probe;
mod sniff;
mod text;
mod variants;

pub use codec::{
    Fault, Values, input, missing, output, read, read_with, write, write_fill, write_with,
};
pub use declared::{
    Declared, Declares, Inside, Items, List, Named, NoItems, NothingDeclared, keyed_list, list,
};
pub use held::{AnyKind, InPlace, Kind, Made, NotMade, Written};
pub use lookup::{
    Reason, added, covered, default_fill, field, key, key_wire, known, not_aliased, removed,
    returns, root, same_codec, takes_value,
};
pub use moved::{
    Held, Holder, MovesInto, Unlike, Wrapped, held, holder, inside_ty, made_of, moved, others,
    others_count,
};
pub use probe::{
    Fill, IsOption, IsOptionOfName, NotOption, NotOptionOfName, Outcome, OutcomeOf, Pair, Probe,
    Refusal, Via, fill, stanzas, ty, typed,
};
pub use sniff::{JsonType, Sniffer, sniff, sniff_with};
pub use text::short_name;
pub use variants::{
    ContentOf, FieldsPlan, NO_VARIANTS, VariantFacts, VariantFields, Variants, all_variants,
    beside, disjoint, kinds, newtype, same_alias, same_content, same_tagging, shows, tuple,
    unaliased_variant, variant, variant_known,
};

pub use serde;
pub use std::string::String;

pub use crate::{
    Content, ConvertError, Definition, EnumPlan, Field, Layout, Nested, PrinterColumn, Rule, Scale,
    Scope, Stanza, StructPlan, Tagging, TypeRef, Variant, VariantRule, VersionDefinition,
    VersionedResource,
};

/// A struct with named fields that takes part in conversions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned struct",
    label = "no `#[derive(Versioned)]` on a struct",
    note = "put `#[derive(Versioned)]` on `{Self}`; the oldest version needs no attributes"
)]
pub trait Shape {
    /// The type's name as messages show it, such as `v1beta1::CronTabSpec`.
    const NAME: &'static str;
    /// The name in JSON of each field by its Rust name. Apart from the rest, which may ask it of other types, so that
    /// types may hold each other.
    const NAMES: &'static [(&'static str, &'static str)];
    /// Its fields, in order; fields that serde skips aren't among them.
    const FIELDS: &'static [Facts];
}

/// What the newer version of a type asks of a field, whose type may be private.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What the engine needs to know.
    pub field: crate::Field,
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
    /// What the authors of the types inside the value declare.
    pub inside: fn() -> Option<Declared>,
}

/// The place of a field in [`Shape::FIELDS`], as a type: an alias of it is evaluated once, so a name that doesn't
/// exist is one error.
#[derive(Clone, Copy, Debug)]
pub struct At<const I: usize>;

/// Stands for the type of every field of a type whose derive failed.
#[derive(Debug)]
pub struct Unknown;

/// The only field of a type whose derive failed.
pub const BROKEN: &[Facts] = &[Facts {
    field: crate::Field::new("", "", "", false, None, true, || JsonType::ANY),
    codec: "",
    option: false,
    aliased: false,
    skips: false,
    nullable: None,
    inside: || None,
}];

/// The field at a place, which is an [`At`], with its type.
///
/// The type is a parameter and not an associated type, so that a public struct may have a field of a private type.
pub trait FieldOf<At, T> {
    /// Reads the field's JSON with the field's own codec.
    ///
    /// # Errors
    ///
    /// Serde's, if the type can't hold the value.
    fn read(text: Option<&str>) -> Result<T, crate::ConvertError>;

    /// Appends the field's JSON; `false` says that serde would leave the field out.
    ///
    /// # Errors
    ///
    /// Serde's.
    fn write(value: &T, out: &mut String) -> Result<bool, crate::ConvertError>;
}

/// Says how `Older` becomes this type.
#[diagnostic::on_unimplemented(
    message = "nothing says how `{Older}` becomes `{Self}`",
    label = "was `{Older}` in the older version",
    note = "if the value changed its form, name a converter at the field: `#[versioned(with = …)]`",
    note = "if `{Self}` is a struct or an enum that came from `{Older}`, derive `Versioned` on both and write `#[versioned(from = …)]` on `{Self}`"
)]
pub trait UpgradeFrom<Older> {
    /// The rules between the two types.
    fn plan() -> crate::Nested;
}
