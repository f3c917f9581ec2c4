//! Secrets beside the API server, whose CustomResourceDefinition part has none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use http::{Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

/// Secrets in memory, with versions as the API server has them. Everything else goes to a server.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, Value>,
    version: u64,
    asked: BTreeSet<Asked>,
}

/// What the authorization of a request is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    /// Such as `watch`.
    pub verb: &'static str,
    /// The group, empty for the core.
    pub group: String,
    /// The plural, with a subresource behind a slash.
    pub resource: String,
    /// The object, if it is about one.
    pub name: Option<String>,
}

impl Secrets {
    /// A client of the server and of these.
    pub fn client(&self, server: Client) -> Client {
        let this = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let (this, server) = (this.clone(), server.clone());
            async move {
                let path = request.uri().path().to_owned();
                if let Some(asked) = Asked::of(request.method(), &path, request.uri().query()) {
                    this.state().asked.insert(asked);
                }
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

    /// What was asked for by all clients.
    pub fn asked(&self) -> BTreeSet<Asked> {
        self.state().asked.clone()
    }

    /// Creates or replaces one.
    pub fn put(&self, namespace: &str, name: &str, secret: Value) {
        self.state().write(format!("/api/v1/namespaces/{namespace}/secrets/{name}"), secret);
    }

    /// Deletes one.
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

impl Asked {
    /// `None` for what isn't about a resource.
    fn of(method: &Method, path: &str, query: Option<&str>) -> Option<Self> {
        let mut parts = path.split('/').skip(1);
        let group = match parts.next()? {
            "api" => String::new(),
            "apis" => parts.next()?.to_owned(),
            _ => return None,
        };
        let _version = parts.next()?;
        let mut rest: Vec<&str> = parts.collect();
        if rest.len() > 2 && rest[0] == "namespaces" {
            rest.drain(..2);
        }
        let mut resource = (*rest.first()?).to_owned();
        let name = rest.get(1).map(|name| (*name).to_owned());
        if let Some(subresource) = rest.get(2) {
            resource = format!("{resource}/{subresource}");
        }
        let is_watch = query.unwrap_or_default().split('&').any(|part| part.starts_with("watch="));
        let verb = match (method.as_str(), &name) {
            ("GET", Some(_)) => "get",
            ("GET", None) if is_watch => "watch",
            ("GET", None) => "list",
            ("POST", _) => "create",
            ("PUT", _) => "update",
            ("PATCH", _) => "patch",
            _ => "delete",
        };
        Some(Self { verb, group, resource, name })
    }
}
