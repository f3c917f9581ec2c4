//! The reasons why a certificate can't be used.

use std::path::PathBuf;
use std::{fmt, io};

/// The reason why a certificate and its key can't be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file can't be read.
    File(PathBuf, io::Error),
    /// The certificate isn't a PEM certificate.
    Certificate(String),
    /// The key isn't a PEM key, or is of a kind that can't be used.
    Key(String),
    /// The key belongs to another certificate.
    Mismatch,
    /// The Secret in a cluster doesn't give it, for the given reason.
    Secret(String),
    /// The certificate has expired. A server starts with an expired certificate, but doesn't switch
    /// to one.
    Expired,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "can't read `{}`: {error}", path.display()),
            Self::Certificate(what) => write!(f, "the certificate can't be used: {what}"),
            Self::Key(what) => write!(f, "the certificate's key can't be used: {what}"),
            Self::Mismatch => f.write_str("the key doesn't belong to the certificate"),
            Self::Secret(why) => f.write_str(why),
            Self::Expired => f.write_str("the certificate has expired"),
        }
    }
}

impl std::error::Error for CertificateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            _ => None,
        }
    }
}
