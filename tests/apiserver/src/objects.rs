//! Requests for objects of one version in one namespace.

use http::Request;
use kube::core::{ApiResource, DynamicObject};
use kube::{Api, Client};
use serde_json::{Map, Value, json};

use crate::cluster::namespace;

/// Objects of one version in one namespace, as JSON.
#[derive(Clone)]
pub struct Objects {
    client: Client,
    resource: ApiResource,
    namespace: String,
}

impl Objects {
    pub(crate) fn new(client: Client, resource: ApiResource, namespace: &str) -> Self {
        Self { client, resource, namespace: namespace.to_owned() }
    }

    /// Returns kube's API for these objects.
    pub fn api(&self) -> Api<DynamicObject> {
        Api::namespaced_with(self.client.clone(), &self.namespace, &self.resource)
    }

    /// Returns kube's API for the same objects in all namespaces.
    pub fn api_everywhere(&self) -> Api<DynamicObject> {
        Api::all_with(self.client.clone(), &self.resource)
    }

    /// Returns an object with nothing but a name.
    pub fn bare(&self, name: &str) -> Value {
        json!({
            "apiVersion": self.resource.api_version,
            "kind": self.resource.kind,
            "metadata": { "name": name },
        })
    }

    /// Returns an object with a name and these fields.
    pub fn object(&self, name: &str, fields: &Value) -> Value {
        let mut object = self.bare(name);
        for (field, value) in fields.as_object().into_iter().flatten() {
            object[field] = value.clone();
        }
        object
    }

    /// Creates an object.
    pub async fn create(&self, object: &Value) -> kube::Result<Value> {
        self.send("POST", "", "application/json", object).await
    }

    /// Creates an object, and returns the warnings that the server sends back.
    pub async fn warnings(&self, object: &Value) -> kube::Result<Vec<String>> {
        let request = self.request("POST", "", "application/json", object.to_string());
        let response = self.client.send(request.map(kube::client::Body::from)).await?;
        assert!(response.status().is_success(), "{}: {object}", response.status());
        let texts = response.headers().get_all(http::header::WARNING).into_iter();
        Ok(texts.map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned()).collect())
    }

    /// Creates an object from a text, which is sent unchanged.
    pub async fn create_text(&self, object: &str) -> kube::Result<String> {
        self.send_text("POST", "", "application/json", object.to_owned()).await
    }

    /// Gives a [random](crate::Installed::random) object a name.
    pub fn named(&self, object: &str, name: &str) -> String {
        let drawn = [r#""name":"a","namespace":"b""#, r#""name":"a""#];
        let given = format!(r#""name":"{name}","namespace":"{}""#, self.namespace);
        let drawn = drawn.into_iter().find(|drawn| object.contains(drawn)).expect("a name");
        object.replacen(drawn, &given, 1)
    }

    /// Reads an object from etcd.
    pub async fn get(&self, name: &str) -> kube::Result<Value> {
        self.send("GET", &format!("/{name}"), "", &Value::Null).await
    }

    /// Reads an object from etcd, as text.
    pub async fn get_text(&self, name: &str) -> kube::Result<String> {
        let text = self.send_text("GET", &format!("/{name}"), "", String::new()).await?;
        Ok(text.trim_end().to_owned())
    }

    /// Reads all objects from etcd.
    pub async fn list(&self) -> kube::Result<Vec<Value>> {
        let mut list = self.send("GET", "", "", &Value::Null).await?;
        Ok(serde_json::from_value(list["items"].take()).expect("items"))
    }

    /// Reads all objects from etcd, even if a server has caches for that: it asks for the objects
    /// as they were a moment ago, which no cache has. The gate `ListFromCacheSnapshot` has to be
    /// off.
    pub async fn list_stored(&self) -> kube::Result<Vec<Value>> {
        let now = self.send("GET", "?limit=1", "", &Value::Null).await?;
        let revision = now["metadata"]["resourceVersion"].as_str().expect("a revision");
        let path = format!("?resourceVersion={revision}&resourceVersionMatch=Exact");
        let mut list = self.send("GET", &path, "", &Value::Null).await?;
        Ok(serde_json::from_value(list["items"].take()).expect("items"))
    }

    /// Reads all objects from the version's watch cache.
    pub async fn list_cached(&self) -> kube::Result<Vec<Value>> {
        let mut list = self.send("GET", "?resourceVersion=0", "", &Value::Null).await?;
        Ok(serde_json::from_value(list["items"].take()).expect("items"))
    }

    /// Replaces the object with the same name.
    pub async fn replace(&self, object: &Value) -> kube::Result<Value> {
        self.send("PUT", &format!("/{}", name(object)), "application/json", object).await
    }

    /// Replaces the status of the object with the same name.
    pub async fn replace_status(&self, object: &Value) -> kube::Result<Value> {
        let path = format!("/{}/status", name(object));
        self.send("PUT", &path, "application/json", object).await
    }

    /// Applies a merge patch.
    pub async fn merge_patch(&self, name: &str, patch: &Value) -> kube::Result<Value> {
        self.send("PATCH", &format!("/{name}"), "application/merge-patch+json", patch).await
    }

    /// Applies a JSON patch.
    pub async fn json_patch(&self, name: &str, patch: &Value) -> kube::Result<Value> {
        self.send("PATCH", &format!("/{name}"), "application/json-patch+json", patch).await
    }

    /// Applies an object with server-side apply, without force.
    pub async fn apply(&self, manager: &str, object: &Value) -> kube::Result<Value> {
        let path = format!("/{}?fieldManager={manager}", name(object));
        self.send("PATCH", &path, "application/apply-patch+yaml", object).await
    }

    /// Deletes an object.
    pub async fn delete(&self, name: &str) -> kube::Result<Value> {
        self.send("DELETE", &format!("/{name}"), "", &Value::Null).await
    }

    /// Deletes all objects, as the deletion of a namespace does.
    pub async fn delete_all(&self) -> kube::Result<Value> {
        self.send("DELETE", "", "", &Value::Null).await
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: &Value,
    ) -> kube::Result<Value> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let text = self.send_text(method, path, kind, body).await?;
        serde_json::from_str(&text).map_err(kube::Error::SerdeError)
    }

    async fn send_text(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: String,
    ) -> kube::Result<String> {
        let request = || self.request(method, path, kind, body.clone());
        match self.client.request_text(request()).await {
            // A whole control plane needs the namespace. The CustomResourceDefinition part alone
            // accepts any.
            Err(kube::Error::Api(status))
                if status.is_not_found() && status.message.starts_with("namespaces ") =>
            {
                namespace(&self.client, &self.namespace).await;
                self.client.request_text(request()).await
            }
            outcome => outcome,
        }
    }

    fn request(&self, method: &str, path: &str, kind: &str, body: String) -> Request<Vec<u8>> {
        let uri = format!(
            "/apis/{}/namespaces/{}/{}{path}",
            self.resource.api_version, self.namespace, self.resource.plural,
        );
        let mut request = Request::builder().method(method).uri(uri);
        if !kind.is_empty() {
            request = request.header("Content-Type", kind);
        }
        request.body(body.into_bytes()).expect("a request")
    }
}

fn name(object: &Value) -> &str {
    object["metadata"]["name"].as_str().expect("a name")
}

/// Returns the annotations that keep what the object's version can't express.
pub fn carrier(object: &Value) -> Map<String, Value> {
    let annotations = object["metadata"]["annotations"].as_object().into_iter().flatten();
    annotations
        .filter(|(key, _)| key.starts_with("conversion."))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns the object without the carrier's annotations, and without what only the server decides.
pub fn comparable(object: &Value) -> Value {
    let mut object = object.clone();
    for key in carrier(&object).keys() {
        object["metadata"]["annotations"].as_object_mut().expect("annotations").remove(key);
    }
    let metadata = object["metadata"].as_object_mut().expect("metadata");
    if metadata.get("annotations").is_some_and(|left| left == &json!({})) {
        metadata.remove("annotations");
    }
    for name in ["managedFields", "resourceVersion", "generation", "uid", "creationTimestamp"] {
        metadata.remove(name);
    }
    object
}

/// Returns the server's message when it refused a request.
pub fn refusal(result: kube::Result<Value>) -> String {
    match result {
        Err(kube::Error::Api(status)) => status.message,
        other => panic!("expected a refusal, not {other:?}"),
    }
}
