//! CustomResourceDefinitions that the API server accepts.

mod build;
mod document;
mod error;
mod fill;
#[cfg(test)]
pub(crate) mod fixture;
mod kept;
mod options;
#[cfg(any(feature = "cli", feature = "kube"))]
mod preference;
mod rules;
mod source;
mod status;
#[cfg(test)]
mod tests;
mod webhook;

pub use document::{
    ClientConfig, Column, Conversion, Crd, CrdSpec, CrdVersion, Empty, Metadata, Names, ScalePaths,
    SelectableField, ServiceReference, Subresources, Validation, WebhookConversion,
};
pub use error::{CrdError, CrdErrors};
pub use options::CrdOptions;
#[cfg(any(feature = "cli", feature = "kube"))]
pub(crate) use preference::preference;
#[cfg(feature = "import")]
pub(crate) use status::entries;
pub use webhook::Webhook;

use crate::ResourceType;

impl ResourceType {
    /// Makes the CustomResourceDefinition.
    ///
    /// The versions are in the order in which Kubernetes prefers them. `conversion` is `None` if
    /// all versions are the same, otherwise `Webhook`. The same source gives the same bytes, so you
    /// can run this in a build script.
    ///
    /// # Errors
    ///
    /// Returns everything that the API server would refuse, all at once:
    ///
    /// - Rust types without a structural schema.
    /// - A missing webhook.
    /// - A status that has no place for [`ConversionEntries`](crate::ConversionEntries), if it
    ///   needs one.
    /// - All violations that [`verify`](crate::verify::verify) finds in the finished document.
    ///
    /// It also returns these:
    ///
    /// - A resource with `schema = "disabled"`.
    /// - A value for an added or removed field that isn't the schema's default for that field.
    /// - A field that two neighboring versions have, and that one of them prunes.
    /// - A path of the scale subresource to a field that may be null.
    /// - A CA bundle without a certificate.
    pub fn crd(&self, options: &CrdOptions) -> Result<Crd, CrdErrors> {
        build::build(self.definition(), self.status_places(), options)
    }
}

/// What the API server fills in for a field in one version only, although two neighboring versions have it.
#[cfg(feature = "cli")]
pub(crate) fn notes(resource: &ResourceType, crd: &Crd) -> Vec<String> {
    let definition = resource.definition();
    let of = |name: &str| crd.spec.versions.iter().find(|version| version.name == name);
    let schemas = definition.versions.iter().filter_map(|version| of(version.name));
    let schemas: Vec<_> =
        schemas.map(|version| version.schema.open_api_v3_schema.clone()).collect();
    kept::compare(definition, &schemas).notes
}
