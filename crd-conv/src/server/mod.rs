//! The conversion webhook as an HTTPS server, with the feature `server`.
//!
//! [`Server`] is all of it. [`Conversion`] is its part above the connections, a `tower` service and routes of `axum`, for a server that
//! is there already.
//!
//! ```no_run
//! # mod v1 {
//! #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
//! #     pub struct Spec { pub size: i64 }
//! # }
//! # #[derive(crd_conv::Versioned)]
//! # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
//! # enum Box { #[versioned(storage)] V1 { spec: v1::Spec } }
//! use crd_conv::{Resource, server::{Server, ServerError}};
//!
//! #[tokio::main]
//! async fn main() -> Result<(), ServerError> {
//!     Server::new([Resource::of::<Box>()])
//!         .certificate_files("/tls/tls.crt", "/tls/tls.key")
//!         .serve()
//!         .await
//! }
//! ```
//!
//! # What a request gets
//!
//! | request | status | does the API server ask again? |
//! |---|---|---|
//! | a review, also one with an object that can't be converted | 200, and `result.status` in the answer | no |
//! | not JSON, cut off, or without `uid`, `apiVersion`, `kind` or `request` ([`Malformed`](crate::ReviewErrorKind::Malformed)) | 400 | no |
//! | of another kind, or of an unknown version ([`OtherKind`](crate::ReviewErrorKind::OtherKind), [`UnknownVersion`](crate::ReviewErrorKind::UnknownVersion)) | 422 | no |
//! | at another path | 404 | no |
//! | with another method than POST | 405 | no |
//! | whose body doesn't come in time | 408, and the connection is closed | no |
//! | with a body over the limit | 413, and the connection is closed | no |
//! | with another media type than `application/json`, or a content coding | 415 | no |
//! | while too many are under way, or too much is in memory | 429 with `Retry-After: 1` | after a second, up to ten times |
//! | a bug of this crate | 500 | no |
//! | while the server drains | 503 with `Retry-After: 1`, and the connection is closed | after a second, up to ten times; it comes to another replica |
//! | whose conversion takes too long | 504 | no: it would take as long again |
//!
//! Statuses of conversions other than 200 come with a `Status` of Kubernetes, whose message the API server hands to its client.
//!
//! # Metrics
//!
//! All names start with `crd_conv_`. Labels have few values, whatever clients send.
//!
//! | metric | labels | what it counts |
//! |---|---|---|
//! | `reviews_total` | `result`: `converted`, `failed`, or one for each row above | requests |
//! | `objects_total` | `group`, `kind`, `from`, `to`, `result`: `converted` or `failed` | objects; of a failed review only the one that failed it |
//! | `review_duration_seconds` | | from the head of a request to its answer |
//! | `kept_bytes_total` | | bytes of annotations written for what a version has no room for |
//! | `entries_not_restored_total` | `reason`: as [`Loss`](crate::Loss) | entries of annotations that were dropped or ignored |
//! | `fallbacks_total` | | values shown in the place of such as a converter refused |
//! | `requests_under_way`, `connections` | | what is open now |
//! | `overdue_conversions` | | conversions that still run although their request has timed out |
//! | `dropped_connections_total` | `reason`: `handshake` or `head` | connections of clients that took too long, or failed to agree on TLS |
//! | `certificate_expiry_timestamp_seconds` | | when the certificate expires |
//! | `certificate_reloads_total` | `result`: `loaded` or `refused` | changes of the certificate, in its files or in its Secret |
//!
//! # Logs
//!
//! Events of `tracing` have the target `crd_conv::server`. They name objects, versions and fields. What a converter says of a value may quote
//! it, so it is in the answer, which the API server hands to its client, and not in the log. A converter that panics is another matter:
//! the process's panic hook prints the message.

mod accept;
mod activity;
mod body;
mod conversion;
mod error;
mod lifecycle;
mod limits;
mod log;
mod metrics;
mod outcome;
mod run;
mod tls;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;

use crate::Resource;
pub use crate::certificate::{CertificateError, SelfSigned};
pub use conversion::Conversion;
pub use error::ServerError;
pub use limits::Limits;
pub use run::Bound;
use tls::Source;

/// A conversion webhook that serves HTTPS.
///
/// See [the module](self) for its answers.
#[derive(Debug)]
pub struct Server {
    resources: Vec<Resource>,
    limits: Limits,
    address: SocketAddr,
    probe_address: Option<SocketAddr>,
    path: String,
    routes: Router,
    source: Option<Source>,
    reload: Duration,
    withdrawal: Duration,
    drain: Duration,
}

impl Server {
    /// Takes the resources that it answers for.
    pub fn new(resources: impl IntoIterator<Item = Resource>) -> Self {
        Self {
            resources: resources.into_iter().collect(),
            limits: Limits::default(),
            address: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8443)),
            probe_address: None,
            path: "/convert".to_owned(),
            routes: Router::new(),
            source: None,
            reload: Duration::from_secs(5),
            withdrawal: Duration::from_secs(10),
            drain: Duration::from_secs(15),
        }
    }

    /// Where it listens; without this `0.0.0.0:8443`, so all of IPv4. `[::]:8443` is all of IPv6, and on most systems IPv4 too.
    #[must_use]
    pub fn address(mut self, address: SocketAddr) -> Self {
        self.address = address;
        self
    }

    /// Where it also serves `/healthz`, `/readyz` and `/metrics`, over plain HTTP. Without this they are only beside the
    /// conversions, over HTTPS.
    #[must_use]
    pub fn probe_address(mut self, address: SocketAddr) -> Self {
        self.probe_address = Some(address);
        self
    }

    /// The path of the conversions; without this `/convert`.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The PEM files of the certificate with its chain and of its key, as in a Secret of the type `kubernetes.io/tls`.
    ///
    /// Their contents are compared every five seconds, and a new pair is taken for new connections while others go on. If a new pair
    /// can't be used, the one before stays, which is logged and counted.
    #[must_use]
    pub fn certificate_files(
        mut self,
        certificate: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Self {
        self.source = Some(Source::Files { certificate: certificate.into(), key: key.into() });
        self
    }

    /// The certificate with its chain and its key as PEM, for good.
    #[must_use]
    pub fn certificate_pem(
        mut self,
        certificate: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> Self {
        self.source = Some(Source::Pem { certificate: certificate.into(), key: key.into() });
        self
    }

    /// A certificate for development.
    #[must_use]
    pub fn self_signed(self, certificate: &SelfSigned) -> Self {
        self.certificate_pem(certificate.certificate(), certificate.key())
    }

    /// A certificate that the replicas make themselves and share in a Secret. They keep the CA bundle of the CustomResourceDefinitions
    /// of this server's resources current, too.
    ///
    /// The Secret is read every five seconds, and a new pair is taken for new connections while others go on.
    #[cfg(feature = "kube")]
    #[must_use]
    pub fn certificate_secret(mut self, secret: crate::kube::CertificateSecret) -> Self {
        let crds = self.resources.iter().map(|resource| resource.definition().crd_name()).collect();
        self.source = Some(Source::Secret(Box::new((secret, crds))));
        self
    }

    /// How often the certificate's files, or its Secret, are looked at; without this every five seconds.
    #[must_use]
    pub fn reload_every(mut self, period: Duration) -> Self {
        self.reload = period;
        self
    }

    /// What clients may ask.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Other routes of the same server, such as those of admission webhooks. `/healthz`, `/readyz`, `/metrics` and the path of the
    /// conversions are taken.
    ///
    /// # Panics
    ///
    /// As [`Router::merge`], if one of them is there already. [`bind`](Self::bind) does so for those that are taken.
    #[must_use]
    pub fn routes(mut self, routes: Router) -> Self {
        self.routes = self.routes.merge(routes);
        self
    }

    /// How long the server answers after it was told to stop, while Kubernetes finds out that it isn't ready; without this 10 seconds.
    #[must_use]
    pub fn withdrawal(mut self, time: Duration) -> Self {
        self.withdrawal = time;
        self
    }

    /// How long requests that are under way then have to end; without this 15 seconds. Clients that have connections are told for two and
    /// a half seconds of it that they should ask another replica.
    ///
    /// Both times together have to be shorter than the pod's `terminationGracePeriodSeconds`, which is 30 without change.
    #[must_use]
    pub fn drain_limit(mut self, time: Duration) -> Self {
        self.drain = time;
        self
    }
}
