//! Secrets for the API server: its CustomResourceDefinition part has none.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use http::{Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

/// Secrets in memory, with versions like the API server's. All other requests go to a server.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, Value>,
    version: u64,
}

impl Secrets {
    /// Returns a client for the server and for these secrets.
    pub fn client(&self, server: Client) -> Client {
        let this = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let (this, server) = (this.clone(), server.clone());
            async move {
                let path = request.uri().path().to_owned();
                if !path.starts_with("/api/v1/namespaces/") {
                    return server.send(request).await;
                }
                let method = request.method().clone();
                let body = request.into_body().collect().await?.to_bytes();
                let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
                let (status, answer) = this.state().answer(&method, path, body);
                let mut response = Response::new(Body::from(answer.to_string().into_bytes()));
                *response.status_mut() = status;
                Ok::<_, kube::Error>(response)
            }
        });
        Client::new(service, "default")
    }

    /// Creates or replaces a secret.
    pub fn put(&self, namespace: &str, name: &str, secret: Value) {
        self.state().write(format!("/api/v1/namespaces/{namespace}/secrets/{name}"), secret);
    }

    /// Deletes a secret.
    pub fn delete(&self, namespace: &str, name: &str) {
        self.state().objects.remove(&format!("/api/v1/namespaces/{namespace}/secrets/{name}"));
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().expect("no holder panicked")
    }
}

impl State {
    fn write(&mut self, path: String, mut object: Value) -> Value {
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.objects.insert(path, object.clone());
        object
    }

    fn answer(&mut self, method: &Method, path: String, body: Value) -> (StatusCode, Value) {
        let path = match body["metadata"]["name"].as_str() {
            Some(name) if method == Method::POST => format!("{path}/{name}"),
            _ => path,
        };
        let there = self.objects.get(&path).cloned();
        let version = &body["metadata"]["resourceVersion"];
        match there {
            None if method == Method::POST => (StatusCode::CREATED, self.write(path, body)),
            None => failure(StatusCode::NOT_FOUND, "NotFound"),
            Some(there) if method == Method::GET => (StatusCode::OK, there),
            Some(there) if *version == there["metadata"]["resourceVersion"] => {
                (StatusCode::OK, self.write(path, body))
            }
            Some(_) if method == Method::POST => failure(StatusCode::CONFLICT, "AlreadyExists"),
            Some(_) => failure(StatusCode::CONFLICT, "Conflict"),
        }
    }
}

fn failure(code: StatusCode, reason: &str) -> (StatusCode, Value) {
    let status = json!({
        "apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code.as_u16(), "reason": reason, "message": reason,
    });
    (code, status)
}
