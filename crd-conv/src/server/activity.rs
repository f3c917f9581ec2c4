//! Limits slow clients: how long the head of a request takes, and how long a connection is idle.
//!
//! `hyper`'s timeout for heads also runs while a connection waits for its next request. A timeout
//! that is short enough for slow heads would close connections that the API server keeps for its
//! next review, perhaps just as that review arrives. So this module tells the two apart. It needs
//! no timer for each request, because each connection is checked now and then.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tower_service::Service;

use super::Limits;

/// The activity of a connection. Times are in milliseconds since the connection began.
#[derive(Debug)]
pub(super) struct Activity {
    start: Instant,
    under_way: AtomicUsize,
    /// Since when a head has been incomplete, plus one. 0 if no head is incomplete.
    head: AtomicU64,
    /// Since when no request has been in progress.
    idle: AtomicU64,
}

/// Whether a client takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    Fine,
    SlowHead,
    Idle,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            under_way: AtomicUsize::new(0),
            head: AtomicU64::new(0),
            idle: AtomicU64::new(0),
        })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }

    /// Notes that bytes arrived. Between two requests over HTTP/1.1, they belong to the next
    /// request's head.
    fn read(&self) {
        if self.under_way.load(Ordering::Relaxed) == 0 && self.head.load(Ordering::Relaxed) == 0 {
            self.head.store(self.now() + 1, Ordering::Relaxed);
        }
    }

    pub(super) fn pace(&self, limits: &Limits, has_heads: bool) -> Pace {
        if self.under_way.load(Ordering::Relaxed) > 0 {
            return Pace::Fine;
        }
        let now = self.now();
        let lasts =
            |since: u64, limit: Duration| Duration::from_millis(now.saturating_sub(since)) >= limit;
        match self.head.load(Ordering::Relaxed) {
            head if has_heads && head > 0 && lasts(head - 1, limits.head) => Pace::SlowHead,
            _ if lasts(self.idle.load(Ordering::Relaxed), limits.idle) => Pace::Idle,
            _ => Pace::Fine,
        }
    }
}

/// A stream that reports its reads to an [`Activity`].
pub(super) struct Noted<S> {
    pub(super) stream: S,
    pub(super) activity: Arc<Activity>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Noted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.activity.read();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Noted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// A service that reports its requests to an [`Activity`].
#[derive(Clone)]
pub(super) struct Requests<S> {
    pub(super) service: S,
    pub(super) activity: Arc<Activity>,
}

impl<S, R> Service<R> for Requests<S>
where
    S: Service<R>,
    S::Future: Unpin,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Answering<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        self.activity.head.store(0, Ordering::Relaxed);
        self.activity.under_way.fetch_add(1, Ordering::Relaxed);
        let under_way = UnderWay(Arc::clone(&self.activity));
        Answering { future: self.service.call(request), _under_way: under_way }
    }
}

struct UnderWay(Arc<Activity>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.idle.store(self.0.now(), Ordering::Relaxed);
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A request in progress.
pub(super) struct Answering<F> {
    future: F,
    _under_way: UnderWay,
}

impl<F: Future + Unpin> Future for Answering<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        Pin::new(&mut self.future).poll(context)
    }
}
