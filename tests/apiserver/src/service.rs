//! What a Kubernetes Service is to its clients: one address for replicas that come and go.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::{Notify, watch};

use crate::Replica;

/// The only host of a certificate for [`Service`].
pub const HOST: &str = "conversion.default.svc";
/// How often replicas are asked whether they are ready. A cluster takes a second or more until all
/// its parts know.
const PROBE: Duration = Duration::from_millis(100);
/// How long a connection waits for a replica that accepts it.
const PATIENCE: Duration = Duration::from_secs(2);

/// A TCP proxy on loopback, in front of the replicas that are ready. It has a thread of its own.
///
/// Connections go to the replicas in turn. If a replica refuses a connection, that is counted, and
/// the connection goes to the next replica. Open connections stay where they are, whatever happens
/// to their replica.
pub struct Service {
    /// The port on which it listens.
    pub port: u16,
    state: Arc<State>,
    runtime: Handle,
}

struct State {
    ready: Mutex<Vec<SocketAddr>>,
    turn: AtomicUsize,
    refused: AtomicUsize,
    is_open: watch::Sender<bool>,
    is_listening: watch::Sender<bool>,
    /// What connections get instead of a replica.
    instead: Mutex<Option<Vec<u8>>>,
    close: Notify,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Service {
    /// Starts to listen, without replicas.
    pub fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let handle = runtime.handle().clone();
        let state = Arc::new(State {
            ready: Mutex::default(),
            turn: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            is_open: watch::channel(true).0,
            is_listening: watch::channel(false).0,
            instead: Mutex::default(),
            close: Notify::new(),
        });
        let first = bound(0);
        let port = first.local_addr().expect("an address").port();
        runtime.spawn(Arc::clone(&state).serve(first, port));
        // The runtime goes on until the process ends.
        std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
        Self { port, state, runtime: handle }
    }

    /// Returns the configuration with which the API server finds it.
    pub fn config(&self, authorities: &str) -> crd_conv::crd::Webhook {
        let (name, rest) = HOST.split_once('.').expect("a name and its namespace");
        let namespace = rest.strip_suffix(".svc").expect("a service");
        crd_conv::crd::Webhook::service(namespace, name)
            .port(self.port)
            .path("/convert")
            .ca_bundle(authorities)
    }

    /// Sends connections to a replica whenever its `/readyz` succeeds.
    pub fn add(&self, replica: &Replica) {
        let (state, address, probes) = (Arc::clone(&self.state), replica.address, replica.probes);
        self.runtime.spawn(async move {
            loop {
                state.set_ready(address, is_ready(probes).await.unwrap_or(false));
                tokio::time::sleep(PROBE).await;
            }
        });
    }

    /// Waits until this number of replicas is ready.
    pub async fn has_ready(&self, count: usize) {
        while self.state.ready.lock().expect("no holder panicked").len() != count {
            tokio::time::sleep(PROBE / 10).await;
        }
    }

    /// Returns how often a replica that was ready refused a connection.
    pub fn refused(&self) -> usize {
        self.state.refused.load(Ordering::SeqCst)
    }

    /// Refuses connections, or accepts them again, from its return on. Open connections go on.
    pub async fn set_open(&self, is_open: bool) {
        self.state.is_open.send_replace(is_open);
        let mut is_listening = self.state.is_listening.subscribe();
        let reached = is_listening.wait_for(|is_listening| *is_listening == is_open).await;
        reached.expect("the service runs until the process ends");
    }

    /// Closes all connections, and gives clients the time to notice.
    pub async fn close_all(&self) {
        self.state.close.notify_waiters();
        tokio::time::sleep(PROBE).await;
    }

    /// Answers new connections with these bytes at once, or with `None`, as before. Without any
    /// bytes, it answers nothing.
    pub fn answer_instead(&self, bytes: Option<&[u8]>) {
        *self.state.instead.lock().expect("no holder panicked") = bytes.map(<[u8]>::to_vec);
    }
}

impl State {
    fn set_ready(&self, replica: SocketAddr, is_ready: bool) {
        let mut ready = self.ready.lock().expect("no holder panicked");
        ready.retain(|each| *each != replica);
        if is_ready {
            ready.push(replica);
        }
    }

    async fn serve(self: Arc<Self>, first: TcpSocket, port: u16) {
        let mut socket = first;
        let mut open = self.is_open.subscribe();
        loop {
            let _ = open.wait_for(|is_open| *is_open).await;
            let listener = socket.listen(1024).expect("nobody else listens");
            self.is_listening.send_replace(true);
            tokio::select! {
                () = Arc::clone(&self).accept(&listener) => {}
                _ = open.wait_for(|is_open| !is_open) => {}
            }
            drop(listener);
            self.is_listening.send_replace(false);
            // No other process gets the port, and none listens.
            socket = bound(port);
        }
    }

    async fn accept(self: Arc<Self>, listener: &TcpListener) {
        loop {
            let Ok((client, _)) = listener.accept().await else { continue };
            tokio::spawn(Arc::clone(&self).forward(client));
        }
    }

    async fn forward(self: Arc<Self>, mut client: TcpStream) {
        let instead = self.instead.lock().expect("no holder panicked").clone();
        if let Some(bytes) = instead {
            let _ = client.write_all(&bytes).await;
            // Waits until the client gives up.
            let mut rest = Vec::new();
            tokio::select! {
                _ = client.read_to_end(&mut rest) => {}
                () = self.close.notified() => {}
            }
            return;
        }
        let connected = tokio::time::timeout(PATIENCE, self.connect()).await;
        let Ok(mut replica) = connected else { return };
        let _ = (client.set_nodelay(true), replica.set_nodelay(true));
        // If one end fails, so does the other.
        tokio::select! {
            _ = copy_bidirectional(&mut client, &mut replica) => {}
            () = self.close.notified() => {}
        }
    }

    async fn connect(&self) -> TcpStream {
        loop {
            let replica = {
                let ready = self.ready.lock().expect("no holder panicked");
                let turn = self.turn.fetch_add(1, Ordering::SeqCst);
                turn.checked_rem(ready.len()).map(|place| ready[place])
            };
            if let Some(replica) = replica {
                match TcpStream::connect(replica).await {
                    Ok(stream) => return stream,
                    Err(_) => self.refused.fetch_add(1, Ordering::SeqCst),
                };
            }
            tokio::time::sleep(PROBE / 10).await;
        }
    }
}

fn bound(port: u16) -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_reuseaddr(true).expect("an option of every socket");
    socket.bind((Ipv4Addr::LOCALHOST, port).into()).expect("a free port");
    socket
}

async fn is_ready(probes: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(probes).await?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: probes\r\nconnection: close\r\n\r\n").await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer.starts_with("HTTP/1.1 200 "))
}
