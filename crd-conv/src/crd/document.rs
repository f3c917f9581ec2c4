//! The document, with the names of the Kubernetes API.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::{
    json::Json,
    schema::Schema,
    verify::{VerificationReport, verify},
};

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
    /// The specification.
    pub spec: CrdSpec,
}

impl Crd {
    /// Checks the document the way the API server does.
    ///
    /// For a document from [`ResourceType::crd`](crate::ResourceType::crd), the report has no violations,
    /// but it may have warnings.
    pub fn verify(&self) -> VerificationReport {
        verify(&self.to_tree())
    }

    pub(crate) fn to_tree(&self) -> Json {
        Json::from(&self.to_value())
    }

    pub(crate) fn to_value(&self) -> Value {
        written(serde_json::to_value(self))
    }

    /// Writes the document as JSON, ending in a newline.
    pub fn to_json(&self) -> String {
        written(serde_json::to_string_pretty(self)) + "\n"
    }

    /// Writes the document as YAML, ending in a newline.
    ///
    /// # Errors
    ///
    /// Never fails for a document from [`ResourceType::crd`](crate::ResourceType::crd).
    #[cfg(feature = "yaml")]
    pub fn to_yaml(&self) -> Result<String, crate::yaml::YamlError> {
        crate::yaml::to_string(self)
    }
}

/// Unwraps a written document. `serde_json` only fails for keys that aren't strings, and for types that refuse to be
/// written: the document has neither.
fn written<T>(result: serde_json::Result<T>) -> T {
    result.unwrap_or_else(|error| unreachable!("a document can always be written: {error}"))
}

/// The name, labels and annotations of the document in the cluster.
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
    /// The versions, the most preferred one first.
    pub versions: Vec<CrdVersion>,
    /// How objects are converted between the versions.
    pub conversion: Conversion,
}

/// The names of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Names {
    /// The name in URLs.
    pub plural: String,
    /// The name on the command line.
    pub singular: String,
    /// Short names on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// The kind in objects.
    pub kind: String,
    /// The kind of lists of objects.
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
    /// Whether the API server serves it.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// Whether clients that use it get a warning.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
    /// The text of that warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecation_warning: Option<String>,
    /// The schema of its objects.
    pub schema: Validation,
    /// The status and scale subresources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subresources: Option<Subresources>,
    /// The columns of `kubectl get`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub additional_printer_columns: Vec<Column>,
    /// The fields that field selectors may use.
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
    /// Present, and written as `{}`, if the status is a subresource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Empty>,
    /// The fields in which `kubectl scale` finds its numbers.
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
    /// A path below `.spec`.
    pub spec_replicas_path: String,
    /// A path below `.status`.
    pub status_replicas_path: String,
    /// A path below `.spec` or `.status`.
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
    /// What the column shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// 0 for the standard view, greater for `-o wide`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// The path of the value.
    pub json_path: String,
}

/// A path that field selectors may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SelectableField {
    /// The path.
    pub json_path: String,
}

/// How objects are converted between the versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Conversion {
    /// `None` or `Webhook`.
    pub strategy: &'static str,
    /// The webhook, if the strategy is `Webhook`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookConversion>,
}

/// How the API server calls the webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WebhookConversion {
    /// The webhook's address.
    pub client_config: ClientConfig,
    /// The versions of `ConversionReview` that it answers, the most preferred one first.
    pub conversion_review_versions: Vec<String>,
}

/// The webhook's address: either a URL or a service.
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
    /// The certificates that the API server checks the webhook's certificate against: PEM in
    /// base64.
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
    /// The path of the URL. The API server's default is `/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The port. The API server's default is 443.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
}
