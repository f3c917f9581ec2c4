//! The facts that a struct gives its newer version.

use crate::plan::{Declared, Facts, Field, JsonType, Said};

/// A list of texts. Generated code uses this name, because the author's build parses each token of
/// the type again.
pub type Texts = &'static [&'static str];

/// A list of pairs of texts.
pub type TextPairs = &'static [(&'static str, &'static str)];

/// The codec of a type whose derive failed, or of a field that doesn't exist.
#[derive(Debug)]
pub struct NoCodec;

/// A struct with named fields that takes part in conversions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a versioned struct",
    label = "not a struct with `#[derive(Versioned)]`",
    note = "if it is a struct of your own, put `#[derive(Versioned)]` on it; the oldest version needs no attributes",
    note = "for any other type, write a struct of your own that has it as a field"
)]
pub trait Shape {
    /// The type's name in messages, such as `v1beta1::CronTabSpec`.
    const NAME: &'static str;
    /// The JSON name of each field by its Rust name. This is separate from `FIELDS`, which may use
    /// the names of other types, so that types may contain each other.
    const NAMES: TextPairs;
    /// The fields, in order, without those that serde skips.
    const FIELDS: &'static [Facts];
    /// The names of the fields that serde skips.
    const SKIPPED: Texts = &[];

    /// Returns the declarations for the type inside the field at a place.
    fn inside(at: usize) -> Option<fn() -> Declared> {
        let _ = at;
        None
    }
}

/// The place of a field in [`Shape::FIELDS`], as a type. An alias of it is evaluated once, so a
/// name that doesn't exist is one error.
#[derive(Clone, Copy, Debug)]
pub struct At<const I: usize>;

/// The type of every field of a type whose derive failed.
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

/// A place, as a type.
pub trait Place {
    /// The place as a number.
    const INDEX: usize;
}

impl<const I: usize> Place for At<I> {
    const INDEX: usize = I;
}

macro_rules! places {
    ($($name:ident: $index:literal,)*) => {$(
        #[doc(hidden)]
        pub type $name = At<$index>;
    )*};
}

// A number in a type is a constant of its own, which costs the author's build as much as a small
// function. A name costs nothing.
places! {
    F0: 0, F1: 1, F2: 2, F3: 3, F4: 4, F5: 5, F6: 6, F7: 7, F8: 8, F9: 9, F10: 10, F11: 11, F12: 12, F13: 13, F14: 14, F15: 15,
    F16: 16, F17: 17, F18: 18, F19: 19, F20: 20, F21: 21, F22: 22, F23: 23, F24: 24, F25: 25, F26: 26, F27: 27, F28: 28, F29: 29,
    F30: 30, F31: 31,
}

/// The field at a place, which is an [`At`], with its type.
///
/// The type is a parameter and not an associated type, so that a public struct may have a field
/// with a private type. The code that reads and writes the field is generic, so that it is compiled
/// only where a converter or a value needs it.
pub trait FieldOf<At, T> {
    /// The [`Codec`](super::Codec) that reads and writes the field.
    type Codec;

    /// Returns the value that serde's attributes give an absent field, if they do.
    fn absent() -> Option<T> {
        None
    }

    /// Whether serde leaves a value out.
    fn skips(value: &T) -> bool {
        let _ = value;
        false
    }
}

/// The shape of a type whose derive failed.
impl Shape for Unknown {
    const NAME: &'static str = "";
    const NAMES: TextPairs = &[("", "")];
    const FIELDS: &'static [Facts] = BROKEN;
}

impl FieldOf<At<0>, Unknown> for Unknown {
    type Codec = NoCodec;
}

/// The place of a field that doesn't exist.
pub const NOWHERE: usize = usize::MAX;

impl<S: Shape> FieldOf<At<NOWHERE>, Unknown> for S {
    type Codec = NoCodec;
}
