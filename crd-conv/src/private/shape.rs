//! What a struct tells the newer version of itself.

use crate::converter::ConvertError;
use crate::plan::{Facts, Field, JsonType, Said};

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

/// The place of a field in [`Shape::FIELDS`], as a type: an alias of it is evaluated once, so a name that doesn't
/// exist is one error.
#[derive(Clone, Copy, Debug)]
pub struct At<const I: usize>;

/// Stands for the type of every field of a type whose derive failed.
#[derive(Debug)]
pub struct Unknown;

/// The only field of a type whose derive failed.
pub const BROKEN: &[Facts] = &[Facts {
    field: Field::new("", "", "", false, None, true, || JsonType::ANY),
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
    fn read(text: Option<&str>) -> Result<T, ConvertError>;

    /// Appends the field's JSON; `false` says that serde would leave the field out.
    ///
    /// # Errors
    ///
    /// Serde's.
    fn write(value: &T, out: &mut String) -> Result<bool, ConvertError>;
}

/// What a type whose derive failed holds.
impl Shape for Unknown {
    const NAME: &'static str = "";
    const NAMES: &'static [(&'static str, &'static str)] = &[("", "")];
    const FIELDS: &'static [Facts] = BROKEN;
}

impl FieldOf<At<0>, Unknown> for Unknown {
    fn read(_: Option<&str>) -> Result<Unknown, ConvertError> {
        Ok(Unknown)
    }

    fn write(_: &Unknown, _: &mut String) -> Result<bool, ConvertError> {
        Ok(false)
    }
}

/// The place of a field that isn't there.
pub const NOWHERE: usize = usize::MAX;

impl<S: Shape> FieldOf<At<NOWHERE>, Unknown> for S {
    fn read(_: Option<&str>) -> Result<Unknown, ConvertError> {
        Ok(Unknown)
    }

    fn write(_: &Unknown, _: &mut String) -> Result<bool, ConvertError> {
        Ok(false)
    }
}
