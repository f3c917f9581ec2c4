//! What a mapping may say of fields, enums and their values, and what conversions make of it.

mod catalogue;
mod defaults;
mod enums;
mod fallback;
mod features;
mod flatten;
mod kubernetes;
mod option_on_one_side;
mod preserved;
mod readme;
mod rename_all;
mod source;
mod unions;
mod unions_with;
mod with;
