//! Installs the CustomResourceDefinition in a cluster.

use std::fmt;
use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Patch, PatchParams};
use kube::core::Status;
use kube::{Api, Client};
use serde_json::json;

use super::migrating::{StorageMigrating, storage_migrating};
use super::room::refuse_without_room;
use super::taken::{covers, taken, written_by};
use super::{InstallError, Probe, serving::until_served};
use crate::{
    Resource,
    crd::{Crd, CrdErrors, CrdOptions, preference},
    definition::Definition,
    verify::About,
};

/// How often an installation is tried while other clients change the CustomResourceDefinition.
const ATTEMPTS: u32 = 10;

/// Creates the CustomResourceDefinition in a cluster, or updates it.
///
/// It uses server-side apply, so annotations, labels and a CA bundle that others set stay. Every
/// replica of an operator can run it at each start.
///
/// # Protection against older programs
///
/// During a rolling update, after a rollback, or with two installations in one cluster, an older
/// program may run after a newer one. It doesn't know what the newer one has added, and would take
/// it away. So an installation is refused with [`InstallError::TakesAway`] if the cluster would
/// lose any of these:
///
/// | part | name |
/// |---|---|
/// | a served version: it is dropped, or not served any more | `v1` |
/// | a field of a version, including undeclared fields that were preserved: the API server would drop their values silently | `v1.spec.owner` |
/// | a subresource, or fields to select by | `v1/status`, `v1/scale`, `v1/selectableFields` |
/// | the storage version, which would change back to an older one | `storage` |
/// | the conversion webhook, if more than one version is left | `conversion` |
///
/// Schemas don't tell which program is newer, and the rule needs no order. A program that takes
/// something away on purpose [names it](Self::take_away), and an older program can't name what it
/// doesn't know. So the names may stay in the program for as long as it lacks these parts.
///
/// # Check before the storage version changes
///
/// Before the storage version changes, every object is listed and converted. The installation is
/// refused with [`InstallError::NoRoom`] if one of them can't be stored in the new version, because
/// that object couldn't be written or deleted at any version afterwards. This needs the permission
/// to `list` the objects in all namespaces.
///
/// # Differences that aren't compared
///
/// Validation isn't compared. A stricter bound, or an enum with fewer values, refuses writes with a
/// message, and loses nothing. [`diff`](crate::diff) finds these differences before a release.
///
/// An older program works with the CustomResourceDefinition that a newer one has installed. So it
/// may continue after this error:
///
/// ```no_run
/// # async fn start(install: crd_conv::kube::Install, client: kube::Client) -> Result<(), crd_conv::kube::InstallError> {
/// use crd_conv::kube::InstallError;
///
/// match install.apply(&client).await {
///     Err(error @ InstallError::TakesAway { .. }) => eprintln!("the CustomResourceDefinition stays as it is: {error}"),
///     outcome => drop(outcome?),
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Example
///
/// ```no_run
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
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
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Install {
    resource: Resource,
    crd: Crd,
    field_manager: String,
    takes_over: bool,
    takes_away: Vec<String>,
    probes: Vec<Probe>,
    patience: Duration,
}

impl Install {
    /// Makes an installation of the resource, with the parts of its CustomResourceDefinition that
    /// the definition doesn't contain.
    ///
    /// The field manager is `crd-conv`, unless you set it with
    /// [`field_manager`](Self::field_manager).
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`Resource::crd`].
    pub fn new(resource: Resource, options: &CrdOptions) -> Result<Self, CrdErrors> {
        Ok(Self {
            crd: resource.crd(options)?,
            resource,
            field_manager: "crd-conv".to_owned(),
            takes_over: false,
            takes_away: Vec::new(),
            probes: Vec::new(),
            patience: Duration::from_secs(60),
        })
    }

    /// Sets the name under which the API server records the owner of these fields. It must stay the
    /// same from release to release.
    #[must_use]
    pub fn field_manager(mut self, name: impl Into<String>) -> Self {
        self.field_manager = name.into();
        self
    }

    /// Takes over fields that others have set to something else, for example `kubectl apply` with a
    /// file. Without this call, such a conflict is an error.
    #[must_use]
    pub fn take_over(mut self) -> Self {
        self.takes_over = true;
        self
    }

    /// Takes away a part that the cluster has and this program doesn't, with everything in it:
    /// `v1alpha1`, `v1beta1.spec.owner`, `v1/scale`, `storage` or `conversion`.
    ///
    /// Call it once for each part. Without this call, the installation is
    /// [refused](Self#protection-against-older-programs), and the error has the names.
    ///
    /// Leave the names in the program. An older program that still has these parts may add them
    /// again, and the next start of this program takes them away again.
    ///
    /// ```
    /// # mod v2 {
    /// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    /// #     pub struct Spec { pub size: i64 }
    /// # }
    /// # #[derive(crd_conv::Versioned)]
    /// # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
    /// # enum Box { #[versioned(storage)] V2 { spec: v2::Spec } }
    /// use crd_conv::{Resource, crd::CrdOptions, kube::Install};
    ///
    /// // The release before served `v1`.
    /// let install = Install::new(Resource::of::<Box>(), &CrdOptions::new())?.take_away("v1");
    /// # Ok::<_, std::boxed::Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn take_away(mut self, name: impl Into<String>) -> Self {
        self.takes_away.push(name.into());
        self
    }

    /// Asks a webhook for conversions before anything changes in the cluster.
    ///
    /// If all versions are the same, there is no webhook, and nothing is asked.
    #[must_use]
    pub fn probe(mut self, probe: Probe) -> Self {
        self.probes.push(probe);
        self
    }

    /// Returns the name of the CustomResourceDefinition, such as `crontabs.example.com`.
    pub fn name(&self) -> &str {
        &self.crd.metadata.name
    }

    /// Returns a sentence for an operator's log if the stored version isn't the one that the API
    /// server prefers.
    ///
    /// This isn't an error, but it may matter to the whole cluster.
    /// [The guide](crate::guide::migrate#the-preferred-version) explains why, and what to do.
    ///
    /// The command `install` prints it, also with `--dry-run`.
    pub fn note(&self) -> Option<String> {
        preference(self.resource.definition())
    }

    /// Sets how long the API server has to establish the CustomResourceDefinition and to serve its
    /// versions. The default is 60 seconds.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Applies the CustomResourceDefinition, and returns it once it is established and the API
    /// server lists all served versions.
    ///
    /// # Errors
    ///
    /// Fails before anything changes in the cluster in these cases:
    ///
    /// - A webhook doesn't answer.
    /// - Objects may be stored in a version that the new CustomResourceDefinition doesn't have.
    /// - Such a version would be removed while a `StorageVersionMigration` runs, or after one has
    ///   failed.
    /// - It [would take something away](Self#protection-against-older-programs).
    ///
    /// Also fails if the API server refuses it, if another manager owns its fields, if another
    /// resource has its names, or if it isn't served in time. Each message says what to do.
    pub async fn apply(&self, client: &Client) -> Result<CustomResourceDefinition, InstallError> {
        let (_, applied) = self.send(client, false).await?;
        until_served(client, &applied, self.patience).await
    }

    /// Asks the API server to check what [`apply`](Self::apply) would do. Returns what that would
    /// change, and changes nothing.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`apply`](Self::apply), except for errors that occur only while
    /// it isn't served yet.
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
        let own = serde_json::to_value(&self.crd).map_err(kube::Error::SerdeError);
        let own = own.map_err(client_error("apply"))?;
        let mut params = PatchParams::apply(&self.field_manager);
        params.force = self.takes_over;
        params.dry_run = dry_run;
        let mut attempts = 1..ATTEMPTS;
        loop {
            let found = crds.get_opt(name).await.map_err(client_error("read"))?;
            let mut patch = own.clone();
            if let Some(found) = &found {
                refuse_lost_versions(found, self.resource.definition())?;
                refuse_lost_objects(found, self.resource.definition())?;
                let taken = taken(found, &own, self.resource.definition());
                let taken = taken.map_err(kube::Error::SerdeError).map_err(client_error("read"))?;
                self.refuse_to_take_away(found, taken)?;
                refuse_without_room(client, found, self.resource.definition()).await?;
                // If another program has changed it since then, this makes the patch a conflict.
                patch["metadata"]["resourceVersion"] = json!(found.metadata.resource_version);
            }
            match crds.patch(name, &params, &Patch::Apply(patch)).await {
                Ok(applied) => return Ok((found, applied)),
                Err(kube::Error::Api(status)) if status.is_conflict() => {
                    if found.is_none() || is_of_managers(&status) {
                        let (name, message) = (name.clone(), status.message);
                        return Err(InstallError::Conflict { name, message });
                    }
                    if attempts.next().is_none() {
                        return Err(client_error("apply")(kube::Error::Api(status)));
                    }
                }
                Err(kube::Error::Api(status)) if is_too_large(&status.message) => {
                    return Err(InstallError::TooLarge {
                        name: name.clone(),
                        message: status.message,
                        remedy: what_is_large(&self.crd),
                    });
                }
                Err(error) => return Err(client_error("apply")(error)),
            }
        }
    }

    fn refuse_to_take_away(
        &self,
        found: &CustomResourceDefinition,
        mut taken: Vec<String>,
    ) -> Result<(), InstallError> {
        taken.retain(|taken| !self.takes_away.iter().any(|name| covers(name, taken)));
        if taken.is_empty() {
            return Ok(());
        }
        Err(InstallError::TakesAway {
            name: self.crd.metadata.name.clone(),
            taken,
            manager: self.field_manager.clone(),
            written_by: written_by(found),
        })
    }
}

/// Whether a conflict is about the owners of fields, and not about a write in between.
fn is_of_managers(status: &Status) -> bool {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    causes.into_iter().any(|cause| cause.reason == "FieldManagerConflict")
}

/// Whether a document exceeds a limit: the API server's limit for requests, the limit of its etcd
/// client, or etcd's own.
fn is_too_large(message: &str) -> bool {
    ["Request entity too large", "message larger than max", "request is too large"]
        .iter()
        .any(|part| message.contains(part))
}

/// The parts of the document that take the most bytes, and how to leave them out.
fn what_is_large(crd: &Crd) -> String {
    let warnings = crd.verify().map(|report| report.warnings).unwrap_or_default();
    let size = warnings.into_iter().find(|warning| warning.about == About::Size);
    size.map(|warning| warning.problem).unwrap_or_default()
}

/// The effect of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// There was no such CustomResourceDefinition.
    Created,
    /// The CustomResourceDefinition was different.
    Changed,
    /// The CustomResourceDefinition was the same already.
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

/// Refuses to remove a version in which objects may be stored. The API server refuses that, too,
/// without a remedy.
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

/// Refuses to remove a version while Kubernetes' own migration runs, or after it has failed. In
/// both cases `status.storedVersions` proves nothing.
fn refuse_lost_objects(
    found: &CustomResourceDefinition,
    definition: &Definition,
) -> Result<(), InstallError> {
    let Some(migration) = storage_migrating(found) else { return Ok(()) };
    let is_known = |name: &str| definition.versions.iter().any(|version| version.name == name);
    let names = found.spec.versions.iter().map(|version| &version.name);
    let versions: Vec<_> = names.filter(|name| !is_known(name)).cloned().collect();
    if versions.is_empty() {
        return Ok(());
    }
    Err(InstallError::Migrating {
        name: found.metadata.name.clone().unwrap_or_default(),
        versions,
        is_running: migration == StorageMigrating::Running,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{
        crd::{
            Webhook,
            fixture::{CRON_TAB, DEFINITION, FULL, cron_tab},
        },
        definition::VersionDefinition,
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

    /// The list of all objects, in the version that the cluster stores.
    fn list(code: u16, answer: Value) -> Exchange {
        Exchange { method: "GET", path: "/apis/example.com/v1/crontabs?limit=500", code, answer }
    }

    fn objects(items: &[Value]) -> Value {
        json!({ "apiVersion": "example.com/v1", "kind": "CronTabList", "metadata": {}, "items": items })
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

    #[test]
    fn a_stored_version_that_is_not_the_preferred_one_is_noted() {
        let note = install().note().unwrap();
        assert!(
            note.starts_with("`v1beta1` is stored, and the API server prefers `v1`: "),
            "{note}"
        );
        let mut versions = [CRON_TAB.versions[0], CRON_TAB.versions[1]];
        for version in &mut versions {
            version.storage = !version.storage;
        }
        let versions = Box::leak(Box::new(versions));
        let definition = Box::leak(Box::new(Definition { versions, ..DEFINITION }));
        let options = CrdOptions::new().webhook(Webhook::service("default", "conversion"));
        let install = Install::new(Resource::new(definition), &options).unwrap();
        assert_eq!(install.note(), None);
    }

    #[tokio::test]
    async fn a_version_in_which_objects_may_be_stored_is_not_dropped() {
        let stored = found(|crd| crd["status"]["storedVersions"] = json!(["v1alpha1", "v1"]));
        let error = fails(install(), vec![get(200, stored)]).await;
        assert_eq!(
            error,
            "objects may be stored in v1alpha1 of crontabs.example.com, which this program doesn't have (`status.storedVersions`); if this is an \
             older release, leave crontabs.example.com to the newer one; to remove the version, first run the command `migrate --remove v1alpha1` \
             (feature `migrate`) of the last release that has it, which rewrites the objects and says what else to do; then install this release"
        );
    }

    /// Kubernetes' own migration leaves this state, whether or not it has moved any objects.
    #[tokio::test]
    async fn no_version_goes_while_or_after_a_storage_version_migration_that_failed() {
        let condition = |status: &str, reason: &str| {
            json!({ "type": "StorageMigrating", "status": status, "reason": reason, "message": "m",
                "lastTransitionTime": "2026-11-27T00:00:00Z" })
        };
        let there = |condition: Value, more: bool| {
            found(|crd| {
                if more {
                    newer(crd);
                }
                crd["status"]["conditions"].as_array_mut().unwrap().push(condition);
            })
        };
        let without = || install().take_away("v2");
        for (status, reason, what) in
            [("True", "MigrationRunning", "is running"), ("False", "MigrationFailed", "has failed")]
        {
            let error =
                fails(without(), vec![get(200, there(condition(status, reason), true))]).await;
            let start = format!(
                "a StorageVersionMigration of crontabs.example.com {what}, so objects may be stored in v2, which this program doesn't have, \
                 whatever `status.storedVersions` says; "
            );
            let end = "run the command `migrate --remove v2` (feature `migrate`) of the last release that has the version, which rewrites \
                       every object; then install this release";
            assert!(error.starts_with(&start) && error.ends_with(end), "{error}");
            assert_eq!(
                error.contains("wait until the migration ends, then run"),
                status == "True",
                "{error}"
            );
        }
        for (after, there) in [
            (without(), there(condition("False", "MigrationSucceeded"), true)),
            (install(), there(condition("False", "MigrationFailed"), false)),
        ] {
            let (client, task) = answers(vec![get(200, there.clone()), patch(200, there)]);
            after.dry_run(&client).await.unwrap();
            drop(client);
            task.await.unwrap();
        }
    }

    /// The parts that an installation would take away from a cluster with this change. Empty if it
    /// isn't refused.
    async fn taken(install: Install, change: impl FnOnce(&mut Value)) -> Vec<String> {
        let there = found(change);
        let storage = |crd: &Value| {
            let versions = crd["spec"]["versions"].as_array().unwrap();
            versions.iter().find(|version| version["storage"] == true).unwrap()["name"].clone()
        };
        let own = serde_json::to_value(&install.crd).unwrap();
        let mut exchanges = vec![get(200, there.clone())];
        if storage(&there) != storage(&own) {
            exchanges.push(list(200, objects(&[])));
        }
        exchanges.push(patch(200, there));
        let (client, task) = answers(exchanges);
        let outcome = install.dry_run(&client).await;
        drop(client);
        match outcome {
            Err(InstallError::TakesAway { taken, .. }) => {
                assert!(task.await.is_err(), "nothing was sent");
                taken
            }
            outcome => {
                outcome.unwrap();
                task.await.unwrap();
                Vec::new()
            }
        }
    }

    type Edit<'a> = &'a dyn Fn(&mut Value);

    fn version<'a>(crd: &'a mut Value, name: &str) -> &'a mut Value {
        let versions = crd["spec"]["versions"].as_array_mut().unwrap();
        versions.iter_mut().find(|version| version["name"] == name).unwrap()
    }

    fn schema<'a>(crd: &'a mut Value, name: &str) -> &'a mut Value {
        &mut version(crd, name)["schema"]["openAPIV3Schema"]
    }

    /// Adds a third version, as in a newer release.
    fn newer(crd: &mut Value) -> &mut Value {
        let mut newer = version(crd, "v1").clone();
        newer["name"] = json!("v2");
        let versions = crd["spec"]["versions"].as_array_mut().unwrap();
        versions.push(newer);
        versions.last_mut().unwrap()
    }

    #[tokio::test]
    async fn what_a_newer_release_has_added_is_not_taken_away() {
        let text = || json!({ "type": "string" });
        let cases: [(&str, Edit<'_>); 12] = [
            ("v2", &|crd| newer(crd)["served"] = json!(true)),
            ("v1.owner", &|crd| schema(crd, "v1")["properties"]["owner"] = text()),
            ("v1beta1.spec", &|crd| {
                let spec = json!({ "type": "object", "properties": { "a": text() } });
                schema(crd, "v1beta1")["properties"]["spec"] = spec;
            }),
            ("v1", &|crd| schema(crd, "v1")["x-kubernetes-preserve-unknown-fields"] = json!(true)),
            ("v1.status", &|crd| {
                schema(crd, "v1")["properties"]["status"] = json!({ "type": "object" });
            }),
            ("v1/status", &|crd| version(crd, "v1")["subresources"] = json!({ "status": {} })),
            ("v1/scale", &|crd| {
                version(crd, "v1")["subresources"] = json!({
                    "scale": { "specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a" },
                });
            }),
            ("v1/selectableFields", &|crd| {
                version(crd, "v1")["selectableFields"] = json!([{ "jsonPath": ".host" }]);
            }),
            ("storage", &|crd| {
                version(crd, "v1beta1")["storage"] = json!(false);
                version(crd, "v1")["storage"] = json!(true);
            }),
            ("preserveUnknownFields", &|crd| crd["spec"]["preserveUnknownFields"] = json!(true)),
            // No client requests a version that isn't served.
            ("", &|crd| newer(crd)["served"] = json!(false)),
            // The API server refuses such writes with a message.
            ("", &|crd| {
                schema(crd, "v1")["properties"]["host"]["enum"] = json!(["a", "b"]);
                crd["spec"]["names"]["categories"] = json!(["all"]);
                version(crd, "v1")["deprecated"] = json!(true);
            }),
        ];
        for (expected, change) in cases {
            let expected: Vec<_> =
                Some(expected).filter(|name| !name.is_empty()).into_iter().collect();
            assert_eq!(taken(install(), change).await, expected);
            if let [name] = expected.as_slice() {
                assert_eq!(taken(install().take_away(*name), change).await, [""; 0], "{name}");
                let other = install().take_away("v").take_away("v1.own").take_away("v1beta1.specs");
                assert_eq!(taken(other, change).await, expected, "another name");
            }
        }
        // A name includes all parts inside it.
        let both = |crd: &mut Value| {
            schema(crd, "v1")["properties"]["owner"] = text();
            version(crd, "v1")["subresources"] = json!({ "status": {} });
        };
        assert_eq!(taken(install(), both).await, ["v1/status", "v1.owner"]);
        assert_eq!(taken(install().take_away("v1"), both).await, [""; 0]);
    }

    /// The outcome of an installation that changes the storage version, with these objects in the
    /// cluster.
    async fn switches(listed: Vec<Exchange>) -> Result<Change, InstallError> {
        let there = found(|crd| {
            version(crd, "v1beta1")["storage"] = json!(false);
            version(crd, "v1")["storage"] = json!(true);
        });
        let (client, task) = answers(
            [get(200, there.clone())]
                .into_iter()
                .chain(listed)
                .chain([patch(200, there)])
                .collect(),
        );
        let outcome = install().take_away("storage").dry_run(&client).await;
        drop(client);
        assert_eq!(task.await.is_ok(), outcome.is_ok(), "nothing is sent after a refusal");
        outcome
    }

    #[tokio::test]
    async fn the_storage_version_changes_only_if_every_object_has_room_in_the_new_one() {
        let object = |name: &str, version: &str, metadata: Value| {
            let mut object = json!({
                "apiVersion": format!("example.com/{version}"), "kind": "CronTab", "metadata": metadata, "host": "h", "port": "1",
            });
            object["metadata"]["namespace"] = json!("n");
            object["metadata"]["name"] = json!(name);
            object
        };
        let fits = object("fits", "v1", json!({}));
        switches(vec![list(200, objects(std::slice::from_ref(&fits)))]).await.unwrap();

        // These objects are listed in the new storage version, as happens when the other version
        // can't show them.
        let tombstone = r#"{"format":1,"peer":"v1beta1","tombstone":9}"#;
        let lacking = json!({ "annotations": { "conversion.example.com/v1.port": tombstone } });
        let labelled = json!({ "labels": { "conversion.example.com/complete-in": "v1" } });
        for (metadata, shown) in [(lacking, "v1beta1"), (labelled, "v1beta1")] {
            let without = object("large", shown, metadata);
            let error = switches(vec![list(200, objects(&[fits.clone(), without]))]).await;
            let error = error.unwrap_err();
            let InstallError::NoRoom { count: 1, objects, .. } = &error else { panic!("{error}") };
            assert_eq!(
                objects[0],
                "`n/large` lacks kept values that don't fit into its annotations in v1beta1"
            );
            assert_eq!(
                error.to_string(),
                format!(
                    "1 of the objects of crontabs.example.com can't be stored in v1beta1, which this program makes the storage version: {}; make \
                     each smaller, fix it or delete it in v1, the storage version until now, and install this again",
                    objects[0]
                )
            );
        }
    }

    #[tokio::test]
    async fn the_storage_version_does_not_change_if_objects_cannot_be_listed() {
        let forbidden = "crontabs.example.com is forbidden: User \"u\" cannot list resource \"crontabs\" in API group \"example.com\" at the cluster scope";
        let error =
            switches(vec![list(403, failure(403, "Forbidden", forbidden))]).await.unwrap_err();
        assert!(matches!(error, InstallError::Unchecked { .. }), "{error}");
        let said = error.to_string();
        assert!(
            said.starts_with(
                "the storage version of crontabs.example.com would change from v1 to v1beta1, "
            ),
            "{said}"
        );
        assert!(
            said.ends_with("; allow `list` for crontabs of example.com in all namespaces"),
            "{said}"
        );
    }

    /// The state after a release whose status had room for entries.
    #[tokio::test]
    async fn entries_of_a_status_are_not_pruned_with_another_version() {
        let [older, newer] = FULL.versions else { panic!("two versions") };
        let versions = [*older, VersionDefinition { plan: None, ..*newer }];
        let definition = Definition { versions: Box::leak(Box::new(versions)), ..FULL };
        let definition: &'static Definition = Box::leak(Box::new(definition));
        let install = || {
            let mut install = Install::new(Resource::new(definition), &CrdOptions::new()).unwrap();
            let newest = &mut install.crd.spec.versions[0].schema.open_api_v3_schema;
            let status = newest.properties.get_mut("status").unwrap();
            assert!(status.properties.remove("conversionEntries").is_some());
            install
        };
        let there = |crd: &mut Value| {
            let whole = Install::new(Resource::new(definition), &CrdOptions::new()).unwrap();
            *crd = serde_json::to_value(&whole.crd).unwrap();
        };
        let pruned = ["v1.status.conversionEntries"];
        assert_eq!(taken(install(), there).await, pruned);
        assert_eq!(taken(install().take_away("v1alpha1").take_away("v2"), there).await, pruned);
        assert_eq!(taken(install().take_away(pruned[0]), there).await, [""; 0]);
    }

    #[tokio::test]
    async fn the_message_names_both_programs_and_what_to_do() {
        let exchanges = |manager: bool| {
            vec![get(
                200,
                found(|crd| {
                    newer(crd);
                    schema(crd, "v1beta1")["properties"]["owner"] = json!({ "type": "string" });
                    if manager {
                        crd["metadata"]["managedFields"] = json!([
                            { "manager": "old", "operation": "Apply", "time": "2026-11-26T00:00:00Z" },
                            { "manager": "new", "operation": "Apply", "time": "2026-11-27T00:00:00Z" },
                            { "manager": "server", "operation": "Update", "subresource": "status", "time": "2026-11-28T00:00:00Z" },
                        ]);
                    }
                }),
            )]
        };
        let error = fails(install().field_manager("cron"), exchanges(true)).await;
        assert_eq!(
            error,
            "this program (field manager `cron`) would remove from crontabs.example.com: v1beta1.owner, v2; `new` at 2026-11-27T00:00:00Z wrote \
             it last; if this is an older release, update it, and leave crontabs.example.com to the newer one until then; to remove that on \
             purpose, name each: `take_away(\"v1beta1.owner\")`"
        );
        let error = fails(install().take_away("v2"), exchanges(false)).await;
        assert!(error.contains("crontabs.example.com: v1beta1.owner; if this is"), "{error}");
    }

    #[tokio::test]
    async fn a_webhook_stays_as_long_as_there_are_two_versions() {
        // Two versions that are the same need no webhook.
        let alike: &'static Definition = Box::leak(Box::new(Definition {
            versions: Box::leak(Box::new([CRON_TAB.versions[0], {
                let mut newer = CRON_TAB.versions[0];
                newer.name = "v1";
                newer.storage = false;
                newer
            }])),
            ..DEFINITION
        }));
        let alone: &'static Definition =
            Box::leak(Box::new(Definition { versions: &CRON_TAB.versions[..1], ..DEFINITION }));
        for (definition, expected) in [(alike, vec!["conversion"]), (alone, vec![])] {
            let install = || Install::new(Resource::new(definition), &CrdOptions::new()).unwrap();
            let there = |crd: &mut Value| {
                let webhook = crd["spec"]["conversion"].clone();
                *crd = serde_json::to_value(&install().crd).unwrap();
                crd["spec"]["conversion"] = webhook;
            };
            assert!(install().crd.spec.conversion.webhook.is_none());
            assert_eq!(taken(install(), there).await, expected);
            assert_eq!(taken(install().take_away("conversion"), there).await, [""; 0]);
        }
    }

    #[tokio::test]
    async fn what_another_program_adds_meanwhile_is_not_taken_away() {
        let modified = failure(409, "Conflict", "the object has been modified");
        let newer = found(|crd| {
            newer(crd);
            crd["metadata"]["resourceVersion"] = json!("8");
        });
        let (client, task) =
            answers(vec![get(200, found(|_| {})), patch(409, modified), get(200, newer)]);
        let error = install().apply(&client).await.unwrap_err();
        drop(client);
        let sent = task.await.unwrap();
        assert_eq!(sent[1]["metadata"]["resourceVersion"], "7");
        let InstallError::TakesAway { taken, .. } = error else { panic!("{error}") };
        assert_eq!(taken, ["v2"]);
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
        assert!(error.ends_with("or take over the fields with `take_over`"), "{error}");
        assert!(error.contains("conflict with \"kubectl\""), "{error}");
        // With an existing CustomResourceDefinition, the conflict isn't about a write in between.
        let mut conflict = failure(409, "Conflict", "conflict with \"kubectl\": .spec.versions");
        conflict["details"] =
            json!({ "causes": [{ "reason": "FieldManagerConflict", "field": ".spec.versions" }] });
        let error = fails(install(), vec![get(200, found(|_| {})), patch(409, conflict)]).await;
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
        assert!(error.ends_with("with a ClusterRole and a binding"), "{error}");
    }

    #[tokio::test]
    async fn a_webhook_that_does_not_answer_is_found_before_anything_changes() {
        // Nothing listens on a port that was just released.
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
