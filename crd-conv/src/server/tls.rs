//! The server's certificate, which can change while connections continue.
//!
//! `ring` does the cryptography. It needs only a C compiler to build. `aws-lc-rs` also takes a
//! minute and, on some systems, another build tool. `ring` is chosen here and not installed for the
//! process, so an author's other connections may use another library.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tracing::{error, info, warn};

use super::conversion::Conversion;
use super::metrics::Metrics;
use crate::certificate::{CertificateError, Pair, Usable};

/// Where a certificate and its key come from.
#[derive(Clone)]
pub(super) enum Source {
    Files {
        certificate: PathBuf,
        key: PathBuf,
    },
    Pem {
        certificate: Vec<u8>,
        key: Vec<u8>,
    },
    /// Also holds the names of the CustomResourceDefinitions that get the CA bundle.
    #[cfg(feature = "kube")]
    Secret(Box<(crate::cluster::CertificateSecret, Vec<String>)>),
}

/// Leaves out the key.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Files { certificate, key } => {
                f.debug_struct("Files").field("certificate", certificate).field("key", key).finish()
            }
            Self::Pem { .. } => f.write_str("Pem"),
            #[cfg(feature = "kube")]
            Self::Secret(secret) => secret.fmt(f),
        }
    }
}

/// The certificate that clients get.
#[derive(Debug)]
struct Presented {
    current: RwLock<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for Presented {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// A configuration, and the source that it follows.
pub(super) struct Tls {
    pub(super) config: Arc<ServerConfig>,
    presented: Arc<Presented>,
    followed: Followed,
    /// The pair that was read last.
    seen: Pair,
}

/// The source in which another pair may appear.
enum Followed {
    Nothing,
    Files {
        certificate: PathBuf,
        key: PathBuf,
    },
    #[cfg(feature = "kube")]
    Secret(Box<crate::cluster::Rotation>),
}

impl Tls {
    #[cfg_attr(
        not(feature = "kube"),
        expect(clippy::unused_async, reason = "only a Secret has to be waited for")
    )]
    pub(super) async fn new(source: Source, metrics: &Metrics) -> Result<Self, CertificateError> {
        let (pair, followed) = match source {
            Source::Pem { certificate, key } => (Pair { certificate, key }, Followed::Nothing),
            Source::Files { certificate, key } => {
                (Pair::read(&certificate, &key)?, Followed::Files { certificate, key })
            }
            #[cfg(feature = "kube")]
            Source::Secret(secret) => {
                let (settings, names) = *secret;
                let mut rotation = Box::new(crate::cluster::Rotation::new(settings, names));
                let pair = rotation.first().await;
                let pair = pair.map_err(|error| CertificateError::Secret(error.to_string()))?;
                (pair, Followed::Secret(rotation))
            }
        };
        let provider = Arc::new(ring::default_provider());
        let Usable { key, expiry } = pair.parse(&provider)?;
        if expiry <= SystemTime::now() {
            warn!("the certificate has expired");
        }
        metrics.expires(expiry);
        let presented = Arc::new(Presented { current: RwLock::new(key) });
        let resolver: Arc<dyn ResolvesServerCert> = Arc::<Presented>::clone(&presented);
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13, &TLS12])
            .map_err(|error| CertificateError::Key(error.to_string()))?
            .with_no_client_auth()
            .with_cert_resolver(resolver);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { config: Arc::new(config), presented, followed, seen: pair })
    }

    /// Reads the pair at intervals, and uses a new pair for new connections.
    ///
    /// This compares the contents of files. Notifications from a file system depend on how a volume
    /// is mounted, and Kubernetes changes neither path, but a link on the way to both.
    pub(super) async fn follow(mut self, period: Duration, conversion: Conversion) {
        // An error is logged once, until it is over.
        let mut trouble: Option<String> = None;
        loop {
            tokio::time::sleep(period).await;
            let outcome = match self.followed.look().await {
                Ok(pair) => {
                    trouble = None;
                    if pair == self.seen {
                        continue;
                    }
                    self.seen = pair;
                    self.seen.parse(self.config.crypto_provider()).and_then(Usable::unless_expired)
                }
                Err(error) => {
                    let text = error.to_string();
                    if trouble.replace(text.clone()) == Some(text) {
                        continue;
                    }
                    if let CertificateError::Secret(_) = &error {
                        warn!(%error, "can't keep the certificate's Secret up to date");
                        continue;
                    }
                    // The next pair that can be read counts as new.
                    self.seen = Pair { certificate: Vec::new(), key: Vec::new() };
                    Err(error)
                }
            };
            match outcome {
                Ok(Usable { key, expiry }) => {
                    let current = &self.presented.current;
                    *current.write().unwrap_or_else(PoisonError::into_inner) = key;
                    conversion.counters().count_reload(Some(expiry));
                    info!("using a new certificate");
                }
                Err(error) => {
                    conversion.counters().count_reload(None);
                    error!(%error, "the new certificate can't be used; the server keeps the former one");
                }
            }
        }
    }
}

impl Followed {
    async fn look(&mut self) -> Result<Pair, CertificateError> {
        match self {
            Self::Nothing => std::future::pending().await,
            Self::Files { certificate, key } => {
                let paths = (certificate.clone(), key.clone());
                let read = tokio::task::spawn_blocking(move || Pair::read(&paths.0, &paths.1));
                match read.await {
                    Ok(outcome) => outcome,
                    // The runtime shuts down.
                    Err(_) => std::future::pending().await,
                }
            }
            #[cfg(feature = "kube")]
            Self::Secret(rotation) => {
                let pair = rotation.look().await;
                pair.map_err(|error| CertificateError::Secret(error.to_string()))
            }
        }
    }
}
