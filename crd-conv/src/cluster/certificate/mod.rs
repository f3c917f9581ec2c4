//! A certificate that the replicas of a webhook make themselves and share in a Secret.

mod content;
mod rotation;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use kube::Client;

use super::said;
use crate::certificate::CertificateError;
use crate::crd::Webhook;
use content::Wanted;
pub(crate) use rotation::Rotation;

/// A certificate that the replicas of a webhook make themselves and share in a Secret, for clusters
/// without cert-manager.
///
/// The first replica makes an authority, and a certificate signed by it, and writes them into the
/// Secret. All replicas serve what the Secret contains, and write the authority into `caBundle` of
/// the CustomResourceDefinitions that send their requests to one of the certificate's names.
///
/// When a third of the certificate's time is left, one replica makes a new authority and a new
/// certificate. The new authority is trusted in addition to the previous one. The new certificate
/// is served only after [some time](Self::overlap) in which all API servers have received the new
/// authority. So no request fails, whichever replica it reaches. The authorities' keys are stored
/// nowhere.
///
/// All writes are conditional on what was read, so that replicas that do the same at once agree.
/// The Secret has the type `kubernetes.io/tls`. It may exist already and be empty, so that no
/// permission to create one is needed. If it has the certificate of another program, it is left
/// alone. To get a new certificate at once, delete the Secret.
///
/// These permissions are needed:
///
/// - `get` and `update` of the Secret, and `create` of secrets unless it exists.
/// - `get` and `patch` of the CustomResourceDefinitions.
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # async fn serve(client: kube::Client) -> Result<(), crd_conv::server::ServerError> {
/// use crd_conv::{ResourceType, crd::Webhook, cluster::CertificateSecret, server::Server};
///
/// let webhook = Webhook::service("operators", "box-conversion");
/// Server::new([ResourceType::of::<Box>()])
///     .certificate_secret(CertificateSecret::new(client, "operators", "box-conversion-tls").webhook(&webhook))
///     .serve()
///     .await
/// # }
/// # fn main() {}
/// ```
#[derive(Clone)]
pub struct CertificateSecret {
    client: Client,
    namespace: String,
    name: String,
    wanted: Wanted,
    overlap: Duration,
}

impl CertificateSecret {
    /// Makes a certificate for the namespace and the name of a Secret.
    pub fn new(client: Client, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            client,
            namespace: namespace.into(),
            name: name.into(),
            wanted: Wanted { names: Vec::new(), validity: Duration::from_secs(90 * 24 * 60 * 60) },
            overlap: Duration::from_secs(60),
        }
    }

    /// Adds the name that the API server requests: `<name>.<namespace>.svc` of the webhook's
    /// service.
    #[must_use]
    pub fn webhook(self, webhook: &Webhook) -> Self {
        match (&webhook.service_name, &webhook.service_namespace) {
            (Some(name), Some(namespace)) => {
                let name = format!("{name}.{namespace}.svc");
                self.names([name])
            }
            _ => self,
        }
    }

    /// Adds DNS names and IP addresses to the certificate.
    #[must_use]
    pub fn names(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.wanted.names.extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets how long a certificate is valid. The default is 90 days.
    #[must_use]
    pub fn validity(mut self, time: Duration) -> Self {
        self.wanted.validity = time;
        self
    }

    /// Sets how long a new certificate's authority must be in the CustomResourceDefinitions before
    /// the certificate is served. The default is a minute.
    #[must_use]
    pub fn overlap(mut self, time: Duration) -> Self {
        self.overlap = time;
        self
    }
}

/// Leaves out the client.
impl fmt::Debug for CertificateSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { namespace, name, wanted, .. } = self;
        f.debug_struct("CertificateSecret")
            .field("namespace", namespace)
            .field("name", name)
            .field("names", &wanted.names)
            .finish_non_exhaustive()
    }
}

/// The reason why there is no certificate from a Secret.
#[derive(Debug)]
#[non_exhaustive]
pub enum SecretError {
    /// There is no name to make a certificate for.
    NoNames,
    /// The Secret has the certificate of another program.
    Foreign {
        /// The namespace and the name of the Secret.
        secret: String,
    },
    /// Something else writes the CA bundle of the CustomResourceDefinition.
    Injected {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The annotation that requests it.
        annotation: String,
    },
    /// A certificate can't be made.
    Made(Box<CertificateError>),
    /// Other clients wrote each time between reading and writing.
    Contended,
    /// The API server didn't answer in time.
    NoAnswer,
    /// A request failed.
    Client {
        /// The kind of request, and its target.
        doing: String,
        /// The reason why it failed.
        error: Box<kube::Error>,
    },
}

impl SecretError {
    /// Whether the error may go away by itself.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Contended | Self::NoAnswer => true,
            Self::Client { error, .. } => match &**error {
                kube::Error::Api(status) => status.code >= 500 || status.code == 429,
                error => !matches!(error, kube::Error::TlsRequired),
            },
            _ => false,
        }
    }
}

impl fmt::Display for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNames => f.write_str(
                "a certificate needs a name: declare the webhook's service, or give the names for which the API server asks",
            ),
            Self::Foreign { secret } => write!(
                f,
                "the Secret {secret} has the certificate of another program; name another Secret, or mount that one and serve its files"
            ),
            Self::Injected { name, annotation } => write!(
                f,
                "the annotation `{annotation}` of {name} lets another program write its CA bundle; remove the annotation, or serve the certificate of that \
                 program from files"
            ),
            Self::Made(error) => error.fmt(f),
            Self::Contended => f.write_str("other programs keep changing the Secret or the CustomResourceDefinition"),
            Self::NoAnswer => f.write_str("the API server doesn't answer in time"),
            Self::Client { doing, error } => write!(f, "can't {doing}: {}", said(error)),
        }
    }
}

impl std::error::Error for SecretError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Made(error) => Some(error),
            Self::Client { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<CertificateError> for SecretError {
    fn from(error: CertificateError) -> Self {
        Self::Made(Box::new(error))
    }
}
