//! What a struct tells the newer version of itself.

use crate::plan::{Declared, Facts, Field, JsonType, Said};

/// Texts, as generated code names their type: each token of it is read again in the author's build.
pub type Texts = &'static [&'static str];

/// Pairs of texts.
pub type TextPairs = &'static [(&'static str, &'static str)];

/// Of a type whose derive failed, or of a field that isn't there.
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
    /// The type's name as messages show it, such as `v1beta1::CronTabSpec`.
    const NAME: &'static str;
    /// The name in JSON of each field by its Rust name. Apart from the rest, which may ask it of other types, so that
    /// types may hold each other.
    const NAMES: TextPairs;
    /// Its fields, in order; fields that serde skips aren't among them.
    const FIELDS: &'static [Facts];
    /// The names of those that serde skips.
    const SKIPPED: Texts = &[];

    /// What is declared of what is in the field at a place.
    fn inside(at: usize) -> Option<fn() -> Declared> {
        let _ = at;
        None
    }
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

/// A place, as a type.
pub trait Place {
    /// The same as a number.
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

// A number in a type is a constant of its own, which costs the author's build as much as a small function. A name doesn't.
places! {
    F0: 0, F1: 1, F2: 2, F3: 3, F4: 4, F5: 5, F6: 6, F7: 7, F8: 8, F9: 9, F10: 10, F11: 11, F12: 12, F13: 13, F14: 14, F15: 15,
    F16: 16, F17: 17, F18: 18, F19: 19, F20: 20, F21: 21, F22: 22, F23: 23, F24: 24, F25: 25, F26: 26, F27: 27, F28: 28, F29: 29,
    F30: 30, F31: 31,
}

/// The field at a place, which is an [`At`], with its type.
///
/// The type is a parameter and not an associated type, so that a public struct may have a field of a private type. What reads and writes
/// the field is generic, so that it is compiled where a converter or a value needs it alone.
pub trait FieldOf<At, T> {
    /// What reads and writes it: a [`Codec`](super::Codec).
    type Codec;

    /// What serde makes of an absent field, if it says so.
    fn absent() -> Option<T> {
        None
    }

    /// Whether serde leaves a value out.
    fn skips(value: &T) -> bool {
        let _ = value;
        false
    }
}

/// What a type whose derive failed holds.
impl Shape for Unknown {
    const NAME: &'static str = "";
    const NAMES: TextPairs = &[("", "")];
    const FIELDS: &'static [Facts] = BROKEN;
}

impl FieldOf<At<0>, Unknown> for Unknown {
    type Codec = NoCodec;
}

/// The place of a field that isn't there.
pub const NOWHERE: usize = usize::MAX;

impl<S: Shape> FieldOf<At<NOWHERE>, Unknown> for S {
    type Codec = NoCodec;
}
