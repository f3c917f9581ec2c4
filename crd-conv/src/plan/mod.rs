//! How versions map onto each other, as data: the derive writes it, the engine executes it, schemas and explanations are made
//! from it.
//!
//! From the ground up: the kinds of JSON value a type takes, what converters do, a field with what is declared of it, and the rules of
//! one hop, which are about fields. Everything is `const`, and what may hold itself stands behind a function.

#[cfg(any(feature = "cli", feature = "testing"))]
mod across;
mod conversion;
mod field;
mod flat;
mod indexed;
mod kinds;
mod rules;
mod tagging;
mod validation;

pub use conversion::{Conversion, Fault, Values};
pub(crate) use conversion::{Texts, WriteFn, panic_text};
#[cfg(feature = "schema")]
pub(crate) use field::ForeignType;
pub(crate) use field::leaves;
pub use field::{Declared, Facts, Field, Flat, Holds, Said, TypeFacts};
pub use indexed::{Choice, Indexed};
pub use kinds::JsonType;
pub use rules::{Content, EnumPlan, Nested, Part, Rule, StructPlan, Variant, VariantRule};
pub use tagging::Tagging;
pub use validation::ValidationRule;
