//! What generated code calls. Not a public interface: it may change in any release.

mod accounts;
mod codec;
mod contents;
mod declared;
#[cfg(all(test, feature = "derive"))]
mod derived;
mod flat;
mod held;
mod lookup;
mod moved;
mod probe;
mod rules;
mod sniff;
mod text;
mod variants;

pub use accounts::{
    Account, Accounts, NO_ACCOUNT, account, counterpart, name_if, only_here, place_if,
};
pub use codec::{
    Fault, Values, input, missing, output, output_value, read, read_with, write, write_fill,
    write_with,
};
pub use contents::{beside_tag, disjoint, kinds, same_content, same_tagging, shows};
#[cfg(feature = "schema")]
pub use declared::ForeignType;
pub use declared::{
    Declared, Declares, Holds, Inside, Items, List, Named, NoItems, NothingDeclared, Said,
    SchemaDeclared, TypeFacts, embedded_resource, int_or_string, keyed_list, list,
};
pub(crate) use flat::leaves;
pub use flat::{Flat, Flatten, flattened, not_flattened, on_the_way, one_sided};
pub use held::{AnyKind, InPlace, Kind, Made, NotMade, Written};
pub use lookup::{Reason, covered, field, key, key_wire, known, older_field, root};
pub use moved::{
    Held, Holder, MovesInto, NOWHERE, Unlike, Wrapped, beside, held, held_as, held_in, holder,
    inside_ty, is_flat, made_of, moved, nothing, one_of, one_place, others, others_count, stays,
};
pub use probe::{
    Always, Before, Fill, IsOption, IsOptionOfName, Lifted, NoConverter, NotOption,
    NotOptionOfName, OptionOnOneSide, Outcome, OutcomeLater, OutcomeOf, Pair, Probe, Refusal,
    Shows, Via, fill, stanzas, ty, typed,
};
pub use rules::{added, default_fill, kept, left_out, not_aliased, removed, returns, takes_value};
pub use sniff::{JsonType, Sniffer, sniff, sniff_with};
pub use text::short_name;
pub use variants::{
    ContentOf, FieldsPlan, NO_VARIANTS, VariantFacts, VariantFields, Variants, all_variants,
    newtype, same_alias, tuple, unaliased_variant, variant, variant_known,
};

pub use serde;
pub use std::string::String;

pub use crate::{
    Content, Conversion, ConvertError, Definition, Descriptions, EnumPlan, Field, Layout, Nested,
    Part, PrinterColumn, Rule, Scale, Scope, Stanza, StructPlan, Tagging, TypeRef, UpgradeFrom,
    ValidationRule, Variant, VariantRule, VersionDefinition, VersionedResource,
};

/// A struct with named fields that takes part in conversions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned struct",
    label = "not a struct with `#[derive(Versioned)]`",
    note = "put `#[derive(Versioned)]` on `{Self}`, which must be a struct; the oldest version needs no attributes"
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
    /// What else the author says of the field.
    pub said: Said,
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
    said: Said::NOTHING,
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
