//! Requests for the objects of a resource, whatever their version.

use std::time::Duration;

use http::Request;
use http::request::Builder;
use kube::{Client, Error};
use serde::Deserialize;
use serde_json::{Value, json};

/// Who writes, as the API server knows it.
const FIELD_MANAGER: &str = "crd-conv";

/// How often a request is sent that fails on the way, and how long to wait the first time. Each further time is twice as long.
///
/// Answers such as 429 with `Retry-After` are the client's own matter: [`kube::Config::default_retry`] waits for as long as they say.
const ATTEMPTS: u32 = 6;
const PAUSE: Duration = Duration::from_millis(250);

/// Only the metadata of objects.
///
/// Source: <https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables>
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// A resource in a cluster.
#[derive(Clone)]
pub(crate) struct Requests {
    client: Client,
    group: String,
    plural: String,
    dry_run: bool,
}

/// What the metadata of an object says that matters here.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metadata {
    pub(crate) name: String,
    pub(crate) namespace: Option<String>,
    #[serde(default)]
    pub(crate) resource_version: String,
    #[serde(default)]
    pub(crate) uid: String,
    /// Who owns which fields.
    #[serde(default)]
    pub(crate) managed_fields: Vec<Value>,
}

impl Metadata {
    /// As errors of conversions name it.
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

    /// The text of a list.
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

    /// An object as a version shows it; `None` if it is gone.
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

    /// Applies nothing.
    ///
    /// Where somebody owns fields this is the only write that fails if the API server can't bring their sets of fields up to date, as while
    /// the webhook doesn't answer. Any other write goes through, and the writer isn't recorded; before Kubernetes 1.37 all owners were removed.
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

    /// Merges a patch, or tries what would come of it.
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
        let mut path = format!("/apis/{group}/{version}");
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

/// Whether the same request may succeed later. No request here does harm the second time.
fn is_passing(error: &Error) -> bool {
    match error {
        Error::HyperError(_) | Error::Service(_) => true,
        Error::Api(status) => matches!(status.code, 502..=504) || is_unreachable(error),
        _ => false,
    }
}

/// The webhook was asked and didn't answer. What it answered otherwise is said without the URL.
pub(crate) fn is_unreachable(error: &Error) -> bool {
    matches!(error, Error::Api(status) if status.code == 500 && of_webhook(&status.message, "failed: Post "))
}

/// What the API server says of a conversion webhook.
///
/// Source: `webhook_converter.go` in `k8s.io/apiextensions-apiserver/pkg/apiserver/conversion`.
pub(crate) fn of_webhook(message: &str, what: &str) -> bool {
    let said = message.split_once("conversion webhook for ");
    said.is_some_and(|(_, said)| said.contains(what))
}
