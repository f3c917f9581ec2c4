//! The address of the conversion webhook.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{ClientConfig, CrdError, ServiceReference, WebhookConversion};

/// The path at which the webhook's server listens by default.
const PATH: &str = "/convert";

/// The address at which the API server finds the conversion webhook.
///
/// ```
/// use crd_conv::crd::Webhook;
///
/// Webhook::service("default", "conversion").path("/conversions").port(8443);
/// Webhook::url("https://conversion.example.com/convert").review_versions(["v1"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Webhook {
    pub(crate) service_namespace: Option<String>,
    pub(crate) service_name: Option<String>,
    pub(crate) service_path: Option<String>,
    pub(crate) service_port: Option<u16>,
    pub(crate) url: Option<String>,
    pub(crate) ca_bundle: Option<Vec<u8>>,
    pub(crate) review_versions: Option<Vec<String>>,
}

impl Webhook {
    /// Makes the address of a service in the cluster.
    pub fn service(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            service_namespace: Some(namespace.into()),
            service_name: Some(name.into()),
            ..Self::default()
        }
    }

    /// For a definition of which nobody asks where the webhook is.
    pub(crate) fn anywhere() -> Self {
        Self::service("default", "conversion")
    }

    /// Makes the address of a server outside the cluster.
    pub fn url(url: impl Into<String>) -> Self {
        Self { url: Some(url.into()), ..Self::default() }
    }

    /// Sets the path at the service. The default is `/convert`, where the command `serve` and
    /// `Server` listen. The document always has a path: without one, the API server would use `/`.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.service_path = Some(path.into());
        self
    }

    /// Sets the port of the service. The API server's default is 443.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.service_port = Some(port);
        self
    }

    /// Sets the certificates, as PEM, that the API server checks the webhook's certificate against.
    ///
    /// Leave it out if something in the cluster injects them.
    #[must_use]
    pub fn ca_bundle(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.ca_bundle = Some(pem.into());
        self
    }

    /// Sets the versions of `ConversionReview`, the most preferred one first. The default is `v1`,
    /// then `v1beta1`.
    #[must_use]
    pub fn review_versions(
        mut self,
        versions: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.review_versions = Some(versions.into_iter().map(Into::into).collect());
        self
    }

    /// `None` if it isn't clear which webhook is meant. What else is wrong is found in the finished document.
    pub(super) fn conversion(&self, errors: &mut Vec<CrdError>) -> Option<WebhookConversion> {
        let before = errors.len();
        let service = self.service_reference(&mut |text| errors.push(CrdError::Webhook(text)));
        if errors.len() > before {
            return None;
        }
        let versions = self
            .review_versions
            .clone()
            .unwrap_or_else(|| vec!["v1".to_owned(), "v1beta1".to_owned()]);
        Some(WebhookConversion {
            client_config: ClientConfig {
                url: self.url.clone(),
                service,
                ca_bundle: self.ca_bundle.as_deref().map(|pem| STANDARD.encode(pem)),
            },
            conversion_review_versions: versions,
        })
    }

    pub(crate) fn path_at_service(&self) -> &str {
        self.service_path.as_deref().unwrap_or(PATH)
    }

    fn service_reference(&self, refuse: &mut dyn FnMut(String)) -> Option<ServiceReference> {
        let wants_service = self.service_namespace.is_some()
            || self.service_name.is_some()
            || self.service_path.is_some()
            || self.service_port.is_some();
        if self.url.is_some() {
            if wants_service {
                refuse("the webhook has both a URL and a service; give one of them".to_owned());
            }
            return None;
        }
        for (what, value) in [("name", &self.service_name), ("namespace", &self.service_namespace)]
        {
            if value.as_deref().is_none_or(str::is_empty) {
                refuse(format!(
                    "the webhook's service has no {what}; give `--service-{what}`, or `Webhook::service` in code"
                ));
            }
        }
        Some(ServiceReference {
            namespace: self.service_namespace.clone().unwrap_or_default(),
            name: self.service_name.clone().unwrap_or_default(),
            path: Some(self.path_at_service().to_owned()),
            port: self.service_port,
        })
    }
}
