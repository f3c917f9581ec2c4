//! What generated code calls. Not a public interface: it may change in any release.

mod codec;
mod lookup;
mod probe;
mod sniff;

pub use codec::{Fault, Values, absent, read, write};
pub use lookup::{Reason, covered, field, same_codec};
pub use probe::{Fill, IsOption, NotOption, Outcome, OutcomeOf, Probe, Via, fill};
pub use sniff::{JsonType, Sniffer, sniff, sniff_with};

pub use core;
pub use serde;

/// A struct with named fields that takes part in conversions.
pub trait Shape {
    /// The type's name as messages show it, such as `v1beta1::CronTabSpec`.
    const NAME: &'static str;
    /// The Rust names of its fields, in order, without `r#`; fields that serde skips aren't among them.
    const FIELDS: &'static [&'static str];
    /// For each field the codec that serde's attributes name; empty for the type's own.
    const CODECS: &'static [&'static str];
    /// For each field whether it may be absent.
    const OPTIONAL: &'static [bool];
}

/// The field at a place in [`Shape::FIELDS`], without its type: that may be private.
pub trait FieldAt<const I: usize> {
    /// What the engine needs to know.
    const FIELD: crate::Field;
}

/// The field at a place in [`Shape::FIELDS`], with its type.
///
/// The type is a parameter and not an associated type, so that a public struct may have a field of a private type.
pub trait FieldOf<const I: usize, T> {
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
    label = "the older version has `{Older}` here",
    note = "if `{Self}` is the newer version of `{Older}`, derive `Versioned` on both and write `#[versioned(from = …)]` on `{Self}`",
    note = "otherwise name a converter at the field: `#[versioned(with = …)]`"
)]
pub trait UpgradeFrom<Older> {
    /// The rules between the two types.
    fn plan() -> &'static crate::StructPlan;
}
