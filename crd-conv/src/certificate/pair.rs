//! A certificate and its key.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use tokio_rustls::rustls;
use tokio_rustls::rustls::crypto::CryptoProvider;
#[cfg(feature = "kube")]
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use super::error::CertificateError;

/// A certificate with its chain, and its key, both as PEM.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) certificate: Vec<u8>,
    pub(crate) key: Vec<u8>,
}

/// A pair that can be used.
pub(crate) struct Usable {
    pub(crate) key: Arc<CertifiedKey>,
    pub(crate) expiry: SystemTime,
}

impl Pair {
    /// Reads both files until nothing has changed between, so that they belong together.
    pub(crate) fn read(certificate: &Path, key: &Path) -> Result<Self, CertificateError> {
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

    /// Whether certificate and key can be used together.
    #[cfg(feature = "kube")]
    pub(crate) fn check(&self) -> Result<(), CertificateError> {
        self.parse(&ring::default_provider()).map(|_| ())
    }

    pub(crate) fn parse(&self, provider: &CryptoProvider) -> Result<Usable, CertificateError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.certificate).collect();
        let chain = chain.map_err(|error| CertificateError::Certificate(error.to_string()))?;
        let first = chain.first().ok_or_else(|| {
            CertificateError::Certificate("the PEM has no certificate".to_owned())
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
    pub(crate) fn unless_expired(self) -> Result<Self, CertificateError> {
        if self.expiry <= SystemTime::now() { Err(CertificateError::Expired) } else { Ok(self) }
    }
}
