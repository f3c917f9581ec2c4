//! A certificate for development.

use std::fmt;
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

use super::error::CertificateError;

/// How long a certificate for development is valid.
const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A certificate for development, signed by a new authority whose key is thrown away.
///
/// ```
/// use crd_conv::server::SelfSigned;
///
/// let certificate = SelfSigned::new(["conversion.default.svc", "127.0.0.1"])?;
/// assert!(certificate.authority().starts_with("-----BEGIN CERTIFICATE-----"));
/// # Ok::<(), crd_conv::server::CertificateError>(())
/// ```
#[derive(Clone)]
pub struct SelfSigned {
    authority: String,
    certificate: String,
    key: String,
}

impl SelfSigned {
    /// Makes a certificate for DNS names and IP addresses.
    ///
    /// The API server calls a service by the name `<name>.<namespace>.svc`. The certificate is
    /// valid for a year.
    ///
    /// # Errors
    ///
    /// Fails if a name can't be in a certificate.
    pub fn new(
        names: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, CertificateError> {
        Self::valid_for(names.into_iter().map(Into::into).collect(), YEAR)
    }

    pub(crate) fn valid_for(
        names: Vec<String>,
        validity: Duration,
    ) -> Result<Self, CertificateError> {
        Self::signed(names, validity)
            .map_err(|error| CertificateError::Certificate(error.to_string()))
    }

    /// Returns the authority's certificate as PEM, for `caBundle`.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Returns the certificate as PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Returns the certificate's key as PEM.
    pub fn key(&self) -> &str {
        &self.key
    }

    fn signed(names: Vec<String>, validity: Duration) -> Result<Self, rcgen::Error> {
        let mut authority = CertificateParams::default();
        authority.distinguished_name.push(DnType::CommonName, "crd-conv");
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        limit(&mut authority, validity);
        let authority_key = KeyPair::generate()?;
        let authority_pem = authority.self_signed(&authority_key)?.pem();
        let issuer = Issuer::new(authority, authority_key);

        let mut server = CertificateParams::new(names)?;
        server.distinguished_name.push(DnType::CommonName, "crd-conv conversion webhook");
        server.use_authority_key_identifier_extension = true;
        server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        limit(&mut server, validity);
        let key = KeyPair::generate()?;
        let certificate = server.signed_by(&key, &issuer)?.pem();
        Ok(Self { authority: authority_pem, certificate, key: key.serialize_pem() })
    }
}

/// Without the key.
impl fmt::Debug for SelfSigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SelfSigned").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

fn limit(params: &mut CertificateParams, validity: Duration) {
    let epoch = date_time_ymd(1970, 1, 1);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // A client's clock may be behind.
    params.not_before = epoch + now.saturating_sub(DAY);
    params.not_after = epoch + now + validity;
}
