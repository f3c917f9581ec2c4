//! Installs the CustomResourceDefinition in a cluster.

mod change;
mod stored;
#[cfg(test)]
mod tests;

use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Patch, PatchParams};
use kube::core::Status;
use kube::{Api, Client};
use serde_json::json;

pub use change::Change;
use stored::{refuse_lost_objects, refuse_lost_versions};

use super::room::refuse_without_room;
use super::taken::{covers, taken, written_by};
use super::{InstallError, Probe, serving::until_served};
use crate::{
    ResourceType,
    crd::{Crd, CrdErrors, CrdOptions, preference},
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
/// # async fn start(install: crd_conv::cluster::Install, client: kube::Client) -> Result<(), crd_conv::cluster::InstallError> {
/// use crd_conv::cluster::InstallError;
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
///     ResourceType,
///     cluster::{Install, Probe},
///     crd::{CrdOptions, Webhook},
/// };
///
/// let webhook = Webhook::service("default", "box-conversion");
/// Install::new(ResourceType::of::<Box>(), &CrdOptions::new().webhook(webhook.clone()))?
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
    resource: ResourceType,
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
    /// Fails in the same cases as [`ResourceType::crd`].
    pub fn new(resource: ResourceType, options: &CrdOptions) -> Result<Self, CrdErrors> {
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
    /// use crd_conv::{ResourceType, crd::CrdOptions, cluster::Install};
    ///
    /// // The release before served `v1`.
    /// let install = Install::new(ResourceType::of::<Box>(), &CrdOptions::new())?.take_away("v1");
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
    let size = crd.verify().warnings.into_iter().find(|warning| warning.about == About::Size);
    size.map(|warning| warning.problem).unwrap_or_default()
}
