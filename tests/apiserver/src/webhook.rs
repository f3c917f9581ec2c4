//! Our review handling behind a minimal HTTPS listener.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};

use crd_conv::Reviewer;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

type Answer = dyn Fn(&[u8]) -> Result<String, String> + Send + Sync;

/// A conversion webhook. It serves until the process ends.
#[derive(Clone)]
pub struct Webhook {
    state: Arc<State>,
    address: SocketAddr,
    authority: String,
}

struct State {
    answer: RwLock<Arc<Answer>>,
    count: AtomicUsize,
    record: Mutex<Option<Vec<Exchange>>>,
}

/// A review: what came, and what was sent back.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The request's body.
    pub request: Vec<u8>,
    /// The response's body.
    pub response: Vec<u8>,
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhook").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Webhook {
    /// Serves on a free port of loopback.
    pub fn start(reviewer: Reviewer) -> Self {
        let (config, authority) = certificates();
        let state = Arc::new(State {
            answer: RwLock::new(answers(reviewer)),
            count: AtomicUsize::new(0),
            record: Mutex::new(None),
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a mode of every socket");
        let address = listener.local_addr().expect("an address");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let shared = Arc::clone(&state);
        // A thread and a runtime of its own: each test has a runtime that ends with it.
        std::thread::spawn(move || {
            tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .expect("a runtime")
                .block_on(serve(listener, acceptor, shared));
        });
        Self { state, address, authority }
    }

    /// Answers with another reviewer from now on.
    pub fn replace(&self, reviewer: Reviewer) {
        *self.state.answer.write().expect("no writer panicked") = answers(reviewer);
    }

    /// How many reviews have come.
    pub fn count(&self) -> usize {
        self.state.count.load(Ordering::SeqCst)
    }

    /// Keeps the reviews from now on.
    pub fn record(&self) {
        *self.state.record.lock().expect("no writer panicked") = Some(Vec::new());
    }

    /// The reviews since [`record`](Self::record). Keeps no more.
    pub fn recorded(&self) -> Vec<Exchange> {
        self.state.record.lock().expect("no writer panicked").take().unwrap_or_default()
    }

    /// Where the API server finds it.
    pub fn config(&self) -> crd_conv::crd::Webhook {
        crd_conv::crd::Webhook::url(format!("https://{}/convert", self.address))
            .ca_bundle(self.authority.clone())
    }
}

fn answers(reviewer: Reviewer) -> Arc<Answer> {
    Arc::new(move |request| match reviewer.review(request) {
        Ok(answer) => Ok(answer.body),
        Err(error) => Err(error.to_string()),
    })
}

async fn serve(listener: std::net::TcpListener, acceptor: TlsAcceptor, state: Arc<State>) {
    let listener = TcpListener::from_std(listener).expect("a runtime with sockets");
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let (acceptor, state) = (acceptor.clone(), Arc::clone(&state));
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let service = service_fn(|request| review(request, Arc::clone(&state)));
            // A connection that breaks is the client's to report.
            let _ = Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn review(
    request: Request<Incoming>,
    state: Arc<State>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let respond = |status, body: String| {
        let mut response = Response::new(Full::new(Bytes::from(body)));
        *response.status_mut() = status;
        Ok(response)
    };
    let body = match request.into_body().collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return respond(StatusCode::BAD_REQUEST, error.to_string()),
    };
    state.count.fetch_add(1, Ordering::SeqCst);
    let answer = Arc::clone(&state.answer.read().expect("no writer panicked"));
    match answer(&body) {
        Ok(answer) => {
            if let Some(record) = state.record.lock().expect("no writer panicked").as_mut() {
                record.push(Exchange { request: body.to_vec(), response: answer.clone().into() });
            }
            respond(StatusCode::OK, answer)
        }
        Err(message) => respond(StatusCode::BAD_REQUEST, message),
    }
}

/// A server's configuration, and the PEM of the authority that signed its certificate.
fn certificates() -> (ServerConfig, String) {
    let key = || KeyPair::generate().expect("a key");
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "test authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let authority_key = key();
    let authority = params.self_signed(&authority_key).expect("a certificate");
    let issuer = Issuer::new(params, authority_key);

    let server_key = key();
    let server = CertificateParams::new(["127.0.0.1".to_owned()])
        .and_then(|params| params.signed_by(&server_key, &issuer))
        .expect("a certificate");
    let private = PrivateKeyDer::try_from(server_key.serialize_der()).expect("a key");
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder.with_no_client_auth().with_single_cert(vec![server.der().clone()], private)
        })
        .expect("a configuration");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    (config, authority.pem())
}
