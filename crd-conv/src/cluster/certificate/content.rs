//! The content of the Secret, and what it should be next.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use k8s_openapi::ByteString;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use x509_cert::Certificate;
use x509_cert::der::Decode;
use x509_cert::ext::pkix::{SubjectAltName, name::GeneralName};

use crate::certificate::{CertificateError, Pair, SelfSigned};

/// The names of the type `kubernetes.io/tls`, and the names of the next pair.
const CA: &str = "ca.crt";
const PAIR: [&str; 2] = ["tls.crt", "tls.key"];
const NEXT: [&str; 2] = ["next-tls.crt", "next-tls.key"];
/// Distinguishes this Secret from one that another program made.
const MADE_BY: (&str, &str) = ("made-by", "crd-conv");

/// Limits the bundle, even if names keep changing or a client keeps deleting the Secret.
const MOST_AUTHORITIES: usize = 8;

/// A Secret's content that can be used.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Content {
    /// The authorities that clients trust, as PEM, newest first.
    pub(super) authorities: Vec<String>,
    /// The pair that is served.
    pub(super) pair: Pair,
    /// The pair to serve as soon as all clients trust its authority.
    pub(super) next: Option<Pair>,
}

/// The result of reading the Secret.
pub(super) enum Found {
    /// There is no Secret, it is empty, or this program's content can't be used any more.
    Nothing,
    Content(Content),
    /// The certificate of another program.
    Foreign,
}

/// The requirements for certificates.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) names: Vec<String>,
    pub(super) validity: Duration,
}

impl Content {
    pub(super) fn read(data: &BTreeMap<String, ByteString>, now: SystemTime) -> Found {
        let field = |name: &str| data.get(name).map(|bytes| bytes.0.clone()).unwrap_or_default();
        if field(MADE_BY.0) != MADE_BY.1.as_bytes() {
            let is_empty = PAIR.iter().all(|name| field(name).is_empty());
            return if is_empty { Found::Nothing } else { Found::Foreign };
        }
        let pair = |[certificate, key]: [&str; 2]| Pair {
            certificate: field(certificate),
            key: field(key),
        };
        let authorities = authorities(&field(CA));
        let is_good = |pair: &Pair| is_usable(pair, &authorities, now);
        let (own, next) = (pair(PAIR), Some(pair(NEXT)).filter(is_good));
        match (is_good(&own), next) {
            (true, next) => Found::Content(Self { authorities, pair: own, next }),
            // No replica ran in time to switch to the next pair.
            (false, Some(pair)) => Found::Content(Self { authorities, pair, next: None }),
            (false, None) => Found::Nothing,
        }
    }

    /// Writes the content next to other data in the Secret.
    pub(super) fn write(&self, data: &mut BTreeMap<String, ByteString>) {
        let mut set = |name: &str, value: &[u8]| {
            data.insert(name.to_owned(), ByteString(value.to_vec()));
        };
        set(MADE_BY.0, MADE_BY.1.as_bytes());
        set(CA, self.bundle().as_bytes());
        set(PAIR[0], &self.pair.certificate);
        set(PAIR[1], &self.pair.key);
        match &self.next {
            Some(next) => {
                set(NEXT[0], &next.certificate);
                set(NEXT[1], &next.key);
            }
            None => NEXT.iter().for_each(|name| drop(data.remove(*name))),
        }
    }

    /// The `caBundle` of the CustomResourceDefinitions.
    pub(super) fn bundle(&self) -> String {
        self.authorities.concat()
    }

    /// Makes a content whose certificate is served at once. The authorities that clients trust now
    /// stay trusted, because another replica may serve a certificate that they signed.
    pub(super) fn first<'a>(
        wanted: &Wanted,
        trusted: impl Iterator<Item = &'a [u8]>,
        now: SystemTime,
    ) -> Result<Self, CertificateError> {
        let made = SelfSigned::valid_for(wanted.names.clone(), wanted.validity)?;
        let mut this = Self {
            authorities: vec![made.authority().to_owned()],
            pair: pair_of(&made),
            next: None,
        };
        this.trust(trusted, now);
        Ok(this)
    }

    /// Replaces a Secret that another client deleted. The current pair is served until the new one
    /// is trusted.
    pub(super) fn again<'a>(
        &self,
        wanted: &Wanted,
        trusted: impl Iterator<Item = &'a [u8]>,
        now: SystemTime,
    ) -> Result<Self, CertificateError> {
        let mut this = Self { next: None, ..self.clone() };
        this.stage(wanted)?;
        this.trust(trusted, now);
        Ok(this)
    }

    /// Also trusts the authorities in the bundles of CustomResourceDefinitions.
    fn trust<'a>(&mut self, bundles: impl Iterator<Item = &'a [u8]>, now: SystemTime) {
        for authority in bundles.flat_map(authorities) {
            if !self.authorities.contains(&authority) {
                self.authorities.push(authority);
            }
        }
        self.forget(now);
    }

    fn forget(&mut self, now: SystemTime) {
        let is_valid = |authority: &String| {
            parsed(authority.as_bytes()).is_some_and(|one| is_valid(&one, now))
        };
        self.authorities.retain(is_valid);
        self.authorities.truncate(MOST_AUTHORITIES);
    }

    /// Makes the next pair if it is time: less than a third of the validity is left, or a name is
    /// missing.
    pub(super) fn renewed(
        self,
        wanted: &Wanted,
        now: SystemTime,
    ) -> Result<Self, CertificateError> {
        let mut this = self;
        this.forget(now);
        if this.next.is_some() {
            return Ok(this);
        }
        let Some(certificate) = parsed(&this.pair.certificate) else { return Ok(this) };
        let left = expiry(&certificate).duration_since(now).unwrap_or_default();
        let present = names(&certificate);
        if !wanted.names.iter().all(|name| present.contains(name)) {
            // A replica with another release may need the other names.
            let mut all = Wanted { names: present, ..wanted.clone() };
            all.names.extend(wanted.names.iter().cloned());
            all.names.sort_unstable();
            all.names.dedup();
            this.stage(&all)?;
        } else if left < wanted.validity / 3 {
            this.stage(wanted)?;
        }
        Ok(this)
    }

    /// Makes the next pair. Its authority is trusted from now on, in addition to the previous one.
    fn stage(&mut self, wanted: &Wanted) -> Result<(), CertificateError> {
        let made = SelfSigned::valid_for(wanted.names.clone(), wanted.validity)?;
        self.authorities.insert(0, made.authority().to_owned());
        self.next = Some(pair_of(&made));
        Ok(())
    }

    pub(super) fn is_usable(&self, now: SystemTime) -> bool {
        is_usable(&self.pair, &self.authorities, now)
    }

    /// Replaces the current pair with the next one. The authority of the previous pair stays,
    /// because another replica may still serve that pair.
    pub(super) fn promoted(self) -> Self {
        match self.next {
            Some(pair) => Self { pair, next: None, ..self },
            None => self,
        }
    }
}

fn pair_of(made: &SelfSigned) -> Pair {
    Pair { certificate: made.certificate().into(), key: made.key().into() }
}

/// Whether certificate and key match, are valid now, and are signed by an authority that clients
/// trust.
fn is_usable(pair: &Pair, authorities: &[String], now: SystemTime) -> bool {
    let Some(certificate) = parsed(&pair.certificate) else { return false };
    let issuer = certificate.tbs_certificate().issuer();
    let is_trusted =
        authorities.iter().filter_map(|authority| parsed(authority.as_bytes())).any(|authority| {
            authority.tbs_certificate().subject() == issuer && is_valid(&authority, now)
        });
    is_trusted && is_valid(&certificate, now) && pair.check().is_ok()
}

fn is_valid(certificate: &Certificate, now: SystemTime) -> bool {
    expiry(certificate) > now
}

fn expiry(certificate: &Certificate) -> SystemTime {
    let validity = certificate.tbs_certificate().validity();
    SystemTime::UNIX_EPOCH + validity.not_after.to_unix_duration()
}

/// The first certificate in a PEM.
fn parsed(pem: &[u8]) -> Option<Certificate> {
    let first = CertificateDer::from_pem_slice(pem).ok()?;
    Certificate::from_der(&first).ok()
}

/// Splits a bundle into its certificates, each as PEM.
fn authorities(bundle: &[u8]) -> Vec<String> {
    const END: &str = "-----END CERTIFICATE-----";
    let text = String::from_utf8_lossy(bundle);
    let all = text.split_inclusive(END).map(|one| one.trim_start().to_owned() + "\n");
    all.filter(|one| parsed(one.as_bytes()).is_some()).collect()
}

fn names(certificate: &Certificate) -> Vec<String> {
    let found = certificate.tbs_certificate().get_extension::<SubjectAltName>();
    let Ok(Some((_, SubjectAltName(all)))) = found else { return Vec::new() };
    let name = |name: &GeneralName| match name {
        GeneralName::DnsName(name) => Some(name.to_string()),
        GeneralName::IpAddress(address) => {
            let bytes = address.as_bytes();
            let four = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
            let address = four.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from));
            address.ok().map(|address| address.to_string())
        }
        _ => None,
    };
    all.iter().filter_map(name).collect()
}
