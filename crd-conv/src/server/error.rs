//! The reasons why a server doesn't start.

use std::net::SocketAddr;
use std::{fmt, io};

use crate::certificate::CertificateError;

/// The reason why a server doesn't start.
///
/// `Display` writes one sentence.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerError {
    /// The server has no certificate.
    NoCertificate,
    /// The server's certificate or its key can't be used.
    Certificate(CertificateError),
    /// The server can't listen on an address.
    Address(SocketAddr, io::Error),
    /// The server can't serve conversions at a path, for the given reason.
    Path(String),
    /// The server can't receive signals for the process.
    Signals(io::Error),
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCertificate => f.write_str(
                "the server has no certificate, and the API server calls webhooks only over HTTPS: give the server the files of a \
                 certificate and its key",
            ),
            Self::Certificate(error) => error.fmt(f),
            Self::Address(address, error) => write!(f, "can't listen on {address}: {error}"),
            Self::Path(what) => f.write_str(what),
            Self::Signals(error) => write!(f, "can't wait for signals: {error}"),
        }
    }
}

impl std::error::Error for ServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Certificate(error) => error.source(),
            Self::Address(_, error) | Self::Signals(error) => Some(error),
            _ => None,
        }
    }
}

impl From<CertificateError> for ServerError {
    fn from(error: CertificateError) -> Self {
        Self::Certificate(error)
    }
}
