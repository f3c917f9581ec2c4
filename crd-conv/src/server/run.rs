//! The life of a server: listening, serving, and stopping.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_rustls::TlsAcceptor;
use tracing::{info, warn};

use super::accept::Connections;
use super::lifecycle::Phase;
use super::tls::Tls;
use super::{Conversion, Limits, Server, ServerError};

/// The minimum time in which clients with open connections are told to ask another replica.
///
/// If the server closes a connection that was in use a moment ago, the next request may arrive at
/// the same time, and the API server doesn't send it again. The time is longer than one second,
/// because a client that was refused retries after one second, perhaps over another connection to
/// the same replica.
const LINGER: Duration = Duration::from_millis(2500);

/// A server that listens, and doesn't serve yet.
pub struct Bound {
    conversion: Conversion,
    routes: Router,
    limits: Limits,
    tls: Tls,
    listener: TcpListener,
    address: SocketAddr,
    probes: Option<(TcpListener, SocketAddr)>,
    reload: Duration,
    withdrawal: Duration,
    drain: Duration,
}

impl std::fmt::Debug for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bound").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Reads the certificate and starts to listen.
    ///
    /// # Errors
    ///
    /// Fails if there is no certificate or it can't be used, if the address is taken, or if the
    /// path isn't possible for conversions.
    pub async fn bind(self) -> Result<Bound, ServerError> {
        check_path(&self.path)?;
        let conversion =
            Conversion::with_limits(self.resources, self.limits.clone()).with_span(self.span);
        let source = self.source.ok_or(ServerError::NoCertificate)?;
        let tls = Tls::new(source, conversion.counters()).await?;
        let (listener, address) = listen(self.address).await?;
        let probes = match self.probe_address {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let routes =
            self.routes.route_service(&self.path, conversion.clone()).merge(conversion.probes());
        let (limits, reload) = (self.limits, self.reload);
        let (withdrawal, drain) = (self.withdrawal, self.drain);
        Ok(Bound {
            conversion,
            routes,
            limits,
            tls,
            listener,
            address,
            probes,
            reload,
            withdrawal,
            drain,
        })
    }

    /// Serves until the process receives SIGTERM or SIGINT, then stops in order.
    ///
    /// After SIGTERM, the server first reports that it isn't ready, and continues for the time of
    /// the [withdrawal](Self::withdrawal). After SIGINT, from a terminal, it doesn't wait for that.
    /// A second signal ends it at once.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`bind`](Self::bind).
    pub async fn serve(self) -> Result<(), ServerError> {
        self.bind().await?.serve().await
    }
}

impl Bound {
    /// Returns the address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address for probes over plain HTTP.
    pub fn probe_address(&self) -> Option<SocketAddr> {
        self.probes.as_ref().map(|(_, address)| *address)
    }

    /// Returns the server's conversions, for their metrics.
    pub fn conversion(&self) -> Conversion {
        self.conversion.clone()
    }

    /// Serves like [`Server::serve`].
    ///
    /// # Errors
    ///
    /// Fails if it can't receive signals for the process.
    pub async fn serve(self) -> Result<(), ServerError> {
        let mut signals = Signals::new().map_err(ServerError::Signals)?;
        // Signals that arrive before they are received are merged into one. So the second wait must
        // start after the first signal was received.
        let (told, is_told) = tokio::sync::oneshot::channel();
        let stop = async move {
            let stop = signals.next().await;
            let _ = told.send(signals);
            stop
        };
        let abort = async move {
            let Ok(mut signals) = is_told.await else { return std::future::pending().await };
            signals.next().await;
        };
        self.run(stop, abort).await;
        Ok(())
    }

    /// Serves until a future is ready, then stops in order.
    pub async fn serve_until(self, stop: impl Future<Output = ()>) {
        let stop = async {
            stop.await;
            Stop::WithWithdrawal
        };
        self.run(stop, std::future::pending()).await;
    }

    async fn run(self, stop: impl Future<Output = Stop>, abort: impl Future<Output = ()>) {
        let mut running = JoinSet::new();
        let lifecycle = std::sync::Arc::clone(self.conversion.lifecycle());
        let connections = Connections {
            conversion: self.conversion.clone(),
            routes: self.routes,
            limits: self.limits,
            tls: Some(TlsAcceptor::from(std::sync::Arc::clone(&self.tls.config))),
        };
        if let Some((listener, address)) = self.probes {
            let routes = self.conversion.probes();
            let probes = Connections { routes, tls: None, ..connections.clone() };
            info!(%address, "serving probes");
            running.spawn(probes.accept(listener));
        }
        running.spawn(connections.accept(self.listener));
        let mut reload = JoinSet::new();
        reload.spawn(self.tls.follow(self.reload, self.conversion.clone()));
        info!(address = %self.address, "serving conversions");

        let end = async {
            if stop.await == Stop::WithWithdrawal {
                info!("about to stop: no longer ready");
                lifecycle.enter(Phase::Withdrawing);
                sleep(self.withdrawal).await;
            }
            info!("stopping: no new requests");
            lifecycle.enter(Phase::Draining);
            let deadline = Instant::now() + self.drain;
            let linger = deadline.min(Instant::now() + LINGER);
            let _ = timeout_at(linger, lifecycle.deserted()).await;
            let quiet = timeout_at(deadline, lifecycle.quiet()).await;
            lifecycle.enter(Phase::Closing);
            let all = async { while running.join_next().await.is_some() {} };
            if quiet.is_err() || timeout_at(deadline, all).await.is_err() {
                warn!("stopped in the middle of requests that took too long");
            }
        };
        tokio::select! {
            () = end => info!("stopped"),
            () = abort => warn!("stopped at once"),
        }
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServerError> {
    let refused = |error| ServerError::Address(address, error);
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}

fn check_path(path: &str) -> Result<(), ServerError> {
    let refuse =
        |what: &str| Err(ServerError::Path(format!("can't serve conversions at `{path}`: {what}")));
    if !path.starts_with('/') {
        return refuse("start the path with `/`");
    }
    if path.contains(['{', '}', '?', '#']) || path.contains(char::is_whitespace) {
        return refuse("remove `{`, `}`, `?`, `#` and white space from the path");
    }
    if ["/healthz", "/readyz", "/metrics"].contains(&path) {
        return refuse("the server uses this path for something else; choose another one");
    }
    Ok(())
}

/// The way to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    WithWithdrawal,
    Now,
}

/// The signals that tell a process to stop.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) -> Stop {
        tokio::select! {
            _ = self.terminate.recv() => Stop::WithWithdrawal,
            _ = self.interrupt.recv() => Stop::Now,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Stop {
        // Without the signal there is nothing to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Stop::Now
    }
}
