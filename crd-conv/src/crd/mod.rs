//! `CustomResourceDefinition`s, as the API server takes them.

mod build;
mod depth;
mod document;
mod error;
mod fill;
#[cfg(test)]
pub(crate) mod fixture;
mod options;
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
pub use webhook::Webhook;

use crate::Resource;

impl Resource {
    /// Makes the CustomResourceDefinition.
    ///
    /// The versions stand in the order in which Kubernetes prefers them. `conversion` is `None` if all versions are
    /// the same, else `Webhook`. The same source gives the same bytes, so this can run in a build script.
    ///
    /// # Errors
    ///
    /// Everything that the API server would refuse, all at once: Rust types without a structural schema, a webhook that is
    /// missing, a status that has no place for [`ConversionEntries`](crate::ConversionEntries) where it needs one, and what [`verify`](crate::verify::verify) finds in the finished document. Also a value for an added or removed field that
    /// isn't the schema's default for that field, a path of the scale subresource to a field that may be null, and a
    /// CA bundle without a certificate.
    pub fn crd(&self, options: &CrdOptions) -> Result<Crd, CrdErrors> {
        build::build(self.definition(), self.status_places(), options)
    }
}
