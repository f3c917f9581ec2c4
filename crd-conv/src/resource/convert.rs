//! Converts the text of one object.

use serde::de::DeserializeOwned;

use super::ResourceType;
use crate::complement::Unrestored;
use crate::engine::{MAX_ANNOTATIONS, Stop, Tally, remove_from_status, with_engine};
use crate::error::ConversionError;
use crate::json::Scanner;
use crate::object::{Identity, object_name};

impl ResourceType {
    /// Converts one object to another version, named `v1` or `example.com/v1`.
    ///
    /// Values that the new version can't express are kept in annotations of the object, and
    /// restored from them.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() -> Result<(), crd_conv::ConversionError> {
    /// use crd_conv::ResourceType;
    ///
    /// let boxes = ResourceType::of::<Box>();
    /// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
    /// let new = boxes.convert(old.as_bytes(), "v2")?;
    /// assert!(new.json.ends_with(r#""spec":{"replicas":3}}"#));
    /// assert_eq!(boxes.convert(new.json.as_bytes(), "v1")?.json, old);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a JSON object of this resource in one of its versions, if the
    /// resource doesn't have the desired version, if a converter refuses a value, or if the
    /// annotations [don't fit](crate::OversizedError).
    pub fn convert(&self, object: &[u8], desired: &str) -> Result<Converted, ConversionError> {
        self.convert_within(MAX_ANNOTATIONS, object, desired)
    }

    /// Like `convert`, with another limit than the API server's.
    pub(crate) fn convert_within(
        &self,
        max_annotations: usize,
        object: &[u8],
        desired: &str,
    ) -> Result<Converted, ConversionError> {
        let text = utf8(object)?;
        let mut scanner = Scanner::new(text);
        let identity = Identity::read(&mut scanner)?;
        let target = match desired.strip_prefix(self.definition.group) {
            Some(rest) if rest.starts_with('/') => &rest[1..],
            _ => desired,
        };
        let path = self.path(&identity, target)?;
        let mut converted =
            Converted { json: String::with_capacity(text.len()), ..Converted::default() };
        let (json, mut tally) = (&mut converted.json, Tally::default());
        with_engine(|engine| {
            self.walk(engine, &mut scanner, path, max_annotations, &mut tally, json)
        })?;
        scanner.end()?;
        converted.unrestored = tally.unrestored;
        Ok(converted)
    }

    /// Reads an object of any version as the type of the newest one.
    ///
    /// Values that the newest version can't express are kept in the object's annotations.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() -> Result<(), crd_conv::ConversionError> {
    /// use crd_conv::ResourceType;
    ///
    /// let boxes = ResourceType::of::<Box>();
    /// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
    /// #[derive(serde::Deserialize)]
    /// struct Newest {
    ///     spec: v2::Spec,
    /// }
    /// let new: Newest = boxes.read(old.as_bytes())?;
    /// assert_eq!(new.spec.replicas, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`convert`](Self::convert), or if the type can't hold the
    /// converted object.
    pub fn read<T: DeserializeOwned>(&self, object: &[u8]) -> Result<T, ConversionError> {
        let newest = self.definition.versions.last().map_or("", |version| version.name);
        let converted = self.convert(object, newest)?;
        serde_json::from_str(&converted.json).map_err(|error| ConversionError::Value {
            type_name: std::any::type_name::<T>(),
            reason: error.to_string(),
        })
    }

    /// Removes all entries from an object that leaves the cluster.
    ///
    /// Values that were only in those entries are lost.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() -> Result<(), crd_conv::ConversionError> {
    /// use crd_conv::ResourceType;
    ///
    /// let boxes = ResourceType::of::<Box>();
    /// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
    /// let new = boxes.convert(old.as_bytes(), "v2")?.json;
    /// assert!(new.contains("conversion.example.com/v1.spec.owner"));
    /// assert!(!boxes.export(new.as_bytes())?.contains("conversion.example.com"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a JSON object.
    pub fn export(&self, object: &[u8]) -> Result<String, ConversionError> {
        let mut out = String::with_capacity(object.len());
        let mut scanner = Scanner::new(utf8(object)?);
        with_engine(|engine| engine.export(&mut scanner, &self.still, None, &mut out)).map_err(
            |stop| match stop {
                Stop::Syntax(error) => ConversionError::from(error),
                Stop::Field { failure, .. } => ConversionError::Refused {
                    object: object_name(scanner.text(), 0),
                    reason: format!("`{}` {}", failure.field, failure.reason),
                },
                // An export needs no entries, and has none.
                Stop::Missing(_) | Stop::Excess(_) => ConversionError::Refused {
                    object: object_name(scanner.text(), 0),
                    reason: "its kept values don't fit into its annotations".to_owned(),
                },
            },
        )?;
        scanner.end()?;
        remove_from_status(&mut out, &self.still.prefix);
        Ok(out)
    }
}

fn utf8(bytes: &[u8]) -> Result<&str, ConversionError> {
    simdutf8::compat::from_utf8(bytes).map_err(|error| {
        ConversionError::Syntax(format!("invalid UTF-8 at byte {}", error.valid_up_to()))
    })
}

/// A converted object.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ConversionError> {
/// use crd_conv::{Converted, ResourceType};
///
/// let boxes = ResourceType::of::<Box>();
/// let old = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3,"owner":"ada"}}"#;
/// let Converted { json, unrestored, .. } = boxes.convert(old.as_bytes(), "v2")?;
/// assert!(json.contains(r#""replicas":3"#) && unrestored.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Converted {
    /// The object's JSON.
    pub json: String,
    /// The entries that were not restored.
    pub unrestored: Unrestored,
}
