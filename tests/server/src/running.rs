//! A server that runs during its test.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use crd_conv::ResourceType;
use crd_conv::server::{Conversion, SelfSigned, Server};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client::{Connection, Protocol, in_time};
use crate::resource::Gate;

/// A server on free ports of loopback.
#[derive(Debug)]
pub struct Running {
    /// The address for conversions.
    pub address: SocketAddr,
    /// The address for probes.
    pub probes: SocketAddr,
    /// Its conversions.
    pub conversion: Conversion,
    /// The certificate that its clients trust.
    pub authority: String,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

/// Makes a certificate for loopback.
pub fn certificate() -> SelfSigned {
    SelfSigned::new(["127.0.0.1"]).expect("a certificate")
}

impl Running {
    /// Starts a server with its own certificate. `change` adapts the server to the test.
    pub async fn start(change: impl FnOnce(Server) -> Server) -> Self {
        let certificate = certificate();
        let authority = certificate.authority().to_owned();
        Self::start_with(authority, |server| change(server.self_signed(&certificate))).await
    }

    /// Starts a server whose certificate comes from the test.
    pub async fn start_with(authority: String, change: impl FnOnce(Server) -> Server) -> Self {
        crate::log::install();
        let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = Server::new([ResourceType::of::<Gate>()])
            .address(free)
            .probe_address(free)
            .withdrawal(Duration::ZERO)
            .drain_limit(Duration::from_secs(30));
        let bound = change(server).bind().await.expect("a server");
        let (address, conversion) = (bound.address(), bound.conversion());
        let probes = bound.probe_address().expect("a second address");
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(bound.serve_until(async {
            let _ = stopped.await;
        }));
        Self { address, probes, conversion, authority, stop: Some(stop), task }
    }

    /// Opens a connection.
    pub async fn connect(&self, protocol: Protocol) -> Connection {
        let open = Connection::open(self.address, &self.authority, protocol);
        in_time("the server takes a connection", open).await.expect("a connection")
    }

    /// Tells the server to stop.
    pub fn stop(&mut self) {
        let _ = self.stop.take().expect("told once").send(());
    }

    /// Waits until the server has stopped.
    pub async fn stopped(self) {
        in_time("the server stops", self.task).await.expect("the server doesn't panic");
    }

    /// Returns the value of a metric, which is named with its labels.
    pub fn count(&self, metric: &str) -> Option<f64> {
        let metrics = self.conversion.metrics();
        let line = metrics.lines().find_map(|line| {
            line.strip_prefix("crd_conv_")?.strip_prefix(metric)?.strip_prefix(' ')
        });
        line.map(|value| value.parse().expect("a number"))
    }

    /// Waits until a metric has a value.
    pub async fn until(&self, metric: &str, value: f64) {
        let wait = async {
            while self.count(metric) != Some(value) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(20), wait).await;
        assert!(waited.is_ok(), "{metric} is {:?}, not {value}", self.count(metric));
    }
}
