//! Values in and out of JSON text.

use serde::{Serialize, de::DeserializeOwned};

use crate::ConvertError;
use crate::json::whole;

/// What a converted group of fields came to, in the order of the mapping.
#[derive(Debug, Default)]
pub struct Values {
    pub(crate) text: String,
    /// Where each value ends in `text`, and whether it is there at all.
    pub(crate) ends: Vec<(usize, bool)>,
}

impl Values {
    /// Appends the next value.
    ///
    /// # Errors
    ///
    /// What `write` fails with.
    pub fn push(
        &mut self,
        write: impl FnOnce(&mut String) -> Result<bool, ConvertError>,
    ) -> Result<(), Fault> {
        let start = self.text.len();
        let there = write(&mut self.text).map_err(Fault::Refused)?;
        if !there {
            self.text.truncate(start);
        }
        self.ends.push((self.text.len(), there));
        Ok(())
    }
}

/// Why a group of fields wasn't converted.
#[derive(Debug)]
pub enum Fault {
    /// The type of the input at this place can't hold the value.
    Unreadable(usize, ConvertError),
    /// The converter refused, or its result can't be written.
    Refused(ConvertError),
}

/// Reads a value.
///
/// # Errors
///
/// Serde's, if the type can't hold the value.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, ConvertError> {
    Ok(serde_json::from_str(&whole(text))?)
}

/// The value of an absent field whose type is an `Option`.
///
/// # Errors
///
/// Serde's, for any other type.
pub fn absent<T: DeserializeOwned>() -> Result<T, ConvertError> {
    Ok(serde_json::from_str("null")?)
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
    let start = out.len();
    let text = serde_json::to_string(value)?;
    out.push_str(&text);
    if nullable && text == "null" {
        out.truncate(start);
        return Ok(false);
    }
    Ok(true)
}
