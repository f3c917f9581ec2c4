//! Keeps the Secret and the CustomResourceDefinitions in step.

use std::time::{Duration, SystemTime};

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Patch, PatchParams, PostParams};
use kube::core::ObjectMeta;
use kube::{Api, Error};
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use super::content::{Content, Found};
use super::{CertificateSecret, SecretError};
use crate::certificate::Pair;

/// The field manager for these fields.
const MANAGER: &str = "crd-conv-certificate";

/// The prefix of the annotations that ask cert-manager to inject a CA bundle.
const INJECTION: &str = "cert-manager.io/inject-";

/// How often to read again if other clients have written in the meantime.
const ATTEMPTS: usize = 10;

/// How long an API server has to answer, and how long to retry an unreachable one at the start.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(500);

/// How long to wait until all API servers know a new CA bundle, when no older pair can be served.
const HEARD: Duration = Duration::from_secs(5);

/// One replica's part in the rotation.
pub(crate) struct Rotation {
    settings: CertificateSecret,
    secrets: Api<Secret>,
    crds: Api<CustomResourceDefinition>,
    names: Vec<String>,
    /// The last known content. If the Secret is deleted, clients still trust this.
    last: Option<Content>,
    /// The time since when all CustomResourceDefinitions have had the next pair's authority.
    trusted: Option<(Pair, Instant)>,
    /// Whether this replica has changed a CA bundle.
    has_written: bool,
}

/// Another client has written between reading and writing.
struct Conflict;

impl Rotation {
    /// Takes the names of the CustomResourceDefinitions.
    pub(crate) fn new(settings: CertificateSecret, names: Vec<String>) -> Self {
        Self {
            secrets: Api::namespaced(settings.client.clone(), &settings.namespace),
            crds: Api::all(settings.client.clone()),
            settings,
            names,
            last: None,
            trusted: None,
            has_written: false,
        }
    }

    /// Returns the pair to start with. Retries for a while if the API server doesn't answer.
    pub(crate) async fn first(&mut self) -> Result<Pair, SecretError> {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.look().await {
                Err(error) if error.may_pass() && Instant::now() < until => sleep(PAUSE).await,
                Ok(pair) => {
                    if self.has_written {
                        sleep(HEARD).await;
                    }
                    return Ok(pair);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the steps that are due, and returns the pair to serve.
    pub(crate) async fn look(&mut self) -> Result<Pair, SecretError> {
        if self.settings.wanted.names.is_empty() {
            return Err(SecretError::NoNames);
        }
        let steps = async {
            for _ in 0..ATTEMPTS {
                if let Ok(pair) = self.step().await? {
                    return Ok(pair);
                }
            }
            Err(SecretError::Contended)
        };
        // Without a timeout, a connection on which nothing arrives any more would block this
        // forever.
        timeout(PATIENCE, steps).await.unwrap_or(Err(SecretError::NoAnswer))
    }

    /// Reads and writes once. The CustomResourceDefinitions are read before the Secret. So if a
    /// replica has read an older Secret than another replica, it has also read an older
    /// CustomResourceDefinition, and its write of the older bundle is refused.
    async fn step(&mut self) -> Result<Result<Pair, Conflict>, SecretError> {
        let crds = self.read_crds().await?;
        let secret = self.read_secret().await?;
        let now = SystemTime::now();
        let (found, planned) = self.plan(&crds, secret.as_ref(), now)?;
        let mut secret = secret;
        if found.as_ref() != Some(&planned) {
            match self.write_secret(secret, &planned).await? {
                Ok(written) => secret = Some(written),
                Err(Conflict) => return Ok(Err(Conflict)),
            }
        }
        self.last = Some(planned.clone());
        let mut has_changed = false;
        for crd in &crds {
            if bundle(crd) != Some(planned.bundle().as_bytes()) {
                if self.write_bundle(crd, &planned).await?.is_err() {
                    return Ok(Err(Conflict));
                }
                has_changed = true;
                self.has_written = true;
            }
        }
        if !self.may_promote(&planned, has_changed) {
            return Ok(Ok(planned.pair));
        }
        let promoted = planned.promoted();
        if self.write_secret(secret, &promoted).await?.is_err() {
            return Ok(Err(Conflict));
        }
        self.last = Some(promoted.clone());
        Ok(Ok(promoted.pair))
    }

    /// The content of the Secret, and the content that it should have.
    fn plan(
        &self,
        crds: &[CustomResourceDefinition],
        secret: Option<&Secret>,
        now: SystemTime,
    ) -> Result<(Option<Content>, Content), SecretError> {
        let wanted = &self.settings.wanted;
        let data = secret.and_then(|secret| secret.data.clone()).unwrap_or_default();
        let found = match Content::read(&data, now) {
            Found::Content(content) => Some(content),
            Found::Nothing => None,
            Found::Foreign => {
                let CertificateSecret { namespace, name, .. } = &self.settings;
                return Err(SecretError::Foreign { secret: format!("{namespace}/{name}") });
            }
        };
        let trusted = crds.iter().filter_map(bundle);
        let planned = match (&found, &self.last) {
            (Some(content), _) => content.clone().renewed(wanted, now)?,
            (None, Some(last)) if last.is_usable(now) => last.again(wanted, trusted, now)?,
            (None, _) => Content::first(wanted, trusted, now)?,
        };
        Ok((found, planned))
    }

    fn may_promote(&mut self, content: &Content, has_changed: bool) -> bool {
        let Some(next) = &content.next else {
            self.trusted = None;
            return false;
        };
        match &self.trusted {
            Some((pair, since)) if pair == next && !has_changed => {
                since.elapsed() >= self.settings.overlap
            }
            _ => {
                self.trusted = Some((next.clone(), Instant::now()));
                self.settings.overlap.is_zero()
            }
        }
    }

    /// The CustomResourceDefinitions that exist and send their requests to the certificate's names. If several installations share one, the
    /// webhook of another one is asked, which writes its own authority.
    async fn read_crds(&self) -> Result<Vec<CustomResourceDefinition>, SecretError> {
        let mut found = Vec::new();
        for name in &self.names {
            let crd = self.crds.get_opt(name).await;
            let crd =
                crd.map_err(failed(|| format!("read the CustomResourceDefinition {name}")))?;
            let Some(crd) = crd.filter(|crd| asks(crd, &self.settings.wanted.names)) else {
                continue;
            };
            let annotations = crd.metadata.annotations.iter().flatten();
            if let Some((annotation, _)) =
                annotations.into_iter().find(|(key, _)| key.starts_with(INJECTION))
            {
                let annotation = annotation.clone();
                return Err(SecretError::Injected { name: name.clone(), annotation });
            }
            found.push(crd);
        }
        Ok(found)
    }

    async fn read_secret(&self) -> Result<Option<Secret>, SecretError> {
        self.secrets.get_opt(&self.settings.name).await.map_err(failed(|| self.doing("read")))
    }

    async fn write_secret(
        &self,
        found: Option<Secret>,
        content: &Content,
    ) -> Result<Result<Secret, Conflict>, SecretError> {
        let params = PostParams { field_manager: Some(MANAGER.to_owned()), ..Default::default() };
        let name = &self.settings.name;
        let is_there = found.is_some();
        let mut secret = found.unwrap_or_else(|| Secret {
            metadata: ObjectMeta { name: Some(name.clone()), ..ObjectMeta::default() },
            type_: Some("kubernetes.io/tls".to_owned()),
            ..Secret::default()
        });
        content.write(secret.data.get_or_insert_default());
        let (doing, outcome) = if is_there {
            ("update", self.secrets.replace(name, &params, &secret).await)
        } else {
            ("create", self.secrets.create(&params, &secret).await)
        };
        unless_conflict(outcome, is_there, || self.doing(doing))
    }

    fn doing(&self, what: &str) -> String {
        let CertificateSecret { namespace, name, .. } = &self.settings;
        format!("{what} the Secret {namespace}/{name}")
    }

    async fn write_bundle(
        &self,
        crd: &CustomResourceDefinition,
        content: &Content,
    ) -> Result<Result<CustomResourceDefinition, Conflict>, SecretError> {
        let name = crd.metadata.name.as_deref().unwrap_or_default();
        let bundle = ByteString(content.bundle().into_bytes());
        let patch = Patch::Merge(json!({
            "metadata": { "resourceVersion": crd.metadata.resource_version },
            "spec": { "conversion": { "webhook": { "clientConfig": { "caBundle": bundle } } } },
        }));
        let params = PatchParams { field_manager: Some(MANAGER.to_owned()), ..Default::default() };
        let outcome = self.crds.patch(name, &params, &patch).await;
        unless_conflict(outcome, true, || format!("write the CA bundle of {name}"))
    }
}

/// Whether requests go to one of the names.
fn asks(crd: &CustomResourceDefinition, names: &[String]) -> bool {
    let webhook = crd.spec.conversion.as_ref().and_then(|conversion| conversion.webhook.as_ref());
    let Some(config) = webhook.and_then(|webhook| webhook.client_config.as_ref()) else {
        return false;
    };
    let service = config.service.as_ref();
    let service = service.map(|service| format!("{}.{}.svc", service.name, service.namespace));
    let url = config.url.as_ref().and_then(|url| url.parse::<http::Uri>().ok());
    let host = url.as_ref().and_then(http::Uri::host).map(|host| host.trim_matches(['[', ']']));
    let Some(host) = service.as_deref().or(host) else { return false };
    let parent = host.split_once('.').map(|(_, parent)| parent);
    names.iter().any(|name| {
        name.eq_ignore_ascii_case(host)
            || name.strip_prefix("*.").is_some_and(|of| parent == Some(of))
    })
}

fn bundle(crd: &CustomResourceDefinition) -> Option<&[u8]> {
    let webhook = crd.spec.conversion.as_ref()?.webhook.as_ref()?;
    Some(&webhook.client_config.as_ref()?.ca_bundle.as_ref()?.0)
}

fn failed(doing: impl FnOnce() -> String) -> impl FnOnce(Error) -> SecretError {
    move |error| SecretError::Client { doing: doing(), error: Box::new(error) }
}

/// An object that was created, changed or deleted in the meantime is read again. If there was no
/// object before, `not found` is about the namespace.
fn unless_conflict<T>(
    outcome: Result<T, Error>,
    was_there: bool,
    doing: impl FnOnce() -> String,
) -> Result<Result<T, Conflict>, SecretError> {
    match outcome {
        Ok(written) => Ok(Ok(written)),
        Err(Error::Api(status)) if status.is_conflict() || status.is_already_exists() => {
            Ok(Err(Conflict))
        }
        Err(Error::Api(status)) if was_there && status.is_not_found() => Ok(Err(Conflict)),
        Err(error) => Err(failed(doing)(error)),
    }
}
