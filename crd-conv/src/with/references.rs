//! Converters between references to other objects.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::shape::{from_text, from_value, text_if_any};
use super::sides::{NothingOfNone, TextIn};
use crate::converter::{ConvertError, Converter};

/// A converter between an `apiVersion` and its group alone: `"apps/v1"` and `"apps"`, `"v1"` and
/// `""`.
///
/// The constant is the version to write for a group if no version is known for it.
///
/// ```
/// use crd_conv::{Converter, with::ApiGroup};
///
/// let group: String = ApiGroup("v1").upgrade("apps/v1beta1".to_owned())?;
/// assert_eq!(group, "apps");
/// let version: String = ApiGroup("v1").downgrade(group)?;
/// assert_eq!(version, "apps/v1");
/// let version: String = ApiGroup("v1").downgrade(String::new())?;
/// assert_eq!(version, "v1");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// Both are `String` or another type that is a string in JSON. The original version is kept.
///
/// For a reference that is a struct and becomes a name, write `Inverse(Wrapped("name"))`: the
/// namespace and the kind are kept.
///
/// Source: `ParseGroupVersion` of `k8s.io/apimachinery/pkg/runtime/schema`.
///
/// # Errors
///
/// Fails for an `apiVersion` with several slashes, or a group with one.
#[derive(Clone, Copy, Debug)]
pub struct ApiGroup(pub &'static str);

impl<Version> TextIn<Version> for ApiGroup {}
impl<Version> NothingOfNone<Version> for ApiGroup {}

impl<O, N> Converter<O, N> for ApiGroup
where
    O: Serialize + DeserializeOwned,
    N: Serialize + DeserializeOwned,
{
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        // Between two `Option`s, `None` becomes `None`.
        let Some(older) = text_if_any(&older)? else { return from_value(Value::Null) };
        match older.split_once('/') {
            None => from_text(String::new()),
            Some((group, version)) if !version.contains('/') => from_text(group.to_owned()),
            Some(_) => Err(format!("expected `group/version`, not `{older}`").into()),
        }
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        let Some(newer) = text_if_any(&newer)? else { return from_value(Value::Null) };
        if newer.contains('/') {
            return Err(format!("expected a group without a version, not `{newer}`").into());
        }
        from_text(if newer.is_empty() { self.0.to_owned() } else { format!("{newer}/{}", self.0) })
    }
}
