//! The Secret and the CustomResourceDefinitions, kept in step.

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

/// The name under which the API server knows whose fields these are.
const MANAGER: &str = "crd-conv-certificate";

/// What asks something else for a CA bundle.
const INJECTION: &str = "cert-manager.io/inject-";

/// How often something is read again because others have written meanwhile.
const ATTEMPTS: usize = 10;

/// How long an API server has to answer, and one that can't be reached has when the program starts.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(500);

/// How long to wait until all API servers have heard of a CA bundle, where there is nothing else to serve.
const HEARD: Duration = Duration::from_secs(5);

/// One replica's part.
pub(crate) struct Rotation {
    settings: CertificateSecret,
    secrets: Api<Secret>,
    crds: Api<CustomResourceDefinition>,
    names: Vec<String>,
    /// What was there last: should the Secret go, clients still trust this.
    last: Option<Content>,
    /// Since when all CustomResourceDefinitions have the authority of the pair that comes next.
    trusted: Option<(Pair, Instant)>,
    /// Whether this replica has changed a CA bundle.
    has_written: bool,
}

/// Others have written between reading and writing.
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

    /// The pair to start with. An API server that doesn't answer is asked again for a while.
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

    /// Does what is due, and returns the pair to serve.
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
        // A connection that nothing comes from any more would hold it up for ever.
        timeout(PATIENCE, steps).await.unwrap_or(Err(SecretError::NoAnswer))
    }

    /// The CustomResourceDefinitions are read before the Secret. So a replica that has read an older Secret than another one has also
    /// read an older CustomResourceDefinition, and its write of the older bundle is refused.
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

    /// What is in the Secret, and what should be.
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

    /// Those that there are and that have a webhook.
    async fn read_crds(&self) -> Result<Vec<CustomResourceDefinition>, SecretError> {
        let mut found = Vec::new();
        for name in &self.names {
            let crd = self.crds.get_opt(name).await;
            let crd =
                crd.map_err(failed(|| format!("read the CustomResourceDefinition {name}")))?;
            let Some(crd) = crd.filter(has_webhook) else { continue };
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

fn has_webhook(crd: &CustomResourceDefinition) -> bool {
    crd.spec.conversion.as_ref().is_some_and(|conversion| conversion.webhook.is_some())
}

fn bundle(crd: &CustomResourceDefinition) -> Option<&[u8]> {
    let webhook = crd.spec.conversion.as_ref()?.webhook.as_ref()?;
    Some(&webhook.client_config.as_ref()?.ca_bundle.as_ref()?.0)
}

fn failed(doing: impl FnOnce() -> String) -> impl FnOnce(Error) -> SecretError {
    move |error| SecretError::Client { doing: doing(), error: Box::new(error) }
}

/// What was created, changed or deleted meanwhile is read again. Where nothing was there, what isn't found is the namespace.
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
