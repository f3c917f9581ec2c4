//! Requests for the objects of a resource, whatever their version.

use std::time::Duration;

use http::Request;
use http::request::Builder;
use kube::{Client, Error};
use serde::Deserialize;
use serde_json::{Value, json};

/// The field manager of all writes.
const FIELD_MANAGER: &str = "crd-conv";

/// How often a request is sent if it fails on the way, and how long to wait the first time. Each
/// further wait is twice as long.
///
/// The client itself retries answers such as 429 with `Retry-After`:
/// [`kube::Config::default_retry`] waits as long as they require.
const ATTEMPTS: u32 = 6;
const PAUSE: Duration = Duration::from_millis(250);

/// Requests only the metadata of objects.
///
/// Source: <https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables>
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// A resource in a cluster.
#[derive(Clone)]
pub(crate) struct Requests {
    client: Client,
    /// Empty for the core group.
    group: String,
    plural: String,
    dry_run: bool,
}

/// The parts of an object's metadata that matter here.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metadata {
    pub(crate) name: String,
    pub(crate) namespace: Option<String>,
    #[serde(default)]
    pub(crate) resource_version: String,
    #[serde(default)]
    pub(crate) uid: String,
    /// The owners of the object's fields.
    #[serde(default)]
    pub(crate) managed_fields: Vec<Value>,
}

impl Metadata {
    /// The object's name, as in errors of conversions.
    pub(crate) fn shown(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}/{}", self.name),
            None => self.name.clone(),
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Partial {
    pub(crate) metadata: Metadata,
}

impl Requests {
    pub(crate) fn new(client: &Client, group: &str, plural: &str, dry_run: bool) -> Self {
        let (group, plural) = (group.to_owned(), plural.to_owned());
        Self { client: client.clone(), group, plural, dry_run }
    }

    pub(crate) fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// Returns the text of a list.
    pub(crate) async fn list(
        &self,
        version: &str,
        only_metadata: bool,
        limit: u32,
        token: Option<&str>,
    ) -> Result<String, Error> {
        let mut path = format!("{}?limit={limit}", self.path(version, None, ""));
        if let Some(token) = token {
            // Base64 without padding, for URLs.
            path = format!("{path}&continue={token}");
        }
        let accept = if only_metadata { METADATA_LIST } else { "application/json" };
        self.text(|| Request::get(&path).header("Accept", accept), "").await
    }

    /// Returns an object in a version, or `None` if it no longer exists.
    pub(crate) async fn get(
        &self,
        version: &str,
        object: &Metadata,
    ) -> Result<Option<String>, Error> {
        let path = self.path(version, object.namespace.as_deref(), &object.name);
        match self.text(|| Request::get(&path).header("Accept", "application/json"), "").await {
            Err(Error::Api(status)) if status.is_not_found() => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    /// Applies an object without fields.
    ///
    /// If an object's fields have owners, this is the only write that fails when the API server
    /// can't update the owners' sets of fields, for example while the webhook doesn't answer. Any
    /// other write succeeds without recording the writer. Before Kubernetes 1.37, such a write
    /// removed all owners.
    ///
    /// Source: `UpdateNoErrors` in `k8s.io/apimachinery/pkg/util/managedfields/internal`.
    pub(crate) async fn apply(
        &self,
        version: &str,
        kind: &str,
        object: &Metadata,
    ) -> Result<Partial, Error> {
        let Metadata { name, namespace, uid, .. } = object;
        let mut metadata = json!({ "name": name, "uid": uid });
        if let Some(namespace) = namespace {
            metadata["namespace"] = json!(namespace);
        }
        let api_version = format!("{}/{version}", self.group);
        let body = json!({ "apiVersion": api_version, "kind": kind, "metadata": metadata });
        self.write(version, object, "application/apply-patch+yaml", &body, self.dry_run).await
    }

    /// Merges a patch. With `dry_run`, only returns what the result would be.
    pub(crate) async fn merge(
        &self,
        version: &str,
        object: &Metadata,
        patch: &Value,
        dry_run: bool,
    ) -> Result<Partial, Error> {
        let dry_run = dry_run || self.dry_run;
        self.write(version, object, "application/merge-patch+json", patch, dry_run).await
    }

    async fn write(
        &self,
        version: &str,
        object: &Metadata,
        content_type: &str,
        body: &Value,
        dry_run: bool,
    ) -> Result<Partial, Error> {
        let path = self.path(version, object.namespace.as_deref(), &object.name);
        let dry_run = if dry_run { "&dryRun=All" } else { "" };
        let path = format!("{path}?fieldManager={FIELD_MANAGER}{dry_run}");
        let request = || {
            Request::patch(&path).header("Accept", METADATA).header("Content-Type", content_type)
        };
        let text = self.text(request, &body.to_string()).await?;
        serde_json::from_str(&text).map_err(Error::SerdeError)
    }

    fn path(&self, version: &str, namespace: Option<&str>, name: &str) -> String {
        let Self { group, plural, .. } = self;
        let mut path = match group.as_str() {
            "" => format!("/api/{version}"),
            group => format!("/apis/{group}/{version}"),
        };
        if let Some(namespace) = namespace {
            path = format!("{path}/namespaces/{namespace}");
        }
        path = format!("{path}/{plural}");
        if name.is_empty() { path } else { format!("{path}/{name}") }
    }

    async fn text(&self, request: impl Fn() -> Builder, body: &str) -> Result<String, Error> {
        let mut pauses = (1..ATTEMPTS).scan(PAUSE, |next, _| {
            let pause = *next;
            *next *= 2;
            Some(pause)
        });
        loop {
            let whole = request().body(body.as_bytes().to_vec()).map_err(Error::HttpError)?;
            let outcome = self.client.request_text(whole).await;
            match pauses.next() {
                Some(pause) if outcome.as_ref().is_err_and(is_passing) => {
                    tokio::time::sleep(pause).await;
                }
                _ => return outcome,
            }
        }
    }
}

/// Whether the same request may succeed later. All requests here can be repeated safely.
fn is_passing(error: &Error) -> bool {
    match error {
        Error::HyperError(_) | Error::Service(_) => true,
        Error::Api(status) => matches!(status.code, 502..=504) || is_unreachable(error),
        _ => false,
    }
}

/// Whether the API server asked the webhook and got no answer. Messages about other failures don't
/// contain the URL.
pub(crate) fn is_unreachable(error: &Error) -> bool {
    matches!(error, Error::Api(status) if status.code == 500 && of_webhook(&status.message, "failed: Post "))
}

/// Whether the API server's message is this one about a conversion webhook.
///
/// Source: `webhook_converter.go` in `k8s.io/apiextensions-apiserver/pkg/apiserver/conversion`.
pub(crate) fn of_webhook(message: &str, what: &str) -> bool {
    let said = message.split_once("conversion webhook for ");
    said.is_some_and(|(_, said)| said.contains(what))
}
