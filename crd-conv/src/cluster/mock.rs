//! An API server for tests, which gives predefined answers.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard};

use http::{Request, Response};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// A request that a test expects, and its answer.
pub(crate) struct Exchange {
    pub(crate) method: &'static str,
    /// The start of the path and query.
    pub(crate) path: &'static str,
    pub(crate) code: u16,
    pub(crate) answer: Value,
}

/// Makes a client that must send these requests in this order. The task ends when the client is
/// dropped, and returns the bodies that were sent.
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

/// An API server that stores objects, each with its own resource version.
#[derive(Clone, Default)]
pub(crate) struct Store(Arc<Mutex<State>>);

#[derive(Default)]
pub(crate) struct State {
    /// The objects by their paths.
    pub(crate) objects: BTreeMap<String, Value>,
    version: u64,
    /// Answers to the next requests, instead of the stored objects.
    pub(crate) failures: Vec<(u16, Value)>,
    /// The objects that another client writes after this many more requests.
    pub(crate) meanwhile: Option<(usize, Vec<(&'static str, Value)>)>,
}

impl Store {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(crate) fn put(&self, path: &str, object: Value) {
        self.state().write(path, object);
    }

    /// Makes a new client. The requests of several clients are answered in turn.
    pub(crate) fn client(&self) -> Client {
        let (service, handle) = tower_test::mock::pair::<Request<Body>, Response<Body>>();
        let store = self.clone();
        tokio::spawn(async move {
            let mut handle = pin!(handle);
            while let Some((request, respond)) = handle.next_request().await {
                let (method, path) = (request.method().clone(), request.uri().path().to_owned());
                let body = request.into_body().collect().await.expect("a body").to_bytes();
                let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
                let (code, answer) = store.state().answer(method.as_str(), &path, body);
                let response = Response::builder().status(code);
                let response = response.body(answer.to_string().into_bytes().into());
                respond.send_response(response.expect("a response"));
            }
        });
        Client::new(service, "default")
    }
}

impl State {
    fn write(&mut self, path: &str, mut object: Value) -> Value {
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.objects.insert(path.to_owned(), object.clone());
        object
    }

    fn answer(&mut self, method: &str, path: &str, body: Value) -> (u16, Value) {
        match self.meanwhile.take() {
            Some((0, objects)) => {
                for (path, object) in objects {
                    self.write(path, object);
                }
            }
            Some((count, objects)) => self.meanwhile = Some((count - 1, objects)),
            None => {}
        }
        if let Some(answer) = self.failures.pop() {
            return answer;
        }
        let path = match body["metadata"]["name"].as_str() {
            Some(name) if method == "POST" => format!("{path}/{name}"),
            _ => path.to_owned(),
        };
        let there = self.objects.get(&path).cloned();
        let is_stale = |there: &Value| {
            let wanted = &body["metadata"]["resourceVersion"];
            !wanted.is_null() && *wanted != there["metadata"]["resourceVersion"]
        };
        match (method, there) {
            ("POST", Some(_)) => (409, failure(409, "AlreadyExists", "it is there already")),
            ("POST", None) => (201, self.write(&path, body)),
            (_, None) => (404, failure(404, "NotFound", "it isn't there")),
            ("GET", Some(there)) => (200, there),
            (_, Some(there)) if is_stale(&there) => {
                (409, failure(409, "Conflict", "it has changed"))
            }
            ("PUT", Some(_)) => (200, self.write(&path, body)),
            (_, Some(mut there)) => {
                merge(&mut there, body);
                (200, self.write(&path, there))
            }
        }
    }
}

fn merge(into: &mut Value, patch: Value) {
    match patch {
        Value::Object(patch) => {
            for (key, value) in patch {
                merge(&mut into[key], value);
            }
        }
        other => *into = other,
    }
}
