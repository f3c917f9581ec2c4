//! Values in and out of JSON text.

use serde::{Serialize, de::DeserializeOwned};

use super::{FieldOf, Fill};
use crate::converter::ConvertError;
use crate::json::whole;
use crate::plan::{Fault, Values};

/// Reads one input of a group with the field's own codec.
///
/// # Errors
///
/// [`Fault::Unreadable`] with the input's place.
pub fn input<S: FieldOf<At, T>, At, T>(inputs: &[Option<&str>], at: usize) -> Result<T, Fault> {
    S::read(inputs.get(at).copied().flatten()).map_err(|error| Fault::Unreadable(at, error))
}

/// Appends one output of a group with the field's own codec.
///
/// # Errors
///
/// Serde's.
pub fn output<S: FieldOf<At, T>, At, T>(value: &T, out: &mut Values) -> Result<(), Fault> {
    out.push(|text| S::write(value, text))
}

/// Appends what the author wrote for a field, with the field's own codec.
///
/// # Errors
///
/// Serde's.
pub fn write_fill<S: FieldOf<At, T>, At, T, V: Fill<T>>(
    value: V,
    out: &mut String,
) -> Result<bool, ConvertError> {
    S::write(&value.into_value(), out)
}

/// Appends what the author wrote as one of several values, with the field's own codec.
///
/// # Errors
///
/// Serde's.
pub fn output_value<S: FieldOf<At, T>, At, T, V: Fill<T>>(
    value: V,
    out: &mut Values,
) -> Result<(), Fault> {
    out.push(|text| write_fill::<S, At, T, V>(value, text))
}

/// What a field without a value is to its type, if the type isn't an `Option` and the field has no default.
///
/// # Errors
///
/// Always.
pub fn missing<T>(field: &str) -> Result<T, ConvertError> {
    Err(format!("missing field `{field}`").into())
}

/// Reads a value.
///
/// # Errors
///
/// Serde's, if the type can't hold the value.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, ConvertError> {
    serde_json::from_str(&whole(text)).map_err(without_place)
}

/// Line and column of the value by itself would only mislead.
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
/// Serde's, if the type can't hold the value.
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

/// Appends a value; a `null` of a nullable field is left out.
///
/// # Errors
///
/// Serde's.
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
/// Serde's.
pub fn write_with(
    nullable: bool,
    out: &mut String,
    serialize: impl FnOnce(&mut serde_json::Serializer<&mut Vec<u8>>) -> serde_json::Result<()>,
) -> Result<bool, ConvertError> {
    let mut bytes = Vec::new();
    serialize(&mut serde_json::Serializer::new(&mut bytes))?;
    if nullable && bytes == b"null" {
        return Ok(false);
    }
    out.push_str(std::str::from_utf8(&bytes)?);
    Ok(true)
}
