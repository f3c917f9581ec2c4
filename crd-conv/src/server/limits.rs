//! Limits on what a client may request.

use std::thread::available_parallelism;
use std::time::Duration;

/// Limits on what a client may request, so that none can exhaust the server.
///
/// ```
/// use crd_conv::server::Limits;
///
/// let mut limits = Limits::default();
/// limits.conversions = 4;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest body of a request, in bytes. The default is 32 MiB.
    ///
    /// The API server accepts objects of up to 3 MiB. It writes each `<` as `\u003c`, so that such
    /// an object may have 18 MiB. A review usually has one object.
    pub body_bytes: usize,
    /// The bytes of requests that may be in memory at a time. The default is 256 MiB. The server
    /// refuses more for the time being.
    pub buffered_bytes: usize,
    /// The number of requests that may be in progress. The default is 512. The server refuses more
    /// for the time being.
    pub requests: usize,
    /// The number of conversions that may run at a time, each on its own thread. The default is
    /// twice the number of cores, and at least 8. Other conversions wait.
    ///
    /// Small reviews whose objects need no converter don't count: they take less time than
    /// switching threads.
    pub conversions: usize,
    /// The time that a request may take, from its head to the answer. The default is 25 seconds.
    /// The API server waits for 30.
    pub time: Duration,
    /// The number of connections that may be open. The default is 1024. Further ones wait to be
    /// accepted.
    pub connections: usize,
    /// The time that the TLS handshake may take. The default is 10 seconds.
    pub handshake: Duration,
    /// The time that the head of a request may take, over HTTP/1.1. The default is 10 seconds.
    pub head: Duration,
    /// The time that a connection may be open without a request. The default is 2 minutes.
    ///
    /// Keep it well above 90 seconds, after which the API server closes such a connection itself.
    /// If the server closes it first, a request may arrive at the same moment, and the API server
    /// doesn't send that again.
    pub idle: Duration,
    /// The number of requests that may be in progress in one connection over HTTP/2. The default is
    /// 128.
    pub streams: u32,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self {
            body_bytes: 32 << 20,
            buffered_bytes: 256 << 20,
            requests: 512,
            conversions: (2 * cores).max(8),
            time: Duration::from_secs(25),
            connections: 1024,
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(10),
            idle: Duration::from_secs(120),
            streams: 128,
        }
    }
}
