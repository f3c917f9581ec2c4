//! Turns a listener into requests: connections, TLS, HTTP/1.1 and HTTP/2.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_rustls::TlsAcceptor;
use tracing::{debug, warn};

use super::activity::{Activity, Noted, Pace, Requests};
use super::lifecycle::{Phase, reached};
use super::metrics::{Counted, Dropped};
use super::{Conversion, Limits};

/// The largest head of an HTTP/2 request, in bytes. The API server's heads are below one KiB.
const MAX_HEADERS: u32 = 16 << 10;
/// How often the server pings an HTTP/2 connection, and how long the client may take to answer.
const PING: Duration = Duration::from_secs(30);
/// How long to wait after a system error, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The state that all connections of a listener share.
#[derive(Clone)]
pub(super) struct Connections {
    pub(super) conversion: Conversion,
    pub(super) routes: Router,
    pub(super) limits: Limits,
    /// `None` for plain HTTP.
    pub(super) tls: Option<TlsAcceptor>,
}

impl Connections {
    /// Accepts connections, and ends when all of them have ended.
    pub(super) async fn accept(self, listener: TcpListener) {
        let permits = self.limits.connections.clamp(1, Semaphore::MAX_PERMITS);
        let permits = Arc::new(Semaphore::new(permits));
        let mut phases = self.conversion.lifecycle().subscribe();
        let mut open = JoinSet::new();
        loop {
            let next = async {
                let permit = Arc::clone(&permits).acquire_owned().await;
                (listener.accept().await, permit)
            };
            tokio::select! {
                () = reached(&mut phases, Phase::Closing) => break,
                Some(_) = open.join_next() => {}
                accepted = next => match accepted {
                    (Ok((stream, _)), Ok(permit)) => {
                        open.spawn(self.clone().serve(stream, permit));
                    }
                    (Err(error), _) => {
                        // Often only this connection failed, and the next one succeeds.
                        warn!(%error, "can't accept a connection");
                        tokio::time::sleep(PAUSE).await;
                    }
                    // The semaphore is never closed.
                    (_, Err(_)) => break,
                }
            }
        }
        // The system has accepted these connections already, so their clients expect an answer.
        for stream in waiting(listener) {
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { break };
            open.spawn(self.clone().serve(stream, permit));
        }
        while open.join_next().await.is_some() {}
    }

    async fn serve(self, stream: TcpStream, _permit: OwnedSemaphorePermit) {
        let metrics = self.conversion.counters();
        let _counted = Counted::new(&metrics.connections);
        // Answers are small, so there is nothing to wait for.
        let _ = stream.set_nodelay(true);
        let Some(acceptor) = &self.tls else { return self.serve_http1(stream).await };
        let _open = self.conversion.lifecycle().open();
        let outcome = timeout(self.limits.handshake, acceptor.accept(stream)).await;
        let stream = match outcome {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => {
                debug!(%error, "a TLS handshake failed");
                return metrics.count_dropped(Dropped::Handshake);
            }
            Err(_) => {
                debug!("a TLS handshake took too long");
                return metrics.count_dropped(Dropped::Handshake);
            }
        };
        // A client that wants HTTP/2 declares it here, so there is no need to wait for its first
        // bytes.
        if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
            self.serve_http2(stream).await;
        } else {
            self.serve_http1(stream).await;
        }
    }

    async fn serve_http1<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(&self, stream: S) {
        let activity = Activity::new();
        let (io, service) = self.noted(stream, &activity);
        let connection = http1::Builder::new().serve_connection(io, service);
        self.drive(connection, &activity, Phase::Closing, true).await;
    }

    async fn serve_http2<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(&self, stream: S) {
        let activity = Activity::new();
        let (io, service) = self.noted(stream, &activity);
        let connection = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_concurrent_streams(self.limits.streams.max(1))
            .max_header_list_size(MAX_HEADERS)
            .keep_alive_interval(PING)
            .keep_alive_timeout(PING)
            .serve_connection(io, service);
        // This tells the client to open another connection, and still answers the requests in
        // progress.
        self.drive(connection, &activity, Phase::Withdrawing, false).await;
    }

    fn noted<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
        activity: &Arc<Activity>,
    ) -> (TokioIo<Noted<S>>, TowerToHyperService<Requests<Router>>) {
        let io = TokioIo::new(Noted { stream, activity: Arc::clone(activity) });
        let requests = Requests { service: self.routes.clone(), activity: Arc::clone(activity) };
        (io, TowerToHyperService::new(requests))
    }

    /// Serves a connection until it ends, until the phase is `leave` and no request is in progress,
    /// or until the client takes too long.
    async fn drive<C: GracefulConnection>(
        &self,
        connection: C,
        activity: &Activity,
        leave: Phase,
        has_heads: bool,
    ) {
        let mut connection = std::pin::pin!(connection);
        let mut phases: watch::Receiver<Phase> = self.conversion.lifecycle().subscribe();
        // A connection that is opened while the server leaves serves at least one request.
        let leave = if *phases.borrow() >= leave { Phase::Closing } else { leave };
        let mut leaving = false;
        let mut look = interval(period(&self.limits));
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // An error ends the connection. The client reports it.
                _ = connection.as_mut() => return,
                () = reached(&mut phases, leave), if !leaving => {
                    leaving = true;
                    connection.as_mut().graceful_shutdown();
                }
                _ = look.tick() => match activity.pace(&self.limits, has_heads) {
                    Pace::Fine => {}
                    Pace::SlowHead => {
                        return self.conversion.counters().count_dropped(Dropped::Head);
                    }
                    // A connection without a request ends at once, unless the client doesn't even
                    // read.
                    Pace::Idle if leaving => return,
                    Pace::Idle => {
                        leaving = true;
                        connection.as_mut().graceful_shutdown();
                    }
                },
            }
        }
    }
}

/// The connections that the system has accepted and the server hasn't. The listener is closed
/// afterwards.
fn waiting(listener: TcpListener) -> Vec<TcpStream> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let streams = std::iter::from_fn(|| listener.accept().ok());
    let streams = streams.filter_map(|(stream, _)| {
        stream.set_nonblocking(true).ok()?;
        TcpStream::from_std(stream).ok()
    });
    streams.collect()
}

/// How often a connection's pace is checked.
fn period(limits: &Limits) -> Duration {
    (limits.head.min(limits.idle) / 4).clamp(Duration::from_millis(5), Duration::from_secs(5))
}
