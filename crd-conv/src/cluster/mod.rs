//! Installs the CustomResourceDefinition in a cluster, and checks that `kube`'s derive agrees with
//! the resource.
//!
//! - [`Install`] creates or updates the CustomResourceDefinition. It loses nothing, and never
//!   points to a webhook that doesn't answer.
//! - [`Crd::to_k8s_openapi`](crate::crd::Crd::to_k8s_openapi) makes the type that `kube` works
//!   with.
//! - [`assert_kube!`](crate::assert_kube) compares `kube::CustomResource` on a version's struct
//!   with the resource.
//! - With the feature `server`, `CertificateSecret` keeps the webhook's certificate and the CA
//!   bundle current without cert-manager.
//!
//! Your program chooses the Kubernetes version of `k8s-openapi`'s types, and the TLS implementation
//! of `kube`:
//!
//! ```toml
//! [dependencies]
//! crd-conv = { version = "0.1", features = ["kube"] }
//! k8s-openapi = { version = "0.29", features = ["latest"] }
//! kube = "5" # with `rustls-tls` and `ring`
//! ```

mod agree;
#[cfg(feature = "server")]
mod certificate;
mod error;
mod install;
mod migrating;
#[cfg(test)]
pub(crate) mod mock;
#[cfg_attr(not(feature = "migrate"), expect(dead_code, reason = "a migration counts"))]
pub(crate) mod pages;
mod probe;
#[cfg_attr(not(feature = "migrate"), expect(dead_code, reason = "a migration writes, too"))]
pub(crate) mod requests;
mod room;
mod said;
mod serving;
mod taken;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

#[doc(hidden)]
pub use agree::assert_agrees;
pub use agree::differences;
#[cfg(feature = "server")]
pub(crate) use certificate::Rotation;
#[cfg(feature = "server")]
pub use certificate::{CertificateSecret, SecretError};
pub use error::InstallError;
pub use install::{Change, Install};
#[cfg(feature = "migrate")]
pub(crate) use migrating::{CONDITION, StorageMigrating, storage_migrating};
pub use probe::{Probe, ProbeError};
pub(crate) use said::said;

use crate::crd::{Crd, CrdError, CrdErrors};

impl Crd {
    /// Makes the same document as the type of `k8s-openapi`, for code that takes that type.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() -> Result<(), std::boxed::Box<dyn std::error::Error>> {
    /// use crd_conv::{ResourceType, crd::{CrdOptions, Webhook}};
    ///
    /// let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
    /// let crd = ResourceType::of::<Box>().crd(&options)?.to_k8s_openapi()?;
    /// assert_eq!(crd.metadata.name.as_deref(), Some("boxes.example.com"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Never fails for a document from [`ResourceType::crd`](crate::ResourceType::crd). Fails if a field was changed to a
    /// value that the type can't have.
    pub fn to_k8s_openapi(&self) -> Result<CustomResourceDefinition, CrdErrors> {
        serde_json::from_value(self.to_value()).map_err(|error| CrdErrors {
            resource: self.metadata.name.clone(),
            errors: vec![CrdError::Declaration(error.to_string())],
        })
    }
}
