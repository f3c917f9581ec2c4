//! Plans: how two versions map onto each other, as data.
//!
//! The derive compares a type with the same type in the version before, and writes a plan: a
//! constant with rules that name every field of either type exactly once. A renamed field, for
//! example, has a [`Rule`] with both names. A plan contains names in Rust and in JSON, and the
//! functions of converters. The module `engine` executes plans, and schemas and explanations are
//! made from them, too.
//!
//! The modules build on each other in this order:
//!
//! | module | content |
//! |---|---|
//! | `kinds` | the kinds of JSON value that a type takes |
//! | `conversion` | what converters do |
//! | `field`, `declared` | a field, and what is declared for it and for its content |
//! | `rules` | the rules of one hop, which are about fields |
//! | `once` | values that are computed once per process for a plan |
//! | `flat`, `tree`, `open` | the same rules as a tree, and what a walk through it needs |
//!
//! Everything that the derive writes is `const`. A part that may contain itself is wrapped in a
//! function.

#[cfg(any(feature = "cli", feature = "testing"))]
mod across;
mod conversion;
mod declared;
mod field;
mod flat;
mod indexed;
mod kinds;
mod once;
#[cfg(feature = "schema")]
mod open;
mod rules;
mod tagging;
mod tree;
mod validation;

pub use conversion::{Conversion, Fault, Values};
pub(crate) use conversion::{Texts, WriteFn, panic_text};
pub use declared::{Declared, Holds, TypeFacts};
pub(crate) use declared::{ForeignType, leaves};
pub use field::{Facts, Field, Flat, Said};
pub use indexed::{Choice, Indexed};
pub use kinds::JsonType;
pub(crate) use once::OncePerPlan;
#[cfg(feature = "schema")]
pub(crate) use open::Open;
pub(crate) use rules::OneSided;
pub(crate) use rules::Path;
pub use rules::{
    By, Change, Content, EnumPlan, Nested, Part, Rule, StructPlan, Variant, VariantRule,
};
pub use tagging::Tagging;
pub(crate) use tree::{Branch, FieldRule, Fields, Kind, ListKeys, Tree, Variants, Way};
pub use validation::ValidationRule;
