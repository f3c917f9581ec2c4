//! The CustomResourceDefinition into a cluster.

use std::fmt;
use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Patch, PatchParams};
use kube::{Api, Client};

use super::{InstallError, Probe, serving::until_served};
use crate::{
    Resource,
    crd::{Crd, CrdErrors, CrdOptions},
    definition::Definition,
    verify::About,
};

/// Creates the CustomResourceDefinition in a cluster, or brings it up to date.
///
/// It does so by server-side apply, so annotations, labels and a CA bundle that others set stay. Every replica of an operator may do
/// it at each start.
///
/// ```no_run
/// # mod v1 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     pub struct Spec { pub size: i64 }
/// # }
/// # #[derive(crd_conv::Versioned)]
/// # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// # enum Box { #[versioned(storage)] V1 { spec: v1::Spec } }
/// # async fn install(client: kube::Client) -> Result<(), std::boxed::Box<dyn std::error::Error>> {
/// use crd_conv::{
///     Resource,
///     crd::{CrdOptions, Webhook},
///     kube::{Install, Probe},
/// };
///
/// let webhook = Webhook::service("default", "box-conversion").path("/convert");
/// Install::new(Resource::of::<Box>(), &CrdOptions::new().webhook(webhook.clone()))?
///     .field_manager("box-operator")
///     .probe(Probe::of(&webhook))
///     .apply(&client)
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Install {
    resource: Resource,
    crd: Crd,
    field_manager: String,
    takes_over: bool,
    probes: Vec<Probe>,
    patience: Duration,
}

impl Install {
    /// Takes the resource and what its CustomResourceDefinition says beyond that. Without [`field_manager`](Self::field_manager) the
    /// manager is `crd-conv`.
    ///
    /// # Errors
    ///
    /// As [`Resource::crd`].
    pub fn new(resource: Resource, options: &CrdOptions) -> Result<Self, CrdErrors> {
        Ok(Self {
            crd: resource.crd(options)?,
            resource,
            field_manager: "crd-conv".to_owned(),
            takes_over: false,
            probes: Vec::new(),
            patience: Duration::from_secs(60),
        })
    }

    /// The name under which the API server knows whose fields these are. It has to stay the same from release to release.
    #[must_use]
    pub fn field_manager(mut self, name: impl Into<String>) -> Self {
        self.field_manager = name.into();
        self
    }

    /// Takes over fields that others have set to something else, as `kubectl apply` did with a file before. Without this such a
    /// conflict is an error.
    #[must_use]
    pub fn take_over(mut self) -> Self {
        self.takes_over = true;
        self
    }

    /// Asks a webhook for conversions before anything changes in the cluster. Where all versions are the same there is none, and
    /// nothing is asked.
    #[must_use]
    pub fn probe(mut self, probe: Probe) -> Self {
        self.probes.push(probe);
        self
    }

    /// The name of the CustomResourceDefinition, such as `crontabs.example.com`.
    pub fn name(&self) -> &str {
        &self.crd.metadata.name
    }

    /// How long the API server has to establish the CustomResourceDefinition and to serve its versions: 60 seconds without this.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Applies the CustomResourceDefinition, and returns it once it is established and the API server lists all served versions.
    ///
    /// # Errors
    ///
    /// Before anything changes in the cluster: if a webhook doesn't answer, or if objects may be stored in a version that
    /// the new CustomResourceDefinition no longer has. Also if the API server refuses it, if another manager has its fields, if
    /// another resource has its names, and if it isn't served in time. Each message says what to do.
    pub async fn apply(&self, client: &Client) -> Result<CustomResourceDefinition, InstallError> {
        let (_, applied) = self.send(client, false).await?;
        until_served(client, &applied, self.patience).await
    }

    /// Lets the API server check what [`apply`](Self::apply) would do, says what that would change, and changes nothing.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply), but for what shows only while it isn't served yet.
    pub async fn dry_run(&self, client: &Client) -> Result<Change, InstallError> {
        let (before, after) = self.send(client, true).await?;
        Ok(Change::between(before.as_ref(), &after))
    }

    async fn send(
        &self,
        client: &Client,
        dry_run: bool,
    ) -> Result<(Option<CustomResourceDefinition>, CustomResourceDefinition), InstallError> {
        if self.crd.spec.conversion.webhook.is_some() {
            for probe in &self.probes {
                probe.check(&self.resource).await.map_err(InstallError::Probe)?;
            }
        }
        let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
        let name = &self.crd.metadata.name;
        let client_error =
            |doing| move |error| InstallError::Client { doing, name: name.clone(), error };
        let found = crds.get_opt(name).await.map_err(client_error("read"))?;
        if let Some(found) = &found {
            refuse_lost_versions(found, self.resource.definition())?;
        }
        let mut params = PatchParams::apply(&self.field_manager);
        params.force = self.takes_over;
        params.dry_run = dry_run;
        let applied = crds.patch(name, &params, &Patch::Apply(&self.crd)).await;
        let applied = applied.map_err(|error| match error {
            kube::Error::Api(status) if status.is_conflict() && !self.takes_over => {
                InstallError::Conflict { name: name.clone(), message: status.message }
            }
            kube::Error::Api(status) if is_too_large(&status.message) => InstallError::TooLarge {
                name: name.clone(),
                message: status.message,
                remedy: what_is_large(&self.crd),
            },
            error => client_error("apply")(error),
        })?;
        Ok((found, applied))
    }
}

/// Whether a limit refused a document: the API server's for requests, its client's of etcd, or etcd's own.
fn is_too_large(message: &str) -> bool {
    ["Request entity too large", "message larger than max", "request is too large"]
        .iter()
        .any(|part| message.contains(part))
}

/// What takes the bytes, and what to do.
fn what_is_large(crd: &Crd) -> String {
    let warnings = crd.verify().map(|report| report.warnings).unwrap_or_default();
    let size = warnings.into_iter().find(|warning| warning.about == About::Size);
    size.map(|warning| warning.problem).unwrap_or_default()
}

/// What an installation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// There was no such CustomResourceDefinition.
    Created,
    /// It said something else.
    Changed,
    /// It says all of it already.
    Unchanged,
}

impl Change {
    fn between(
        before: Option<&CustomResourceDefinition>,
        after: &CustomResourceDefinition,
    ) -> Self {
        let Some(before) = before else { return Self::Created };
        let (old, new) = (&before.metadata, &after.metadata);
        let is_same = before.spec == after.spec
            && old.labels == new.labels
            && old.annotations == new.annotations;
        if is_same { Self::Unchanged } else { Self::Changed }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
        })
    }
}

/// The API server refuses that as well, without a remedy.
///
/// Source: <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version>
fn refuse_lost_versions(
    found: &CustomResourceDefinition,
    definition: &Definition,
) -> Result<(), InstallError> {
    let stored = found.status.iter().flat_map(|status| status.stored_versions.iter().flatten());
    let lost: Vec<String> = stored
        .filter(|stored| definition.versions.iter().all(|version| version.name != **stored))
        .cloned()
        .collect();
    if lost.is_empty() {
        return Ok(());
    }
    Err(InstallError::Stored {
        name: found.metadata.name.clone().unwrap_or_default(),
        versions: lost,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        crd::{
            Webhook,
            fixture::{FULL, cron_tab},
        },
        kube::mock::{Exchange, answers, failure},
    };

    const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

    fn install() -> Install {
        let webhook = Webhook::service("default", "conversion");
        Install::new(cron_tab(), &CrdOptions::new().webhook(webhook)).unwrap()
    }

    fn found(change: impl FnOnce(&mut Value)) -> Value {
        let mut crd = serde_json::to_value(&install().crd).unwrap();
        crd["metadata"]["generation"] = json!(2);
        crd["metadata"]["resourceVersion"] = json!("7");
        crd["status"] = json!({
            "storedVersions": ["v1"],
            "conditions": [{ "type": "Established", "status": "True" }],
            "acceptedNames": { "kind": "CronTab", "plural": "crontabs" },
        });
        change(&mut crd);
        crd
    }

    fn get(code: u16, answer: Value) -> Exchange {
        Exchange { method: "GET", path: PATH, code, answer }
    }

    fn patch(code: u16, answer: Value) -> Exchange {
        Exchange { method: "PATCH", path: PATH, code, answer }
    }

    async fn fails(install: Install, exchanges: Vec<Exchange>) -> String {
        let (client, task) = answers(exchanges);
        let error = install.apply(&client).await.unwrap_err().to_string();
        drop(client);
        task.await.unwrap();
        error
    }

    #[test]
    fn nothing_is_lost_as_the_type_of_k8s_openapi() {
        for (resource, options) in [
            (cron_tab(), CrdOptions::new().webhook(Webhook::url("https://a.b/c").ca_bundle("PEM"))),
            (Resource::new(&FULL), CrdOptions::new().webhook(Webhook::service("a", "b").port(1))),
        ] {
            let Ok(crd) = resource.crd(&options) else { continue };
            let same = serde_json::to_value(crd.to_k8s_openapi().unwrap()).unwrap();
            let same = crate::json::Json::from(&same);
            assert_eq!(same, crate::json::Json::from(&serde_json::to_value(&crd).unwrap()));
        }
    }

    #[tokio::test]
    async fn a_version_in_which_objects_may_be_stored_is_not_dropped() {
        let stored = found(|crd| crd["status"]["storedVersions"] = json!(["v1alpha1", "v1"]));
        let error = fails(install(), vec![get(200, stored)]).await;
        assert_eq!(
            error,
            "objects may be stored in v1alpha1 of crontabs.example.com, which this program doesn't have any more (`status.storedVersions`); \
             with the last release that has it run its command `migrate --remove v1alpha1` (feature `migrate`), which moves them and says what else \
             to do, and install this one then"
        );
    }

    #[tokio::test]
    async fn a_dry_run_says_what_would_change() {
        let status = |crd: &mut Value| crd["status"]["conditions"] = json!([]);
        let label = |crd: &mut Value| crd["metadata"]["labels"] = json!({ "a": "b" });
        let spec = |crd: &mut Value| crd["spec"]["names"]["shortNames"] = json!([]);
        let there = found(|_| {});
        for (before, after, expected) in [
            (get(404, failure(404, "NotFound", "not found")), there.clone(), Change::Created),
            (get(200, there.clone()), found(status), Change::Unchanged),
            (get(200, there.clone()), found(label), Change::Changed),
            (get(200, there), found(spec), Change::Changed),
        ] {
            let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.example.com?&dryRun=All";
            let dry = Exchange { method: "PATCH", path, code: 200, answer: after };
            let (client, task) = answers(vec![before, dry]);
            assert_eq!(install().dry_run(&client).await.unwrap(), expected);
            drop(client);
            task.await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_fields_of_another_manager_are_left_to_it() {
        let conflict = failure(409, "Conflict", "conflict with \"kubectl\": .spec.versions");
        let exchanges = vec![get(404, failure(404, "NotFound", "not found")), patch(409, conflict)];
        let error = fails(install(), exchanges).await;
        assert!(error.ends_with("or take the fields over with `take_over`"), "{error}");
        assert!(error.contains("conflict with \"kubectl\""), "{error}");
    }

    #[tokio::test]
    async fn one_that_is_too_large_says_what_takes_the_bytes() {
        for (code, reason, message) in [
            (413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"),
            (500, "", "etcdserver: request is too large"),
            (
                500,
                "",
                "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097154 vs. 2097152)",
            ),
        ] {
            let refused = || {
                let there_is_none = get(404, failure(404, "NotFound", "not found"));
                vec![there_is_none, patch(code, failure(code, reason, message))]
            };
            let start = "crontabs.example.com is too large for the API server: ";
            let error = fails(install(), refused()).await;
            assert_eq!(error, format!("{start}{message}"));
            let mut large = install();
            let schema = &mut large.crd.spec.versions[0].schema.open_api_v3_schema;
            schema.description = Some("x".repeat(1_600_000));
            let error = fails(large, refused()).await;
            assert!(error.starts_with(&format!("{start}{message}; the document has ")), "{error}");
            assert!(error.contains("leave them out with `--descriptions none`"), "{error}");
        }
    }

    #[tokio::test]
    async fn who_may_not_read_it_is_told_so() {
        let message = "customresourcedefinitions \"crontabs.example.com\" is forbidden";
        let error = fails(install(), vec![get(403, failure(403, "Forbidden", message))]).await;
        assert!(error.starts_with("can't read crontabs.example.com: "), "{error}");
        assert!(error.ends_with("by a ClusterRole and a binding"), "{error}");
    }

    #[tokio::test]
    async fn a_webhook_that_does_not_answer_is_found_before_anything_changes() {
        // Nobody listens on a port that was just given back.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let probe =
            Probe::url(format!("https://127.0.0.1:{port}/convert")).patience(Duration::ZERO);
        let error = fails(install().probe(probe), Vec::new()).await;
        assert!(error.starts_with("the conversion webhook at https://127.0.0.1:"), "{error}");
    }

    #[tokio::test]
    async fn names_that_another_resource_has() {
        let taken = found(|crd| {
            crd["status"]["conditions"] = json!([{
                "type": "NamesAccepted", "status": "False", "message": "\"ct\" is already in use", "reason": "ShortNamesConflict",
            }]);
        });
        let list = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinitionList",
            "metadata": { "resourceVersion": "7" }, "items": [taken],
        });
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?";
        let error = fails(
            install(),
            vec![
                get(404, failure(404, "NotFound", "not found")),
                patch(201, taken),
                Exchange { method: "GET", path, code: 200, answer: list },
            ],
        )
        .await;
        assert!(error.contains("\"ct\" is already in use; choose others"), "{error}");
    }
}
