//! The server's certificate, and its change while connections go on.
//!
//! `ring` does the cryptography. It needs nothing but a C compiler to build, where `aws-lc-rs` also takes a minute and, on some systems,
//! another build tool. It is named here and not installed for the process, so an author's other connections may use another.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use std::{fmt, io};

use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{self, ServerConfig};
use tracing::{error, info, warn};
use x509_cert::Certificate;
use x509_cert::der::Decode;

use super::conversion::Conversion;
use super::error::CertificateError;
use super::metrics::Metrics;

/// Where a certificate and its key come from.
#[derive(Clone)]
pub(super) enum Source {
    Files { certificate: PathBuf, key: PathBuf },
    Pem { certificate: Vec<u8>, key: Vec<u8> },
}

/// Without the key.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Files { certificate, key } => {
                f.debug_struct("Files").field("certificate", certificate).field("key", key).finish()
            }
            Self::Pem { .. } => f.write_str("Pem"),
        }
    }
}

/// A certificate with its chain, and its key, both as PEM.
#[derive(Clone, PartialEq, Eq)]
struct Pair {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// A pair that can be used.
struct Usable {
    key: Arc<CertifiedKey>,
    expiry: SystemTime,
}

/// What is presented to clients.
#[derive(Debug)]
struct Presented {
    current: RwLock<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for Presented {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// A configuration, and the files that it follows.
pub(super) struct Tls {
    pub(super) config: Arc<ServerConfig>,
    presented: Arc<Presented>,
    /// The files, and what they had when they were last looked at.
    files: Option<(PathBuf, PathBuf, Pair)>,
}

impl Tls {
    pub(super) fn new(source: Source, metrics: &Metrics) -> Result<Self, CertificateError> {
        let (pair, files) = match source {
            Source::Pem { certificate, key } => (Pair { certificate, key }, None),
            Source::Files { certificate, key } => {
                let pair = Pair::read(&certificate, &key)?;
                (pair.clone(), Some((certificate, key, pair)))
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
        Ok(Self { config: Arc::new(config), presented, files })
    }

    /// Looks at the files again and again, and takes what they hold for new connections.
    ///
    /// Their contents are compared, because what a file system tells of changes depends on how a volume is mounted, and Kubernetes
    /// changes neither of the two paths but a link on the way to them.
    pub(super) async fn follow(self, period: Duration, conversion: Conversion) {
        let Self { config, presented, files: Some((certificate, key, mut seen)) } = self else {
            return std::future::pending().await;
        };
        loop {
            tokio::time::sleep(period).await;
            let paths = (certificate.clone(), key.clone());
            let read = tokio::task::spawn_blocking(move || Pair::read(&paths.0, &paths.1));
            let outcome = match read.await {
                // The runtime ends.
                Err(_) => return,
                Ok(Ok(pair)) if pair == seen => continue,
                Ok(Ok(pair)) => {
                    seen = pair;
                    seen.parse(config.crypto_provider()).and_then(Usable::unless_expired)
                }
                Ok(Err(error)) => {
                    // Said once, until there are files again.
                    let none = Pair { certificate: Vec::new(), key: Vec::new() };
                    if std::mem::replace(&mut seen, none.clone()) == none {
                        continue;
                    }
                    Err(error)
                }
            };
            match outcome {
                Ok(Usable { key, expiry }) => {
                    *presented.current.write().unwrap_or_else(PoisonError::into_inner) = key;
                    conversion.counters().count_reload(Some(expiry));
                    info!(file = %certificate.display(), "took a new certificate");
                }
                Err(error) => {
                    conversion.counters().count_reload(None);
                    error!(%error, "the new certificate can't be used, so the one before stays");
                }
            }
        }
    }
}

impl Pair {
    /// Reads both files until nothing has changed between, so that they belong together.
    fn read(certificate: &Path, key: &Path) -> Result<Self, CertificateError> {
        const ATTEMPTS: usize = 5;
        let file = |path: &Path| {
            std::fs::read(path)
                .map_err(|error: io::Error| CertificateError::File(path.to_owned(), error))
        };
        let read = || Ok(Self { certificate: file(certificate)?, key: file(key)? });
        let mut pair = read()?;
        for _ in 0..ATTEMPTS {
            let again = read()?;
            if pair == again {
                break;
            }
            pair = again;
        }
        Ok(pair)
    }

    fn parse(&self, provider: &CryptoProvider) -> Result<Usable, CertificateError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.certificate).collect();
        let chain = chain.map_err(|error| CertificateError::Certificate(error.to_string()))?;
        let first = chain.first().ok_or_else(|| {
            CertificateError::Certificate("there is no certificate in the PEM".to_owned())
        })?;
        let expiry = Certificate::from_der(first)
            .map_err(|error| CertificateError::Certificate(error.to_string()))?
            .tbs_certificate()
            .validity()
            .not_after
            .to_unix_duration();
        let key = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|error| CertificateError::Key(error.to_string()))?;
        let key = CertifiedKey::from_der(chain, key, provider).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => CertificateError::Mismatch,
            error => CertificateError::Key(error.to_string()),
        })?;
        Ok(Usable { key: Arc::new(key), expiry: SystemTime::UNIX_EPOCH + expiry })
    }
}

impl Usable {
    fn unless_expired(self) -> Result<Self, CertificateError> {
        if self.expiry <= SystemTime::now() { Err(CertificateError::Expired) } else { Ok(self) }
    }
}
