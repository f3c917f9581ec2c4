//! An API server that answers what a test says.

use std::pin::pin;

use http::{Request, Response};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::Value;
use tokio::task::JoinHandle;

/// A request that a test expects, and its answer.
pub(crate) struct Exchange {
    pub(crate) method: &'static str,
    /// The start of path and query.
    pub(crate) path: &'static str,
    pub(crate) code: u16,
    pub(crate) answer: Value,
}

/// A client whose requests are these, in this order. The task ends with the bodies that were sent, once the client is gone.
pub(crate) fn answers(expected: Vec<Exchange>) -> (Client, JoinHandle<Vec<Value>>) {
    let (service, handle) = tower_test::mock::pair::<Request<Body>, Response<Body>>();
    let task = tokio::spawn(async move {
        let mut handle = pin!(handle);
        let mut bodies = Vec::new();
        for Exchange { method, path, code, answer } in expected {
            let (request, respond) = handle.next_request().await.expect("one more request");
            let asked = request.uri().to_string();
            assert!(request.method() == method && asked.starts_with(path), "{method} {asked}");
            let body = request.into_body().collect().await.expect("a body").to_bytes();
            bodies.push(serde_json::from_slice(&body).unwrap_or(Value::Null));
            let response =
                Response::builder().status(code).body(answer.to_string().into_bytes().into());
            respond.send_response(response.expect("a response"));
        }
        if let Some((request, _)) = handle.next_request().await {
            panic!("not expected: {} {}", request.method(), request.uri());
        }
        bodies
    });
    (Client::new(service, "default"), task)
}

/// The answer to a request that fails.
pub(crate) fn failure(code: u16, reason: &str, message: &str) -> Value {
    serde_json::json!({
        "apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": message,
    })
}
