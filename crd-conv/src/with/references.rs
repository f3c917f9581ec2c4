//! Between references to other objects.

use crate::converter::{ConvertError, Converter};

/// An `apiVersion`, and its group alone: `"apps/v1"` and `"apps"`, `"v1"` and `""`. The constant is the version that is
/// written to a group of which nothing else is known.
///
/// ```
/// use crd_conv::{Converter, with::ApiGroup};
///
/// assert_eq!(ApiGroup("v1").upgrade("apps/v1beta1".to_owned())?, "apps");
/// assert_eq!(ApiGroup("v1").downgrade("apps".to_owned())?, "apps/v1");
/// assert_eq!(ApiGroup("v1").downgrade(String::new())?, "v1");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// The version that was there is kept. Of a reference that is a struct and becomes a name write
/// `Inverse(Wrapped("name"))`: the namespace and the kind are kept.
///
/// Source: `ParseGroupVersion` of `k8s.io/apimachinery/pkg/runtime/schema`.
///
/// # Errors
///
/// An `apiVersion` with several slashes, or a group with one.
#[derive(Clone, Copy, Debug)]
pub struct ApiGroup(pub &'static str);

impl Converter<String, String> for ApiGroup {
    fn upgrade(&self, older: String) -> Result<String, ConvertError> {
        match older.split_once('/') {
            None => Ok(String::new()),
            Some((group, version)) if !version.contains('/') => Ok(group.to_owned()),
            Some(_) => Err(format!("expected `group/version`, not `{older}`").into()),
        }
    }

    fn downgrade(&self, newer: String) -> Result<String, ConvertError> {
        if newer.contains('/') {
            return Err(format!("expected a group without a version, not `{newer}`").into());
        }
        Ok(if newer.is_empty() { self.0.to_owned() } else { format!("{newer}/{}", self.0) })
    }
}
