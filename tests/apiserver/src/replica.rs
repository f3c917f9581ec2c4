//! One replica of a webhook: a server that runs during the tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use crd_conv::server::{Conversion, Server};
use tokio::sync::Notify;

/// A server on free ports of loopback. It has a thread and a runtime of its own, because each test
/// has a runtime that ends with the test.
///
/// It serves until it is [stopped](Self::stop) or the process ends.
#[derive(Debug)]
pub struct Replica {
    /// The address for conversions.
    pub address: SocketAddr,
    /// The address for probes.
    pub probes: SocketAddr,
    /// Its conversions, for their metrics.
    pub conversion: Conversion,
    stop: Arc<Notify>,
    thread: JoinHandle<()>,
}

impl Replica {
    /// Starts the server, and returns when it listens.
    pub fn start(server: Server) -> Self {
        let (told, tells) = mpsc::channel();
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                let bound = server.address(free).probe_address(free).bind().await;
                let bound = bound.expect("the server starts");
                let probes = bound.probe_address().expect("a second address");
                let _ = told.send((bound.address(), probes, bound.conversion()));
                bound.serve_until(stopped.notified()).await;
            });
            // A conversion that still waits isn't awaited.
            runtime.shutdown_background();
        });
        let (address, probes, conversion) = tells.recv().expect("the server starts");
        Self { address, probes, conversion, stop, thread }
    }

    /// Tells the server to stop, as SIGTERM does.
    pub fn stop(&self) {
        self.stop.notify_one();
    }

    /// Waits until the server has stopped.
    pub async fn has_stopped(&self) {
        while !self.thread.is_finished() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Returns the value of a metric, which is named with its labels.
    pub fn count(&self, metric: &str) -> Option<f64> {
        let metrics = self.conversion.metrics();
        let line = metrics.lines().find_map(|line| {
            line.strip_prefix("crd_conv_")?.strip_prefix(metric)?.strip_prefix(' ')
        });
        line.map(|value| value.parse().expect("a number"))
    }
}
