//! A webhook whose reviews can be counted and read.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::post;
use crd_conv::ResourceType;
use crd_conv::server::{Conversion, SelfSigned, Server};
use tower::ServiceExt;

use crate::Replica;

/// A conversion webhook. It serves until the process ends.
#[derive(Clone)]
pub struct Webhook {
    reviews: Arc<Reviews>,
    address: SocketAddr,
    authority: String,
}

struct Reviews {
    conversion: Mutex<Conversion>,
    count: AtomicUsize,
    record: Mutex<Option<Vec<Exchange>>>,
}

/// A review: the request, and the response.
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
    /// Starts to serve on a free port of loopback.
    pub fn start(resources: impl IntoIterator<Item = ResourceType>) -> Self {
        let certificate = SelfSigned::new(["127.0.0.1"]).expect("a certificate");
        let reviews = Arc::new(Reviews {
            conversion: Mutex::new(Conversion::new(resources)),
            count: AtomicUsize::new(0),
            record: Mutex::new(None),
        });
        let routes =
            Router::new().route("/convert", post(Reviews::answer)).with_state(Arc::clone(&reviews));
        // Conversions by the server itself couldn't be recorded.
        let server = Server::new([]).path("/unused").routes(routes).self_signed(&certificate);
        let address = Replica::start(server).address;
        Self { reviews, address, authority: certificate.authority().to_owned() }
    }

    /// From now on, answers as another release does.
    pub fn replace(&self, resources: impl IntoIterator<Item = ResourceType>) {
        *self.reviews.conversion.lock().expect("no writer panicked") = Conversion::new(resources);
    }

    /// Returns how many reviews there were.
    pub fn count(&self) -> usize {
        self.reviews.count.load(Ordering::SeqCst)
    }

    /// Records the reviews from now on.
    pub fn record(&self) {
        *self.reviews.record.lock().expect("no writer panicked") = Some(Vec::new());
    }

    /// Returns the reviews since [`record`](Self::record), and stops recording.
    pub fn recorded(&self) -> Vec<Exchange> {
        self.reviews.record.lock().expect("no writer panicked").take().unwrap_or_default()
    }

    /// Returns the certificate that its own is signed with.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Returns the configuration with which the API server finds it.
    pub fn config(&self) -> crd_conv::crd::Webhook {
        crd_conv::crd::Webhook::url(self.url()).ca_bundle(self.authority.clone())
    }

    /// Returns its URL.
    pub fn url(&self) -> String {
        format!("https://{}/convert", self.address)
    }
}

impl Reviews {
    async fn answer(State(reviews): State<Arc<Self>>, request: Request) -> Response {
        reviews.count.fetch_add(1, Ordering::SeqCst);
        let (head, body) = request.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("the API server sends all of it");
        let request = Request::from_parts(head, Body::from(body.clone()));
        let conversion = reviews.conversion.lock().expect("no writer panicked").clone();
        let response = conversion.oneshot(request).await.unwrap_or_else(|never| match never {});
        let (head, answer) = response.into_parts();
        let answer = to_bytes(answer, usize::MAX).await.expect("it is in memory");
        if let Some(record) = reviews.record.lock().expect("no writer panicked").as_mut() {
            record.push(Exchange { request: body.to_vec(), response: answer.to_vec() });
        }
        Response::from_parts(head, Body::from(answer))
    }
}
