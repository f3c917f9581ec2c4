//! What a client may ask of the server.

use std::thread::available_parallelism;
use std::time::Duration;

/// What a client may ask of the server, so that none can take all of it.
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
    /// The largest body of a request, in bytes: 32 MiB without change.
    ///
    /// The API server takes objects of up to 3 MiB. Written with `\u003c` in the place of each `<`, as it writes them, such an
    /// object may have 18 MiB. A review usually has one object.
    pub body_bytes: usize,
    /// How much of requests may be in memory at a time, in bytes: 256 MiB without change. What comes beyond that is refused
    /// for now.
    pub buffered_bytes: usize,
    /// How many requests may be under way: 512 without change. One more is refused for now.
    pub requests: usize,
    /// How many conversions may run at a time, each on a thread of its own: twice the number of cores without change, and at
    /// least 8. Others wait. Small reviews whose objects need no converter aren't among them: they take less time than a change of
    /// threads.
    pub conversions: usize,
    /// How long a request may take, from its head to the answer: 25 seconds without change. The API server waits for 30.
    pub time: Duration,
    /// How many connections may be open: 1024 without change. One more waits to be accepted.
    pub connections: usize,
    /// How long the TLS handshake may take: 10 seconds without change.
    pub handshake: Duration,
    /// How long the head of a request may take, over HTTP/1.1: 10 seconds without change.
    pub head: Duration,
    /// How long a connection may be open without a request: 2 minutes without change.
    ///
    /// Keep it well above 90 seconds, after which the API server closes such a connection itself. Where the server is the first to
    /// close, it may do so just as a request arrives, and the API server doesn't send that again.
    pub idle: Duration,
    /// How many requests may be under way in one connection over HTTP/2: 128 without change.
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
