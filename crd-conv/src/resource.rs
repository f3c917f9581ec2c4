//! A resource ready for conversions: its definition, and the plan of every hop resolved.

use std::fmt;

use crate::{Definition, VersionedResource};

/// A resource ready for conversions.
#[derive(Debug)]
pub struct Resource {
    definition: &'static Definition,
}

impl Resource {
    /// Resolves the plans of the resource that `T` declares.
    pub fn of<T: VersionedResource>() -> Self {
        Self { definition: T::DEFINITION }
    }

    /// What the author declared.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// Converts one object to another version, named as `v1` or `example.com/v1`.
    ///
    /// # Errors
    ///
    /// See [`ConversionError`].
    pub fn convert(&self, object: &[u8], desired: &str) -> Result<Converted, ConversionError> {
        unimplemented!("{object:?} {desired}")
    }

    /// Takes the carrier out of an object that leaves the cluster.
    ///
    /// # Errors
    ///
    /// If the text isn't a JSON object.
    pub fn export(&self, object: &[u8]) -> Result<String, ConversionError> {
        unimplemented!("{object:?}")
    }
}

/// A converted object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The object's JSON.
    pub json: String,
}

/// Why an object wasn't converted. `Display` gives one sentence that names the object, both versions and the field.
#[derive(Debug)]
pub struct ConversionError {
    message: String,
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConversionError {}
