//! The conversion webhook as an HTTPS server (feature `server`).
//!
//! [`Server`] is the complete server. [`Conversion`] is its part above the connections: a `tower`
//! service and `axum` routes, for a server that you already have.
//!
//! ```no_run
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
//! use crd_conv::{ResourceType, server::{Server, ServerError}};
//!
//! #[tokio::main]
//! async fn main() -> Result<(), ServerError> {
//!     Server::new([ResourceType::of::<Box>()])
//!         .certificate_files("/tls/tls.crt", "/tls/tls.key")
//!         .serve()
//!         .await
//! }
//! ```
//!
//! # Responses
//!
//! | request | status | does the API server retry? |
//! |---|---|---|
//! | a review, also one with an object that can't be converted | 200, and `result.status` in the answer | no |
//! | not JSON, cut off, or without `uid`, `apiVersion`, `kind` or `request` ([`Malformed`](crate::ReviewErrorKind::Malformed)) | 400 | no |
//! | of another kind, or of an unknown version ([`OtherKind`](crate::ReviewErrorKind::OtherKind), [`UnknownVersion`](crate::ReviewErrorKind::UnknownVersion)) | 422 | no |
//! | at another path | 404 | no |
//! | with a method other than POST | 405 | no |
//! | whose body doesn't arrive in time | 408, and the connection is closed | no |
//! | with a body over the limit | 413, and the connection is closed | no |
//! | with a media type other than `application/json`, or a content coding | 415 | no |
//! | while too many requests are in progress, or too much is in memory | 429 with `Retry-After: 1` | after a second, up to ten times |
//! | a bug in this crate | 500 | no |
//! | while the server drains | 503 with `Retry-After: 1`, and the connection is closed | after a second, up to ten times; the retry reaches another replica |
//! | whose conversion takes too long | 504 | no: it would take as long again |
//!
//! For conversions, responses with a status other than 200 contain a Kubernetes `Status`. The API
//! server passes its message to the client.
//!
//! # Metrics
//!
//! All names start with `crd_conv_`. Labels have few values, whatever clients send.
//!
//! | metric | labels | meaning |
//! |---|---|---|
//! | `reviews_total` | `result`: `converted`, `failed`, or one for each row above | requests |
//! | `objects_total` | `group`, `kind`, `from`, `to`, `result`: `converted` or `failed` | objects; for a failed review, only the one that made it fail |
//! | `review_duration_seconds` | | time from the head of a request to its answer |
//! | `kept_bytes_total` | | bytes of annotations written for values that a version can't express |
//! | `nearly_full_objects_total` | | objects whose kept values take more than half of the room for annotations |
//! | `entries_not_restored_total` | `reason`: as [`UnrestoredReason`](crate::UnrestoredReason) | entries in annotations that were dropped or ignored |
//! | `fallbacks_total` | | fallback values shown instead of values that a converter refused |
//! | `requests_under_way`, `connections` | | requests in progress, and open connections |
//! | `overdue_conversions` | | conversions that still run although their request has timed out |
//! | `dropped_connections_total` | `reason`: `handshake` or `head` | connections of clients that took too long, or failed to agree on TLS |
//! | `certificate_expiry_timestamp_seconds` | | time at which the certificate expires |
//! | `certificate_reloads_total` | `result`: `loaded` or `refused` | changes of the certificate, in its files or in its Secret |
//!
//! [`alerts`] and [`dashboard`] are rules for Prometheus and a dashboard for Grafana with these metrics.
//!
//! # Logs
//!
//! `tracing` events have the target `crd_conv::server`. They name objects, versions and fields.
//!
//! Each failed review has one event, and a successful one has none above the level `debug`. If the
//! request has a `traceparent` header, the events are in the span `review` with the `trace_id`. See
//! [`Server::span`] for OpenTelemetry. The API server sends the header if its tracing is
//! [configured](https://kubernetes.io/docs/concepts/cluster-administration/system-traces/).
//!
//! A converter's message may quote the value that it refuses. So the message is only in the answer,
//! which the API server passes to its client, and not in the log. A panic in a converter is
//! different: the process's panic hook prints its message.

mod accept;
mod activity;
mod body;
mod conversion;
mod error;
mod lifecycle;
mod limits;
mod log;
mod metrics;
mod monitoring;
mod outcome;
mod run;
mod tls;
mod trace;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;

use crate::ResourceType;
pub use crate::certificate::{CertificateError, SelfSigned};
pub use conversion::Conversion;
pub use error::ServerError;
pub use limits::Limits;
pub use monitoring::{alerts, dashboard};
pub use run::Bound;
use tls::Source;
use trace::MakeSpan;

/// A conversion webhook that serves HTTPS.
///
/// See [the module](self) for its responses.
#[derive(Debug)]
pub struct Server {
    resources: Vec<ResourceType>,
    limits: Limits,
    address: SocketAddr,
    probe_address: Option<SocketAddr>,
    path: String,
    routes: Router,
    source: Option<Source>,
    reload: Duration,
    withdrawal: Duration,
    drain: Duration,
    span: MakeSpan,
}

impl Server {
    /// Makes a server for these resources.
    pub fn new(resources: impl IntoIterator<Item = ResourceType>) -> Self {
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
            span: MakeSpan::default(),
        }
    }

    /// Sets the address to listen on. The default is `0.0.0.0:8443`, which is all of IPv4.
    /// `[::]:8443` is all of IPv6, and on most systems IPv4, too.
    #[must_use]
    pub fn address(mut self, address: SocketAddr) -> Self {
        self.address = address;
        self
    }

    /// Sets an address that also serves `/healthz`, `/readyz` and `/metrics`, over plain HTTP. By
    /// default, they are served only over HTTPS, at the same address as the conversions.
    #[must_use]
    pub fn probe_address(mut self, address: SocketAddr) -> Self {
        self.probe_address = Some(address);
        self
    }

    /// Sets the path of the conversions. The default is `/convert`.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Sets the PEM files of the certificate with its chain, and of its key, as in a Secret of the
    /// type `kubernetes.io/tls`.
    ///
    /// The server compares their contents every five seconds. It uses a new pair for new
    /// connections, while existing ones continue. If a new pair can't be used, the server keeps the
    /// previous one, logs that and counts it.
    #[must_use]
    pub fn certificate_files(
        mut self,
        certificate: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Self {
        self.source = Some(Source::Files { certificate: certificate.into(), key: key.into() });
        self
    }

    /// Sets the certificate with its chain, and its key, as PEM. They don't change while the server
    /// runs.
    #[must_use]
    pub fn certificate_pem(
        mut self,
        certificate: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> Self {
        self.source = Some(Source::Pem { certificate: certificate.into(), key: key.into() });
        self
    }

    /// Sets a certificate for development.
    #[must_use]
    pub fn self_signed(self, certificate: &SelfSigned) -> Self {
        self.certificate_pem(certificate.certificate(), certificate.key())
    }

    /// Uses a certificate that the replicas make themselves and share in a Secret.
    ///
    /// The replicas also keep the CA bundle current in the CustomResourceDefinitions of this
    /// server's resources.
    ///
    /// The server reads the Secret every five seconds. It uses a new pair for new connections,
    /// while existing ones continue.
    #[cfg(feature = "kube")]
    #[must_use]
    pub fn certificate_secret(mut self, secret: crate::cluster::CertificateSecret) -> Self {
        let crds = self.resources.iter().map(|resource| resource.definition().crd_name()).collect();
        self.source = Some(Source::Secret(Box::new((secret, crds))));
        self
    }

    /// Sets how often the server checks the certificate's files, or its Secret. The default is
    /// every five seconds.
    #[must_use]
    pub fn reload_every(mut self, period: Duration) -> Self {
        self.reload = period;
        self
    }

    /// Sets limits on what clients may request.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds other routes to the same server, such as those of admission webhooks.
    ///
    /// `/healthz`, `/readyz`, `/metrics` and the path of the conversions are taken.
    ///
    /// # Panics
    ///
    /// Panics like [`Router::merge`] if one of the routes exists already. [`bind`](Self::bind)
    /// panics if a route is one of those that are taken.
    #[must_use]
    pub fn routes(mut self, routes: Router) -> Self {
        self.routes = self.routes.merge(routes);
        self
    }

    /// Sets how long the server answers after it was told to stop, while Kubernetes notices that it
    /// isn't ready. The default is 10 seconds.
    #[must_use]
    pub fn withdrawal(mut self, time: Duration) -> Self {
        self.withdrawal = time;
        self
    }

    /// Sets how long requests in progress then have to end. The default is 15 seconds.
    ///
    /// For two and a half seconds of that time, clients that have connections are told to ask
    /// another replica.
    ///
    /// The sum of both times must be shorter than the pod's `terminationGracePeriodSeconds`, which
    /// is 30 by default.
    #[must_use]
    pub fn drain_limit(mut self, time: Duration) -> Self {
        self.drain = time;
        self
    }

    /// Sets the span of each review. The events of the review are in it, and so are those of its
    /// converters.
    ///
    /// By default, a request with a `traceparent` header has the span `review` with the field
    /// `trace_id`, and other requests have no span. For OpenTelemetry, set the span's parent:
    ///
    /// ```no_run
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// # fn main() {
    /// use crd_conv::{ResourceType, server::Server};
    /// use opentelemetry_http::HeaderExtractor;
    /// use tracing_opentelemetry::OpenTelemetrySpanExt;
    ///
    /// let server = Server::new([ResourceType::of::<Box>()]).span(|head| {
    ///     let span = tracing::info_span!("review", otel.kind = "server");
    ///     let headers = HeaderExtractor(&head.headers);
    ///     let parent = opentelemetry::global::get_text_map_propagator(|own| own.extract(&headers));
    ///     // It fails if no layer for OpenTelemetry is installed.
    ///     let _ = span.set_parent(parent);
    ///     span
    /// });
    /// # }
    /// ```
    #[must_use]
    pub fn span(
        mut self,
        make: impl Fn(&http::request::Parts) -> tracing::Span + Send + Sync + 'static,
    ) -> Self {
        self.span = MakeSpan::new(make);
        self
    }
}
