//! Certificates: what both the server and the Secret of a cluster ask of them.

mod error;
mod pair;
mod self_signed;

pub use error::CertificateError;
pub(crate) use pair::{Pair, Usable};
pub use self_signed::SelfSigned;
