//! `CustomResourceDefinition`s, as the API server takes them.

mod build;
mod depth;
mod error;
mod fill;
#[cfg(test)]
pub(crate) mod fixture;
mod rules;
mod source;
#[cfg(test)]
mod tests;
mod webhook;

use std::collections::BTreeMap;

use serde::Serialize;

pub use error::{CrdError, CrdErrors};
pub use webhook::Webhook;

use crate::{
    Resource,
    definition::Descriptions,
    json::Json,
    schema::Schema,
    verify::{Report, verify},
};

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

impl Resource {
    /// Makes the CustomResourceDefinition.
    ///
    /// The versions stand in the order in which Kubernetes prefers them. `conversion` is `None` if all versions are
    /// the same, else `Webhook`. The same source gives the same bytes, so this can run in a build script.
    ///
    /// # Errors
    ///
    /// Everything that the API server would refuse, all at once: Rust types without a structural schema, a webhook that is
    /// missing, and what [`verify`] finds in the finished document. Also a value for an added or removed field that
    /// isn't the schema's default for that field, a path of the scale subresource to a field that may be null, and a
    /// CA bundle without a certificate.
    pub fn crd(&self, options: &CrdOptions) -> Result<Crd, CrdErrors> {
        build::build(self.definition(), options)
    }
}

/// A CustomResourceDefinition, with its fields in the order of the Kubernetes API.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Crd {
    /// `apiextensions.k8s.io/v1`.
    pub api_version: &'static str,
    /// `CustomResourceDefinition`.
    pub kind: &'static str,
    /// Name, labels and annotations.
    pub metadata: Metadata,
    /// Everything else.
    pub spec: CrdSpec,
}

impl Crd {
    /// What the API server would say of the document. It refuses nothing of what [`Resource::crd`] made, but there may be
    /// warnings.
    ///
    /// # Errors
    ///
    /// Never for what [`Resource::crd`] made.
    pub fn verify(&self) -> Result<Report, serde_json::Error> {
        Ok(verify(&self.to_tree()?))
    }

    pub(crate) fn to_tree(&self) -> Result<Json, serde_json::Error> {
        Ok(Json::from(&serde_json::to_value(self)?))
    }

    /// The document as JSON, ending in a newline.
    ///
    /// # Errors
    ///
    /// Never for what [`Resource::crd`] made.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// The document as YAML, ending in a newline.
    ///
    /// # Errors
    ///
    /// Never for what [`Resource::crd`] made.
    #[cfg(feature = "yaml")]
    pub fn to_yaml(&self) -> Result<String, crate::yaml::YamlError> {
        crate::yaml::to_string(self)
    }
}

/// What names the document in the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Metadata {
    /// `<plural>.<group>`.
    pub name: String,
    /// Labels.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// The specification.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CrdSpec {
    /// The API group.
    pub group: String,
    /// The names of the resource.
    pub names: Names,
    /// `Cluster` or `Namespaced`.
    pub scope: &'static str,
    /// The versions, the most preferred first.
    pub versions: Vec<CrdVersion>,
    /// How objects get from one version to another.
    pub conversion: Conversion,
}

/// The names of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Names {
    /// In URLs.
    pub plural: String,
    /// On the command line.
    pub singular: String,
    /// Short names on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// In objects.
    pub kind: String,
    /// In lists of objects.
    pub list_kind: String,
    /// Groups of resources on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

/// One version.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CrdVersion {
    /// Its name.
    pub name: String,
    /// Whether the API server offers it.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// Whether users are warned of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
    /// The text of that warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecation_warning: Option<String>,
    /// The schema of its objects.
    pub schema: Validation,
    /// Status and scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subresources: Option<Subresources>,
    /// The columns of `kubectl get`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub additional_printer_columns: Vec<Column>,
    /// What field selectors may name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selectable_fields: Vec<SelectableField>,
}

/// Wraps a schema.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Validation {
    /// The schema.
    #[serde(rename = "openAPIV3Schema")]
    pub open_api_v3_schema: Schema,
}

/// The subresources of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Subresources {
    /// Written as `{}` if the status is a subresource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Empty>,
    /// Where `kubectl scale` finds its numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScalePaths>,
}

/// An object without members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Empty {}

/// The paths of the scale subresource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ScalePaths {
    /// Below `.spec`.
    pub spec_replicas_path: String,
    /// Below `.status`.
    pub status_replicas_path: String,
    /// Below either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_selector_path: Option<String>,
}

/// One column of `kubectl get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Column {
    /// The header.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// What the column says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// 0 for the standard view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// Where the value stands.
    pub json_path: String,
}

/// A path that field selectors may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SelectableField {
    /// The path.
    pub json_path: String,
}

/// How objects get from one version to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Conversion {
    /// `None` or `Webhook`.
    pub strategy: &'static str,
    /// The webhook, with the strategy `Webhook`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookConversion>,
}

/// How the API server calls the webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WebhookConversion {
    /// Where it is.
    pub client_config: ClientConfig,
    /// The versions of `ConversionReview` that it answers, the most preferred first.
    pub conversion_review_versions: Vec<String>,
}

/// Where the webhook is: exactly one of URL and service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ClientConfig {
    /// Its URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its service in the cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceReference>,
    /// The certificates that its own is checked against: PEM in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca_bundle: Option<String>,
}

/// A service in the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ServiceReference {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The path of the URL; the API server's default is `/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The port; the API server's default is 443.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
}
