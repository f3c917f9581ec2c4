//! The parts of a document that the definition doesn't contain.

use std::collections::BTreeMap;

use super::Webhook;
use crate::definition::Descriptions;

/// The parts of a CustomResourceDefinition that the resource's author didn't declare.
///
/// ```
/// use crd_conv::crd::{CrdOptions, Webhook};
///
/// let options = CrdOptions::new()
///     .webhook(Webhook::service("default", "conversion"))
///     .annotation("cert-manager.io/inject-ca-from", "default/conversion");
/// ```
#[derive(Clone, Debug, Default)]
pub struct CrdOptions {
    pub(crate) webhook: Option<Webhook>,
    pub(crate) descriptions: Option<Descriptions>,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) types_only: bool,
}

impl CrdOptions {
    /// Makes empty options. They are enough for a resource whose versions are all the same.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the address of the conversion webhook, for resources that need one.
    #[must_use]
    pub fn webhook(mut self, webhook: Webhook) -> Self {
        self.webhook = Some(webhook);
        self
    }

    /// Sets which part of the types' doc comments the schemas contain, instead of what the
    /// resource's author declared.
    #[must_use]
    pub fn descriptions(mut self, descriptions: Descriptions) -> Self {
        self.descriptions = Some(descriptions);
        self
    }

    /// Leaves out what conversions add to the document, to compare it with the one that the types
    /// were imported from.
    ///
    /// The document has no `status.conversionEntries`, and a conversion stanza only if a
    /// [`webhook`](Self::webhook) is set. The mapping isn't checked. Don't apply this document if
    /// the versions differ: the API server would drop fields instead of converting them.
    ///
    /// ```
    /// use crd_conv::crd::CrdOptions;
    ///
    /// let options = CrdOptions::new().types_only();
    /// ```
    #[must_use]
    pub fn types_only(mut self) -> Self {
        self.types_only = true;
        self
    }

    /// Adds a label to the document, or replaces one that the resource's author declared.
    #[must_use]
    pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }

    /// Adds an annotation to the document, or replaces one that the resource's author declared.
    #[must_use]
    pub fn annotation(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.annotations.insert(key.into(), value.into());
        self
    }
}
