//! A client whose connections the test controls.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::{http1, http2};
use hyper::{HeaderMap, Method, Request, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The response to a request.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: String,
}

impl Answer {
    /// Returns a header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a readable value"))
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

/// The version of HTTP on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1.
    Http1,
    /// HTTP/2.
    Http2,
}

/// One connection.
#[derive(Debug)]
pub enum Connection {
    /// HTTP/1.1.
    Http1(http1::SendRequest<Full<Bytes>>),
    /// HTTP/2.
    Http2(http2::SendRequest<Full<Bytes>>),
}

impl Connection {
    /// Connects over TLS. Trusts the certificates in a PEM text.
    pub async fn open(
        address: SocketAddr,
        authorities: &str,
        protocol: Protocol,
    ) -> io::Result<Self> {
        let stream = tls(address, authorities, protocol).await?;
        Ok(match protocol {
            Protocol::Http1 => Self::http1(stream).await,
            Protocol::Http2 => {
                let (sender, connection) =
                    http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
                        .await
                        .map_err(io::Error::other)?;
                tokio::spawn(connection);
                Self::Http2(sender)
            }
        })
    }

    /// Connects without TLS.
    pub async fn plain(address: SocketAddr) -> io::Result<Self> {
        Ok(Self::http1(TcpStream::connect(address).await?).await)
    }

    async fn http1<S>(stream: S) -> Self
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.expect("nothing is sent yet");
        tokio::spawn(connection);
        Self::Http1(sender)
    }

    /// Sends a request unchanged.
    pub async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Answer, hyper::Error> {
        in_time("the answer comes", self.answer(request)).await
    }

    async fn answer(&mut self, request: Request<Full<Bytes>>) -> Result<Answer, hyper::Error> {
        let response = match self {
            Self::Http1(sender) => {
                sender.ready().await?;
                sender.send_request(request).await?
            }
            Self::Http2(sender) => {
                sender.ready().await?;
                sender.send_request(request).await?
            }
        };
        let (head, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        let body = String::from_utf8(body.to_vec()).expect("text");
        Ok(Answer { status: head.status, headers: head.headers, body })
    }

    /// Sends a review as the API server does.
    pub async fn review(&mut self, review: &str) -> Result<Answer, hyper::Error> {
        self.send(post("/convert?timeout=30s", review)).await
    }

    /// Requests a page.
    pub async fn get(&mut self, path: &str) -> Result<Answer, hyper::Error> {
        let request = Request::builder().method(Method::GET).uri(uri(path));
        self.send(request.header("host", "webhook").body(Full::default()).expect("a request")).await
    }

    /// Waits until the server has closed the connection.
    pub async fn closed(&mut self) {
        let closed = in_time("the server closes the connection", self.error()).await;
        assert!(closed.is_closed() || closed.is_canceled(), "{closed}");
    }

    async fn error(&mut self) -> hyper::Error {
        match self {
            Self::Http1(sender) => loop {
                if let Err(error) = sender.ready().await {
                    break error;
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            },
            Self::Http2(sender) => loop {
                if let Err(error) = sender.ready().await {
                    break error;
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            },
        }
    }
}

/// Waits for something, but not forever.
///
/// # Panics
///
/// Panics if it takes too long.
pub async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(Duration::from_secs(30), future).await;
    waited.unwrap_or_else(|_| panic!("it takes too long until {what}"))
}

/// Returns a request with a review, as the API server sends it.
pub fn post(path: &str, body: &str) -> Request<Full<Bytes>> {
    Request::builder()
        .method(Method::POST)
        .uri(uri(path))
        .header("host", "webhook")
        .header("content-type", "application/json")
        .header("accept", "application/json, */*")
        .header("user-agent", "kube-apiserver-admission")
        .body(Full::from(body.to_owned()))
        .expect("a request")
}

/// HTTP/2 takes the authority from the URI.
fn uri(path: &str) -> String {
    format!("https://webhook{path}")
}

/// Opens a TLS connection, on which nothing was sent.
pub async fn tls(
    address: SocketAddr,
    authorities: &str,
    protocol: Protocol,
) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    for authority in CertificateDer::pem_slice_iter(authorities.as_bytes()) {
        roots.add(authority.expect("PEM")).expect("an authority");
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("a configuration")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![match protocol {
        Protocol::Http1 => b"http/1.1".to_vec(),
        Protocol::Http2 => b"h2".to_vec(),
    }];
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::IpAddress(address.ip().into());
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}
