//! Asks the webhook for conversions before the CustomResourceDefinition points to it.

use std::fmt;
use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::Request;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout_at};

use super::said;
use crate::{ResourceType, crd::Webhook};

/// How long a starting webhook has.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long to wait before retrying a webhook that doesn't answer.
const PAUSE: Duration = Duration::from_millis(250);

/// How long one review may take. The API server waits for the same time.
///
/// Source: <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#webhook-request-and-response>
const ONE_REVIEW: Duration = Duration::from_secs(30);

/// Asks the conversion webhook for conversions, as the API server will.
///
/// If the CustomResourceDefinition points to a webhook that doesn't answer, objects can't be read,
/// listed or even deleted in any version but the stored one. A namespace that contains such objects
/// can't be deleted either. So [`Install::probe`](super::Install::probe) asks first.
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # async fn probe(pem: Vec<u8>) -> Result<(), crd_conv::cluster::ProbeError> {
/// use crd_conv::{ResourceType, crd::Webhook, cluster::Probe};
///
/// let webhook = Webhook::service("default", "box-conversion").ca_bundle(pem);
/// Probe::of(&webhook).check(&ResourceType::of::<Box>()).await?;
/// # Ok(())
/// # }
/// # fn main() {}
/// ```
#[derive(Clone, Debug)]
pub struct Probe {
    url: String,
    ca_bundle: Option<Vec<u8>>,
    server_name: Option<String>,
    patience: Duration,
}

impl Probe {
    /// Makes a probe of a webhook at a URL, such as `https://127.0.0.1:8443/convert`.
    pub fn url(url: impl Into<String>) -> Self {
        Self { url: url.into(), ca_bundle: None, server_name: None, patience: PATIENCE }
    }

    /// Makes a probe of the webhook that a CustomResourceDefinition will name.
    ///
    /// Its address is its URL, or `https://<name>.<namespace>.svc:<port><path>` for a service. The
    /// latter name works only inside the cluster. The probe checks its certificate against the same
    /// CA bundle.
    ///
    /// From outside the cluster, forward a port, and use [`url`](Self::url) with
    /// [`server_name`](Self::server_name).
    pub fn of(webhook: &Webhook) -> Self {
        let Webhook { service_namespace, service_name, service_port, url, .. } = webhook;
        let url = url.clone().unwrap_or_else(|| {
            let name = service_name.as_deref().unwrap_or_default();
            let namespace = service_namespace.as_deref().unwrap_or_default();
            let path = webhook.path_at_service();
            format!("https://{name}.{namespace}.svc:{}{path}", service_port.unwrap_or(443))
        });
        Self { ca_bundle: webhook.ca_bundle.clone(), ..Self::url(url) }
    }

    /// Sets the certificates, as PEM, that the webhook's certificate is checked against. The
    /// default is the system's certificates.
    #[must_use]
    pub fn ca_bundle(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.ca_bundle = Some(pem.into());
        self
    }

    /// Sets the name that the webhook's certificate must have, if it differs from the host in the
    /// URL. For a forwarded port, that is `<name>.<namespace>.svc`.
    #[must_use]
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.server_name = Some(name.into());
        self
    }

    /// Sets how long the probe retries a webhook that doesn't answer, because it may be starting.
    /// The default is 30 seconds. A wrong answer isn't retried.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sends `ConversionReview`s of objects without fields, into each version from all others.
    /// Checks the answers as the API server does.
    ///
    /// # Errors
    ///
    /// Fails if nothing answers in time, if the certificate isn't valid, or if the API server would
    /// refuse an answer. The last happens, for example, if another release answers that lacks a
    /// version.
    pub async fn check(&self, resource: &ResourceType) -> Result<(), ProbeError> {
        let client = self.client().await.map_err(|reason| self.error(reason))?;
        let until = Instant::now() + self.patience;
        for review in reviews(resource) {
            let answer = self.answer(&client, &review, until).await?;
            checked(&answer, &review).map_err(|reason| {
                let into = &review["request"]["desiredAPIVersion"];
                self.error(format!("a review into {} {reason}", into.as_str().unwrap_or_default()))
            })?;
        }
        Ok(())
    }

    async fn answer(
        &self,
        client: &Client,
        review: &Value,
        until: Instant,
    ) -> Result<String, ProbeError> {
        let (_, path) = self.parts().map_err(|reason| self.error(reason))?;
        let separator = if path.contains('?') { '&' } else { '?' };
        let path = format!("{path}{separator}timeout={}s", ONE_REVIEW.as_secs());
        loop {
            let request = Request::post(&path)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, */*")
                .body(review.to_string().into_bytes())
                .map_err(|error| self.error(error.to_string()))?;
            let limit = until.max(Instant::now() + PAUSE).min(Instant::now() + ONE_REVIEW);
            let reason = match timeout_at(limit, client.request_text(request)).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => said(&error),
                Err(_) => "it doesn't answer in time".to_owned(),
            };
            if Instant::now() + PAUSE >= until {
                return Err(self.error(reason));
            }
            sleep(PAUSE).await;
        }
    }

    /// `kube`'s client uses the TLS implementation that the program chose.
    async fn client(&self) -> Result<Client, String> {
        let (origin, _) = self.parts()?;
        let mut cluster = json!({ "server": origin });
        if let Some(pem) = &self.ca_bundle {
            cluster["certificate-authority-data"] = json!(BASE64_STANDARD.encode(pem));
        }
        if let Some(name) = &self.server_name {
            cluster["tls-server-name"] = json!(name);
        }
        let config = json!({
            "clusters": [{ "name": "webhook", "cluster": cluster }],
            "users": [{ "name": "nobody", "user": {} }],
            "contexts": [{ "name": "probe", "context": { "cluster": "webhook", "user": "nobody" } }],
            "current-context": "probe",
        });
        let config: Kubeconfig =
            serde_json::from_value(config).map_err(|error| error.to_string())?;
        let mut config = Config::from_custom_kubeconfig(config, &KubeConfigOptions::default())
            .await
            .map_err(|error| format!("its URL or its CA bundle is invalid: {error}"))?;
        // The probe has its own retries, which count the time.
        config.default_retry = false;
        Client::try_from(config).map_err(|error| said(&error))
    }

    /// The URL up to the path, and the path.
    fn parts(&self) -> Result<(&str, &str), String> {
        let rest = self
            .url
            .strip_prefix("https://")
            .ok_or("its URL doesn't start with `https://`; the API server accepts no other")?;
        let path = rest.find('/').unwrap_or(rest.len());
        let (origin, path) = self.url.split_at("https://".len() + path);
        Ok((origin, if path.is_empty() { "/" } else { path }))
    }

    fn error(&self, reason: String) -> ProbeError {
        ProbeError { url: self.url.clone(), reason }
    }
}

/// Makes a review into each version, with objects in all other versions.
fn reviews(resource: &ResourceType) -> Vec<Value> {
    let definition = resource.definition();
    let versions = definition.versions.iter().map(|version| version.name);
    let review = |to: &str| {
        let object = |version: &str| {
            json!({
                "apiVersion": format!("{}/{version}", definition.group),
                "kind": definition.kind,
                "metadata": {
                    "name": "crd-conv-probe",
                    "namespace": "default",
                    "uid": "00000000-0000-4000-8000-000000000000",
                },
            })
        };
        // A converter may rightly refuse an object without fields.
        let objects: Vec<Value> = versions
            .clone()
            .filter(|from| *from != to)
            .map(object)
            .filter(|object| resource.convert(object.to_string().as_bytes(), to).is_ok())
            .collect();
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "ConversionReview",
            "request": {
                "uid": format!("crd-conv-probe-{to}"),
                "desiredAPIVersion": format!("{}/{to}", definition.group),
                "objects": objects,
            },
            "response": { "uid": "", "convertedObjects": null, "result": { "metadata": {} } },
        })
    };
    let has_objects =
        |review: &Value| review["request"]["objects"].as_array().is_some_and(|all| !all.is_empty());
    versions.clone().map(review).filter(has_objects).collect()
}

/// Checks an answer as the API server does.
///
/// Source: `convertToVersion` of <https://github.com/kubernetes/apiextensions-apiserver/blob/master/pkg/apiserver/conversion/webhook_converter.go>
fn checked(answer: &str, review: &Value) -> Result<(), String> {
    let answer: Value = serde_json::from_str(answer)
        .map_err(|error| format!("is answered with something that isn't JSON: {error}"))?;
    let request = &review["request"];
    if answer["kind"] != review["kind"] || answer["apiVersion"] != review["apiVersion"] {
        return Err(format!(
            "is answered with `{}` of `{}`, not a `ConversionReview` of `apiextensions.k8s.io/v1`",
            text(&answer["kind"]),
            text(&answer["apiVersion"])
        ));
    }
    let response = &answer["response"];
    if response["uid"] != request["uid"] {
        return Err("is answered with the uid of another review".to_owned());
    }
    let result = &response["result"];
    if result["status"] != "Success" {
        return Err(format!("fails: {}", text(&result["message"])));
    }
    let none = Vec::new();
    let sent = request["objects"].as_array().unwrap_or(&none);
    let got = response["convertedObjects"].as_array().unwrap_or(&none);
    if sent.len() != got.len() {
        return Err(format!("of {} objects is answered with {}", sent.len(), got.len()));
    }
    for (sent, got) in sent.iter().zip(got) {
        let same = |pointer: &str| sent.pointer(pointer) == got.pointer(pointer);
        let is_same = ["/kind", "/metadata/name", "/metadata/namespace", "/metadata/uid"];
        if got["apiVersion"] != request["desiredAPIVersion"] || !is_same.into_iter().all(same) {
            return Err("is answered with another object".to_owned());
        }
    }
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A webhook that doesn't answer as the API server requires.
#[derive(Debug)]
pub struct ProbeError {
    url: String,
    reason: String,
}

impl ProbeError {
    /// Returns the URL that was probed.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, reason } = self;
        write!(
            f,
            "the conversion webhook at {url} doesn't work yet: {reason}; start all of its replicas in this release first"
        )
    }
}

impl std::error::Error for ProbeError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reviewer, crd::fixture::cron_tab};

    #[test]
    fn a_service_is_asked_by_its_name_in_the_cluster() {
        let webhook = Webhook::service("shop", "conversion").ca_bundle("PEM");
        let probe = Probe::of(&webhook);
        assert_eq!(probe.url, "https://conversion.shop.svc:443/convert");
        assert_eq!(probe.ca_bundle.as_deref(), Some(&b"PEM"[..]));
        assert_eq!(probe.parts(), Ok(("https://conversion.shop.svc:443", "/convert")));
        assert_eq!(Probe::url("https://a:1").parts(), Ok(("https://a:1", "/")));
        assert!(Probe::url("http://a").parts().is_err());
    }

    #[test]
    fn each_version_is_asked_for_from_all_others_and_our_own_answers_are_right() {
        let reviews = reviews(&cron_tab());
        assert_eq!(reviews.len(), cron_tab().definition().versions.len());
        let reviewer = Reviewer::new([cron_tab()]);
        for review in &reviews {
            let answer = reviewer.review(review.to_string().as_bytes()).unwrap().body;
            assert_eq!(checked(&answer, review), Ok(()));
        }
    }

    #[test]
    fn answers_that_the_api_server_refuses_are_refused() {
        let review = &reviews(&cron_tab())[0];
        let right = Reviewer::new([cron_tab()]).review(review.to_string().as_bytes()).unwrap().body;
        let right: Value = serde_json::from_str(&right).unwrap();
        let changes: [(&str, Value, &str); 7] = [
            ("/kind", json!("Status"), "not a `ConversionReview`"),
            ("/response/uid", json!("x"), "the uid of another"),
            ("/response/result", json!({ "status": "Failed", "message": "no" }), "fails: no"),
            ("/response/convertedObjects", json!([]), "is answered with 0"),
            ("/response/convertedObjects/0/apiVersion", json!("g/v0"), "another object"),
            ("/response/convertedObjects/0/metadata/name", json!("x"), "another object"),
            ("/response", json!(null), "the uid of another"),
        ];
        for (place, value, expected) in changes {
            let mut answer = right.clone();
            *answer.pointer_mut(place).unwrap() = value;
            let reason = checked(&answer.to_string(), review).unwrap_err();
            assert!(reason.contains(expected), "{place}: {reason}");
        }
        assert!(checked("nonsense", review).unwrap_err().contains("isn't JSON"));
    }
}
