//! Reads values from JSON text, and writes them.
//!
//! Generic functions are compiled in the author's crate, for each field that a converter or a value
//! needs. So they are as small as possible: parts that don't depend on the type are functions of
//! their own, and errors are matched, because each `?` is twenty lines for LLVM.

use core::marker::PhantomData;

use serde::de::value::Error as ValueError;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::{Serialize, de::DeserializeOwned, forward_to_deserialize_any};

use super::{Fallback, FieldOf, Fill, Held, NoCodec, Place, Shape, Unknown};
use crate::converter::ConvertError;
use crate::json::whole;
use crate::plan::{Fault, Values, WriteFn};

/// Reads and writes the field of `S` at a place.
pub trait Codec<S, At, T> {
    /// Reads the field's JSON.
    ///
    /// # Errors
    ///
    /// Returns serde's error if the type can't hold the value.
    fn read(text: Option<&str>) -> Result<T, ConvertError>;

    /// Appends the field's JSON. Returns `false` if serde would leave the field out.
    ///
    /// # Errors
    ///
    /// Returns serde's error.
    fn write(value: &T, out: &mut String) -> Result<bool, ConvertError>;
}

/// The codec that uses the field's type.
#[derive(Debug)]
pub struct ByType;

impl<S, At, T> Codec<S, At, T> for ByType
where
    S: Shape + FieldOf<At, T>,
    At: Place,
    T: Serialize + DeserializeOwned,
{
    fn read(text: Option<&str>) -> Result<T, ConvertError> {
        match text {
            Some(text) => read(text),
            None => match S::absent() {
                Some(value) => Ok(value),
                None => absent(const { S::FIELDS[At::INDEX].field.wire }),
            },
        }
    }

    fn write(value: &T, out: &mut String) -> Result<bool, ConvertError> {
        if S::skips(value) {
            return Ok(false);
        }
        write(value, const { S::FIELDS[At::INDEX].option }, out)
    }
}

/// The codec that uses the functions in serde's attributes.
#[derive(Debug)]
pub struct ByFunctions<F>(PhantomData<F>);

/// The functions that serde's attributes name.
pub trait Functions<T> {
    /// Reads a value with [`read_with`].
    ///
    /// # Errors
    ///
    /// Returns serde's error if the type can't hold the value.
    fn read(text: &str) -> Result<T, ConvertError>;

    /// Appends a value with [`write_with`].
    ///
    /// # Errors
    ///
    /// Returns serde's error.
    fn write(value: &T, nullable: bool, out: &mut String) -> Result<bool, ConvertError>;
}

impl<S, At, T, F> Codec<S, At, T> for ByFunctions<F>
where
    S: Shape + FieldOf<At, T>,
    At: Place,
    F: Functions<T>,
{
    fn read(text: Option<&str>) -> Result<T, ConvertError> {
        match text {
            Some(text) => F::read(text),
            None => S::absent().ok_or_else(|| missing(S::FIELDS[At::INDEX].field.wire).into()),
        }
    }

    fn write(value: &T, out: &mut String) -> Result<bool, ConvertError> {
        if S::skips(value) {
            return Ok(false);
        }
        F::write(value, const { S::FIELDS[At::INDEX].option }, out)
    }
}

impl<S, At> Codec<S, At, Unknown> for NoCodec {
    fn read(_: Option<&str>) -> Result<Unknown, ConvertError> {
        Ok(Unknown)
    }

    fn write(_: &Unknown, _: &mut String) -> Result<bool, ConvertError> {
        Ok(false)
    }
}

/// An absent field with this JSON name. As in serde's derive, only an `Option` can be read from it.
struct Absent(&'static str);

impl<'de> Deserializer<'de> for Absent {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
        Err(missing(self.0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// The value that serde gives an absent field with this JSON name.
fn absent<T: DeserializeOwned>(field: &'static str) -> Result<T, ConvertError> {
    match T::deserialize(Absent(field)) {
        Ok(value) => Ok(value),
        Err(error) => Err(error.into()),
    }
}

fn missing(field: &'static str) -> ValueError {
    ValueError::missing_field(field)
}

/// Reads one input of a group with the field's own codec.
///
/// # Errors
///
/// Returns [`Fault::Unreadable`] with the input's position if the type can't hold the value.
pub fn input<S, At, T>(inputs: &[Option<&str>], at: usize) -> Result<T, Fault>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    match S::Codec::read(text_at(inputs, at)) {
        Ok(value) => Ok(value),
        Err(error) => Err(Fault::Unreadable(at, error)),
    }
}

/// The value of one field in a group before an edit, if it is known and its type still reads it.
pub fn before<S, At, T>(outputs: Option<&[Option<&str>]>, at: usize) -> Option<T>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    match outputs {
        Some(outputs) => S::Codec::read(text_at(outputs, at)).ok(),
        None => None,
    }
}

#[inline(never)]
fn text_at<'a>(texts: &[Option<&'a str>], at: usize) -> Option<&'a str> {
    texts.get(at).copied().flatten()
}

/// Appends one output of a group with the field's own codec.
///
/// # Errors
///
/// Returns serde's error.
pub fn output<S, At, T>(value: &T, out: &mut Values) -> Result<(), Fault>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    out.push(|text| S::Codec::write(value, text))
}

/// Appends the author's value for a field with the field's own codec.
///
/// # Errors
///
/// Returns serde's error.
pub fn write_fill<S, At, T, V: Fill<T>>(value: V, out: &mut String) -> Result<bool, ConvertError>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    S::Codec::write(&value.into_value(), out)
}

/// Appends the author's fallback as one of several values, with the field's own codec.
///
/// # Errors
///
/// Returns serde's error.
pub fn output_value<S, At, T, V: Fallback<T>>(value: V, out: &mut Values) -> Result<(), Fault>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    output::<S, At, T>(&value.into_value(), out)
}

/// Like [`input`], for a field of a struct that was found in a field.
///
/// # Errors
///
/// See [`input`].
pub fn input_in<At, S, T>(_: &Held<S>, inputs: &[Option<&str>], at: usize) -> Result<T, Fault>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    input::<S, At, T>(inputs, at)
}

/// Like [`before`], for a field of a struct that was found in a field.
pub fn before_in<At, S, T>(_: &Held<S>, outputs: Option<&[Option<&str>]>, at: usize) -> Option<T>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    before::<S, At, T>(outputs, at)
}

/// Like [`output`], for a field of a struct that was found in a field.
///
/// # Errors
///
/// See [`output`].
pub fn output_in<At, S, T>(_: &Held<S>, value: &T, out: &mut Values) -> Result<(), Fault>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    output::<S, At, T>(value, out)
}

/// Like [`output_value`], for a field of a struct that was found in a field.
///
/// # Errors
///
/// See [`output_value`].
pub fn output_value_in<At, S, T, V>(_: &Held<S>, value: V, out: &mut Values) -> Result<(), Fault>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
    V: Fallback<T>,
{
    output_value::<S, At, T, V>(value, out)
}

/// The function that writes a field's default from serde's attributes. The default of an `Option`
/// by its type writes nothing.
pub const fn serde_default<S, At, T>(is_nothing: bool) -> Option<WriteFn>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    if is_nothing { None } else { Some(write_absent::<S, At, T>) }
}

/// Like [`serde_default`], for a field whose default depends only on its type. All fields of a type
/// share one function.
pub const fn type_default<T: Default + Serialize>(is_nothing: bool) -> Option<WriteFn> {
    if is_nothing { None } else { Some(write_default::<T>) }
}

fn write_default<T: Default + Serialize>(out: &mut String) -> Result<bool, ConvertError> {
    write(&T::default(), false, out)
}

fn write_absent<S, At, T>(out: &mut String) -> Result<bool, ConvertError>
where
    S: FieldOf<At, T, Codec: Codec<S, At, T>>,
{
    match S::absent() {
        Some(value) => S::Codec::write(&value, out),
        None => Ok(false),
    }
}

/// Reads a value.
///
/// # Errors
///
/// Returns serde's error if the type can't hold the value.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, ConvertError> {
    match serde_json::from_str(&whole(text)) {
        Ok(value) => Ok(value),
        Err(error) => Err(without_place(error)),
    }
}

/// Removes the line and column, which would be those of the value by itself, and so misleading.
fn without_place(error: serde_json::Error) -> ConvertError {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].into(),
        None => error.into(),
    }
}

/// Reads a value with the functions that the field's serde attributes name.
///
/// # Errors
///
/// Returns serde's error if the type can't hold the value.
pub fn read_with<T>(
    text: &str,
    deserialize: impl FnOnce(
        &mut serde_json::Deserializer<serde_json::de::StrRead<'_>>,
    ) -> serde_json::Result<T>,
) -> Result<T, ConvertError> {
    let text = whole(text);
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let value = deserialize(&mut deserializer).map_err(without_place)?;
    deserializer.end().map_err(without_place)?;
    Ok(value)
}

/// Appends a value. Leaves out a `null` of a nullable field.
///
/// # Errors
///
/// Returns serde's error.
pub fn write<T: Serialize + ?Sized>(
    value: &T,
    nullable: bool,
    out: &mut String,
) -> Result<bool, ConvertError> {
    write_with(nullable, out, |serializer| value.serialize(serializer))
}

/// Appends a value with the functions that the field's serde attributes name.
///
/// # Errors
///
/// Returns serde's error.
pub fn write_with(
    nullable: bool,
    out: &mut String,
    serialize: impl FnOnce(&mut serde_json::Serializer<&mut Vec<u8>>) -> serde_json::Result<()>,
) -> Result<bool, ConvertError> {
    let start = out.len();
    let mut bytes = std::mem::take(out).into_bytes();
    let written = serialize(&mut serde_json::Serializer::new(&mut bytes));
    written_to(out, bytes, start, nullable, written)
}

/// Puts the text back without the `null` of an absent field.
fn written_to(
    out: &mut String,
    bytes: Vec<u8>,
    start: usize,
    nullable: bool,
    written: serde_json::Result<()>,
) -> Result<bool, ConvertError> {
    *out = String::from_utf8(bytes)?;
    written?;
    let is_null = nullable && out.get(start..) == Some("null");
    if is_null {
        out.truncate(start);
    }
    Ok(!is_null)
}
