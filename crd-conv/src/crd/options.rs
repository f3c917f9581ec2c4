//! What a document says beyond the definition.

use std::collections::BTreeMap;

use super::Webhook;
use crate::definition::Descriptions;

/// What a CustomResourceDefinition says beyond what the resource's author declared.
///
/// ```
/// use crd_conv::crd::{CrdOptions, Webhook};
///
/// let options = CrdOptions::new()
///     .webhook(Webhook::service("default", "conversion").path("/convert"))
///     .annotation("cert-manager.io/inject-ca-from", "default/conversion");
/// ```
#[derive(Clone, Debug, Default)]
pub struct CrdOptions {
    pub(crate) webhook: Option<Webhook>,
    pub(crate) descriptions: Option<Descriptions>,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) annotations: BTreeMap<String, String>,
}

impl CrdOptions {
    /// Says nothing: enough for a resource whose versions are all the same.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where the API server finds the conversion webhook, for resources that need one.
    #[must_use]
    pub fn webhook(mut self, webhook: Webhook) -> Self {
        self.webhook = Some(webhook);
        self
    }

    /// How much of the types' doc comments the schemas have, instead of what the resource's author declared.
    #[must_use]
    pub fn descriptions(mut self, descriptions: Descriptions) -> Self {
        self.descriptions = Some(descriptions);
        self
    }

    /// A label of the document, beside those that the resource's author declared or in the place of one.
    #[must_use]
    pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }

    /// An annotation of the document, beside those that the resource's author declared or in the place of one.
    #[must_use]
    pub fn annotation(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.annotations.insert(key.into(), value.into());
        self
    }
}
