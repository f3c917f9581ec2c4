//! Converters between numbers, and between numbers and texts.

use std::fmt::Display;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{from_text, text};
use super::sides::{Newer, NothingOfNone, TextIn};
use crate::converter::{ConvertError, Converter};

mod sealed {
    pub trait Sealed {}
}

/// Rust's integers of up to 64 bits.
pub trait Integer: sealed::Sealed + Copy + Display {
    #[doc(hidden)]
    fn widen(self) -> i128;
    #[doc(hidden)]
    fn narrow(wide: i128) -> Option<Self>;
    #[doc(hidden)]
    fn clamp(wide: i128) -> Self;
    #[doc(hidden)]
    fn parse(text: &str) -> Option<Self>;
    #[doc(hidden)]
    const RANGE: &'static str;
}

macro_rules! integers {
    ($($int:ident)*) => {
        $(
            impl sealed::Sealed for $int {}

            impl Integer for $int {
                fn widen(self) -> i128 {
                    self.into()
                }
                fn narrow(wide: i128) -> Option<Self> {
                    Self::try_from(wide).ok()
                }
                fn clamp(wide: i128) -> Self {
                    Self::try_from(wide).unwrap_or(if wide < 0 { Self::MIN } else { Self::MAX })
                }
                fn parse(text: &str) -> Option<Self> {
                    text.parse().ok()
                }
                const RANGE: &'static str = stringify!($int);
            }
        )*
    };
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

pub(super) fn narrowed<I: Integer>(wide: i128) -> Result<I, ConvertError> {
    I::narrow(wide).ok_or_else(|| format!("{wide} doesn't fit {}", I::RANGE).into())
}

/// A converter between two integer types that fails if the number doesn't fit.
///
/// ```
/// use crd_conv::{Converter, with::Checked};
///
/// let small: i32 = Checked.upgrade(80_i64)?;
/// assert_eq!(small, 80);
/// assert!(Converter::<i64, i32>::upgrade(&Checked, 5_000_000_000).is_err());
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// [`Clamped`] never fails.
///
/// # Errors
///
/// Fails if the other type can't hold the number.
#[derive(Clone, Copy, Debug)]
pub struct Checked;

impl<A: Integer, B: Integer> Converter<A, B> for Checked {
    fn upgrade(&self, older: A) -> Result<B, ConvertError> {
        narrowed(older.widen())
    }

    fn downgrade(&self, newer: B) -> Result<A, ConvertError> {
        narrowed(newer.widen())
    }
}

/// A converter between two integer types that shows the nearest number if the exact one doesn't
/// fit. The exact number is kept.
///
/// ```
/// use crd_conv::{Converter, with::Clamped};
///
/// let small: i32 = Clamped.upgrade(5_000_000_000_i64)?;
/// assert_eq!(small, i32::MAX);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// None.
#[derive(Clone, Copy, Debug)]
pub struct Clamped;

impl<A: Integer, B: Integer> Converter<A, B> for Clamped {
    fn upgrade(&self, older: A) -> Result<B, ConvertError> {
        Ok(B::clamp(older.widen()))
    }

    fn downgrade(&self, newer: B) -> Result<A, ConvertError> {
        Ok(A::clamp(newer.widen()))
    }
}

/// A converter between `f64` and an integer. It shows the nearest integer, and rounds a half away
/// from zero. The exact number is kept.
///
/// ```
/// use crd_conv::{Converter, with::Rounded};
///
/// let whole: i64 = Rounded.upgrade(2.5)?;
/// assert_eq!(whole, 3);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// An integer beyond 2⁵³ is shown as the nearest `f64`.
///
/// # Errors
///
/// Fails if the integer's type can't hold the number.
#[derive(Clone, Copy, Debug)]
pub struct Rounded;

impl<I: Integer> Converter<f64, I> for Rounded {
    fn upgrade(&self, older: f64) -> Result<I, ConvertError> {
        let rounded = older.round();
        // Beyond this range, `as` would saturate. No type of at most 64 bits holds such a number.
        if !(-1e30..=1e30).contains(&rounded) {
            return Err(format!("{older} doesn't fit {}", I::RANGE).into());
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
        narrowed(rounded as i128)
    }

    fn downgrade(&self, newer: I) -> Result<f64, ConvertError> {
        #[expect(clippy::cast_precision_loss, reason = "documented; the exact number is kept")]
        Ok(newer.widen() as f64)
    }
}

/// A converter between an integer and its text: `80` and `"80"`.
///
/// The text is any type that is a string in JSON, such as `String` or a newtype around one. If the
/// text is written in another way, such as `"007"` or `"+7"`, the original text is kept.
///
/// ```
/// use crd_conv::{Converter, with::IntText};
///
/// let text: String = IntText.upgrade(80)?;
/// assert_eq!(text, "80");
/// let number: i32 = IntText.downgrade("007".to_owned())?;
/// assert_eq!(number, 7);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// Fails if the text isn't a decimal integer that the number's type can hold.
#[derive(Clone, Copy, Debug)]
pub struct IntText;

impl TextIn<Newer> for IntText {}
impl NothingOfNone<Newer> for IntText {}

impl<I, T> Converter<I, T> for IntText
where
    I: Integer,
    T: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: I) -> Result<T, ConvertError> {
        from_text(older.to_string())
    }

    fn downgrade(&self, newer: T) -> Result<I, ConvertError> {
        parsed(&text(&newer)?)
    }
}

pub(super) fn parsed<I: Integer>(text: &str) -> Result<I, ConvertError> {
    I::parse(text)
        .ok_or_else(|| format!("expected an integer that fits {}, not `{text}`", I::RANGE).into())
}

/// A converter between an integer or a `String`, and a type that is either of them in JSON: `80` or
/// `"80"`, and Kubernetes' `IntOrString`.
///
/// ```
/// use crd_conv::{Converter, with::IntOrString};
/// use serde_json::{Value, json};
///
/// let port: Value = IntOrString.upgrade(80)?;
/// assert_eq!(port, json!(80));
/// let number: i32 = IntOrString.downgrade(json!("80"))?;
/// assert_eq!(number, 80);
/// let text: String = IntOrString.downgrade(json!(80))?;
/// assert_eq!(text, "80");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// For the schema, put `int_or_string` on the newer field as well.
///
/// # Errors
///
/// For an integer: fails for a text that isn't one, such as `"50%"`.
#[derive(Clone, Copy, Debug)]
pub struct IntOrString;

impl NothingOfNone<Newer> for IntOrString {}

impl<I, E> Converter<I, E> for IntOrString
where
    I: IntOrText,
    E: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: I) -> Result<E, ConvertError> {
        Ok(serde_json::from_value(older.into_json())?)
    }

    fn downgrade(&self, newer: E) -> Result<I, ConvertError> {
        match serde_json::to_value(newer)? {
            Value::String(text) => I::from_text(text),
            // Only integers fit: neither type holds a number with a fraction.
            Value::Number(number) if !number.is_f64() => I::from_text(number.to_string()),
            other => Err(format!("expected an integer or a string, not `{other}`").into()),
        }
    }
}

/// An integer or a text.
pub trait IntOrText: Sized {
    #[doc(hidden)]
    fn into_json(self) -> Value;
    #[doc(hidden)]
    fn from_text(text: String) -> Result<Self, ConvertError>;
}

impl IntOrText for String {
    fn into_json(self) -> Value {
        self.into()
    }
    fn from_text(text: String) -> Result<Self, ConvertError> {
        Ok(text)
    }
}

macro_rules! int_or_text {
    ($($int:ident)*) => {
        $(
            impl IntOrText for $int {
                fn into_json(self) -> Value {
                    self.into()
                }
                fn from_text(text: String) -> Result<Self, ConvertError> {
                    parsed(&text)
                }
            }
        )*
    };
}

int_or_text!(i8 i16 i32 i64 u8 u16 u32 u64);
