//! The functions, types and traits that generated code uses. This isn't a public interface: it may
//! change in any release.

mod accounts;
mod codec;
#[cfg(any(rust_analyzer, test))]
pub mod complete;
mod containers;
mod contents;
mod declared;
#[cfg(all(test, feature = "derive"))]
mod derived;
mod find;
mod flat;
mod held;
mod holder;
mod leaves;
mod lookup;
mod moved;
mod options;
mod pair;
mod probe;
mod rules;
mod shape;
mod sniff;
mod text;
mod types;
mod variants;

pub use accounts::{Account, Accounts, SAME, account, counterpart, name_if, only_here, place_if};
pub use codec::{
    ByFunctions, ByType, Codec, Functions, before, before_in, input, input_in, output, output_in,
    output_value, output_value_in, read, read_with, serde_default, type_default, write, write_fill,
    write_with,
};
pub use containers::stanzas;
pub use contents::{beside_tag, disjoint, kinds, same_content, same_tagging, shows};
pub use declared::{
    Declares, Inside, Items, List, Named, NoItems, NothingDeclared, SchemaDeclared,
    embedded_resource, int_or_string, keyed_list, list,
};
pub use flat::{Flatten, flattened, not_flattened, on_the_way, one_sided};
pub use held::{AnyKind, InPlace, Kind, Made, NotMade, Written};
pub use holder::{Held, Holder, held, held_as, held_in, inside_ty, nothing, one_place};
pub use lookup::{Reason, covered, field, key, key_wire, known, older_field, root};
pub use moved::{
    LaterThan, MovesInto, SameInside, Unlike, beside, holder, is_flat, made_of, moved, one_of,
    others, others_count, stays, together,
};
pub use options::{IsOption, IsOptionOfName, NotOption, NotOptionOfName};
pub use pair::{Lifted, NothingAsked, OptionOnOneEnd, Pair};
pub use probe::{
    BothWays, NoConverter, NoField, OfField, OneWay, OptionOnOneSide, Outcome, OutcomeLater,
    OutcomeOf, Probe, Refusal, Shows, Via, fill,
};
pub use rules::*;
pub use shape::{
    At, BROKEN, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15, F16, F17,
    F18, F19, F20, F21, F22, F23, F24, F25, F26, F27, F28, F29, F30, F31, FieldOf, NOWHERE,
    NoCodec, Place, Shape, TextPairs, Texts, Unknown,
};
pub use sniff::{Sniffer, sniff_with};
pub use text::short_name;
pub use types::{never_called, ty, typed};
pub use variants::{
    ContentOf, FieldsPlan, NO_VARIANTS, VariantFacts, VariantFields, Variants, all_variants,
    newtype, same_alias, tuple, unaliased_variant, variant, variant_known,
};

/// The traits that provide a method or a constant, without names that could hide an author's.
pub mod traits {
    pub use super::{
        AnyKind as _, LaterThan as _, Lifted as _, NoConverter as _, NoItems as _, NotMade as _,
        NotOption as _, NotOptionOfName as _, NothingAsked as _, NothingDeclared as _, OneWay as _,
        OptionOnOneEnd as _, OptionOnOneSide as _, OutcomeLater as _, OutcomeOf as _,
        SameInside as _, SchemaDeclared as _, Unlike as _, Via as _,
    };
}

pub use serde;
pub use std::string::String;

pub use crate::converter::{ConvertError, Fallback, Fill};
pub use crate::definition::{
    Definition, Descriptions, Layout, PrinterColumn, Scale, Scope, Stanza, TypeRef,
    VersionDefinition,
};
pub use crate::plan::{
    By, Change, Choice, Content, Conversion, Declared, EnumPlan, Facts, Fault, Field, Flat, Holds,
    Indexed, JsonType, Nested, Part, Rule, Said, StructPlan, Tagging, TypeFacts, ValidationRule,
    Values, Variant, VariantRule,
};
pub use crate::versioned::{UpgradeFrom, VersionedResource};
