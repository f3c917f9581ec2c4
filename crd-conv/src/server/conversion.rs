//! Answers reviews over HTTP, as a service for any server.
//!
//! # Where conversions run
//!
//! An author's converter may block, or never end. On a thread of the runtime, it would stall
//! everything else that is ready on that thread. If that thread was the last one that waited for
//! the system's events, the converter would stall every connection, because tokio gives that task
//! to another thread only when a thread wakes up. So a review that needs a converter goes to a
//! thread for blocking work. Waking that thread, and then the runtime's thread, takes several times
//! as long as a small conversion.
//!
//! `block_in_place` doesn't avoid this. It wakes a thread, too, which takes over the runtime's
//! work, and it panics on a runtime with one thread. Threads of our own have to be woken as well.
//!
//! Without a converter, only this crate's code runs, and the size of the review bounds its time. Of
//! the author's code, only defaults and schemas run, once for each field. The plans tell which
//! versions need no converter. So a small review of such objects is answered on the thread that
//! read it.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{Method, Request, Response, StatusCode, Version, request};
use prometheus_client::encoding::text::encode_eof;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant as Deadline, timeout_at};
use tower_service::Service;
use tracing::{Instrument, Span};

use super::Limits;
use super::body::{Buffered, discard, read};
use super::lifecycle::{Lifecycle, Phase};
use super::log::log;
use super::metrics::{Counted, Metrics};
use super::outcome::Outcome;
use super::trace::MakeSpan;
use crate::{ResourceType, Reviewer};

/// The largest review, in bytes, that is answered on a thread of the runtime. It takes about 30
/// microseconds. Kept values may be packed in annotations, to no less than a 32nd of their size, so
/// the worst review that a client can write takes a few milliseconds.
const SMALL: usize = 16 << 10;

/// Reviews over HTTP, for a server that you already have: a `tower` service, or `axum` routes.
///
/// Clones share everything. Converters and large conversions run on tokio's threads for blocking
/// work.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() {
/// use axum::{Router, routing::post};
/// use crd_conv::{ResourceType, server::Conversion};
///
/// let conversion = Conversion::new([ResourceType::of::<Box>()]);
/// let app: Router = Router::new()
///     .route("/validate", post(|| async { "the author's own" }))
///     .route_service("/convert", conversion.clone())
///     .merge(conversion.probes());
/// # }
/// ```
#[derive(Clone)]
pub struct Conversion {
    shared: Arc<Shared>,
    span: MakeSpan,
}

struct Shared {
    reviewer: Reviewer,
    limits: Limits,
    requests: Semaphore,
    conversions: Arc<Semaphore>,
    /// A permit for each byte of a body.
    room: Arc<Semaphore>,
    /// The number of conversions that still run after their request has timed out.
    overdue: AtomicUsize,
    metrics: Metrics,
    lifecycle: Arc<Lifecycle>,
}

impl fmt::Debug for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversion").field("limits", &self.shared.limits).finish_non_exhaustive()
    }
}

impl Conversion {
    /// Makes a service for these resources.
    pub fn new(resources: impl IntoIterator<Item = ResourceType>) -> Self {
        Self::with_limits(resources, Limits::default())
    }

    /// Makes a service with other limits. The limits on connections are up to the server around it.
    pub fn with_limits(resources: impl IntoIterator<Item = ResourceType>, limits: Limits) -> Self {
        let semaphore = |permits: usize| Semaphore::new(permits.clamp(1, Semaphore::MAX_PERMITS));
        Self {
            shared: Arc::new(Shared {
                reviewer: Reviewer::new(resources),
                requests: semaphore(limits.requests),
                conversions: Arc::new(semaphore(limits.conversions)),
                room: Arc::new(semaphore(limits.buffered_bytes)),
                overdue: AtomicUsize::new(0),
                metrics: Metrics::new(),
                lifecycle: Arc::default(),
                limits,
            }),
            span: MakeSpan::default(),
        }
    }

    /// Sets the span of each review, like [`Server::span`](super::Server::span).
    #[must_use]
    pub fn span(mut self, make: impl Fn(&request::Parts) -> Span + Send + Sync + 'static) -> Self {
        self.span = MakeSpan::new(make);
        self
    }

    pub(super) fn with_span(self, span: MakeSpan) -> Self {
        Self { span, ..self }
    }

    /// Returns the routes `/healthz`, `/readyz` and `/metrics`.
    ///
    /// `/healthz` fails if every thread for conversions runs one whose request has timed out. Only
    /// a restart ends that. `/readyz` fails after [`withdraw`](Self::withdraw). `/metrics` has the
    /// `OpenMetrics` text format.
    pub fn probes<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        let [health, readiness, metrics] = [self.clone(), self.clone(), self.clone()];
        Router::new()
            .route("/healthz", get(move || async move { health.health() }))
            .route("/readyz", get(move || async move { readiness.readiness() }))
            .route("/metrics", get(move || async move { metrics.exposition() }))
    }

    /// Returns the metrics in the `OpenMetrics` text format, without the mark at the end, so that
    /// you can append others.
    pub fn metrics(&self) -> String {
        let mut text = String::new();
        // Writing to a string doesn't fail.
        let _ = self.shared.metrics.encode(&mut text);
        text
    }

    /// Announces that this server is about to stop.
    ///
    /// `/readyz` fails, and clients are asked to close their connections. The server still answers
    /// all requests.
    pub fn withdraw(&self) {
        self.shared.lifecycle.enter(Phase::Withdrawing);
    }

    /// Sends new requests to another server, and waits until those in progress are answered.
    pub async fn drain(&self) {
        self.shared.lifecycle.enter(Phase::Draining);
        self.shared.lifecycle.quiet().await;
    }

    pub(super) fn lifecycle(&self) -> &Arc<Lifecycle> {
        &self.shared.lifecycle
    }

    pub(super) fn counters(&self) -> &Metrics {
        &self.shared.metrics
    }

    fn health(&self) -> (StatusCode, &'static str) {
        if self.shared.overdue.load(Ordering::Relaxed) >= self.shared.limits.conversions.max(1) {
            return (StatusCode::SERVICE_UNAVAILABLE, "all conversions are stuck\n");
        }
        (StatusCode::OK, "ok\n")
    }

    fn readiness(&self) -> (StatusCode, &'static str) {
        if self.shared.lifecycle.phase() == Phase::Serving {
            (StatusCode::OK, "ok\n")
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, "this server is shutting down\n")
        }
    }

    fn exposition(&self) -> ([(http::HeaderName, &'static str); 1], String) {
        let mut text = self.metrics();
        let _ = encode_eof(&mut text);
        ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
    }

    async fn answer<B>(self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes>,
    {
        let (head, body) = request.into_parts();
        let span = self.span.of(&head);
        self.answer_in_span(head, body).instrument(span).await
    }

    async fn answer_in_span<B>(self, head: request::Parts, body: B) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes>,
    {
        let start = Instant::now();
        let counted = Counted::new(&self.shared.metrics.under_way);
        let outcome = self.outcome(&head, body, start).await;
        drop(counted);
        log(&outcome);
        self.shared.metrics.count(&outcome, start.elapsed());
        // HTTP/2 closes connections in another way, and has no such header.
        let leaving = self.shared.lifecycle.phase() > Phase::Serving;
        let mut response = outcome.respond(leaving);
        if head.version >= Version::HTTP_2 {
            response.headers_mut().remove(http::header::CONNECTION);
        }
        response
    }

    async fn outcome<B>(&self, head: &request::Parts, body: B, start: Instant) -> Outcome
    where
        B: http_body::Body<Data = Bytes>,
    {
        let Shared { limits, requests, conversions, room, lifecycle, .. } = &*self.shared;
        let deadline = Deadline::from_std(start) + limits.time;
        let refused = if head.method != Method::POST {
            Some(Outcome::Method)
        } else if !is_json(head) {
            Some(Outcome::MediaType)
        } else if lifecycle.phase() >= Phase::Draining {
            Some(Outcome::Draining)
        } else {
            None
        };
        let slot = requests.try_acquire();
        let refused = refused.or(slot.is_err().then_some(Outcome::Overloaded));
        if let Some(refused) = refused {
            let _ = timeout_at(deadline, discard(body, limits.body_bytes)).await;
            return refused;
        }
        let _under_way = lifecycle.begin();
        let body = match timeout_at(deadline, read(body, limits.body_bytes, room)).await {
            Ok(Ok(body)) => body,
            Ok(Err(unread)) => return Outcome::Unread(unread),
            Err(_) => return Outcome::TooSlow,
        };
        if let Some(outcome) = self.convert_here(&body) {
            return outcome;
        }
        match timeout_at(deadline, Arc::clone(conversions).acquire_owned()).await {
            Ok(Ok(permit)) => self.convert(body, permit, deadline).await,
            // The request waited for a thread until its deadline, and no conversion has started.
            Ok(Err(_)) | Err(_) => Outcome::Overloaded,
        }
    }

    /// Answers a small review whose objects need no converter.
    fn convert_here(&self, body: &Buffered) -> Option<Outcome> {
        if body.bytes.len() > SMALL {
            return None;
        }
        let review = || self.shared.reviewer.review_without_converters(&body.bytes);
        // A panic may leave the review in an invalid state. The review is dropped.
        match catch_unwind(AssertUnwindSafe(review)) {
            Ok(answer) => answer.map(Outcome::from),
            Err(_) => Some(Outcome::Panicked),
        }
    }

    /// Runs a conversion on a thread for blocking work. A conversion that takes too long can't be
    /// stopped, and keeps its permit.
    async fn convert(
        &self,
        body: Buffered,
        permit: OwnedSemaphorePermit,
        deadline: Deadline,
    ) -> Outcome {
        let shared = Arc::clone(&self.shared);
        let left = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&left);
        // What converters log belongs to the review.
        let span = Span::current();
        let work = tokio::task::spawn_blocking(move || {
            let _entered = span.enter();
            let _ends = Ends { shared: &shared, left: &watched };
            let _permit = permit;
            shared.reviewer.review(&body.bytes)
        });
        match timeout_at(deadline, work).await {
            Ok(Ok(answer)) => Outcome::from(answer),
            Ok(Err(_)) => Outcome::Panicked,
            Err(_) => {
                self.shared.overdue(1);
                // If the conversion has just ended, its guard didn't count it down, so this code
                // does.
                if left.swap(true, Ordering::SeqCst) {
                    self.shared.overdue(-1);
                }
                Outcome::TimedOut
            }
        }
    }
}

impl Shared {
    fn overdue(&self, change: isize) {
        let before = self.overdue.fetch_add(change.cast_unsigned(), Ordering::SeqCst);
        let now = before.wrapping_add_signed(change);
        self.metrics.overdue.set(i64::try_from(now).unwrap_or(i64::MAX));
    }
}

/// Marks the end of a conversion, even if it panics.
struct Ends<'a> {
    shared: &'a Shared,
    left: &'a AtomicBool,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        if self.left.swap(true, Ordering::SeqCst) {
            self.shared.overdue(-1);
        }
    }
}

/// Whether a body is JSON without a content coding. A body without a media type counts as JSON.
fn is_json(head: &request::Parts) -> bool {
    let coded = head.headers.get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity");
    let Some(media_type) = head.headers.get(CONTENT_TYPE) else { return !coded };
    let media_type = media_type.to_str().unwrap_or_default();
    let essence = media_type.split_once(';').map_or(media_type, |(essence, _)| essence);
    !coded && essence.trim().eq_ignore_ascii_case("application/json")
}

impl<B> Service<Request<B>> for Conversion
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let this = self.clone();
        Box::pin(async move { Ok(this.answer(request).await) })
    }
}
