//! The CustomResourceDefinition on which a migration is based.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Patch, PatchParams};
use kube::{Api, Client, Error};
use serde_json::{Value, json};

use super::MigrationError;
use crate::cluster::pages::Pages;
use crate::cluster::requests::Requests;
use crate::cluster::{CONDITION, StorageMigrating, storage_migrating};

/// How long the slowest of several API servers takes to notice a change. Until then it stores
/// objects in the previous version.
const SETTLED: Duration = Duration::from_secs(10);

/// The facts about a CustomResourceDefinition that a migration needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) generation: Option<i64>,
    /// The version in which objects are stored when they are written.
    pub(super) storage: String,
    /// The served versions. The storage version comes first, if it is served.
    pub(super) served: Vec<String>,
    /// All versions.
    pub(super) versions: Vec<String>,
    /// The versions in which objects may be stored.
    pub(super) stored: Vec<String>,
    /// Whether Kubernetes' own migration has failed. After that, `stored` proves nothing.
    has_failed: bool,
    /// The time of the last write in seconds since the epoch, if it is known.
    written: Option<i64>,
    resource_version: Option<String>,
    schemas: Vec<(String, Value)>,
}

impl State {
    pub(super) async fn read(client: &Client, name: &str) -> Result<Self, MigrationError> {
        let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
        let found = crds.get_opt(name).await.map_err(|error| MigrationError::Client {
            doing: "read",
            name: name.to_owned(),
            error,
        })?;
        found.map_or_else(
            || Err(MigrationError::NotInstalled { name: name.to_owned() }),
            |crd| Ok(Self::of(name, &crd)),
        )
    }

    fn of(name: &str, crd: &CustomResourceDefinition) -> Self {
        let versions = &crd.spec.versions;
        let storage = versions.iter().find(|version| version.storage);
        let storage = storage.map(|version| version.name.clone()).unwrap_or_default();
        let mut served: Vec<_> = versions.iter().filter(|version| version.served).collect();
        served.sort_by_key(|version| !version.storage);
        let schemas = versions.iter().map(|version| {
            let schema =
                version.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.as_ref());
            (version.name.clone(), serde_json::to_value(schema).unwrap_or_default())
        });
        let status = crd.status.as_ref();
        // Writes of the status don't change how objects are served.
        let writes = crd.metadata.managed_fields.iter().flatten();
        let writes = writes.filter(|entry| entry.subresource.is_none());
        Self {
            name: name.to_owned(),
            generation: crd.metadata.generation,
            storage,
            served: served.into_iter().map(|version| version.name.clone()).collect(),
            versions: versions.iter().map(|version| version.name.clone()).collect(),
            stored: status.and_then(|status| status.stored_versions.clone()).unwrap_or_default(),
            has_failed: storage_migrating(crd) == Some(StorageMigrating::Failed),
            written: writes.filter_map(|entry| Some(entry.time.as_ref()?.0.as_second())).max(),
            resource_version: crd.metadata.resource_version.clone(),
            schemas: schemas.collect(),
        }
    }

    /// All objects, page by page.
    pub(super) fn pages(
        &self,
        requests: &Requests,
        only_metadata: bool,
    ) -> Result<Pages, MigrationError> {
        let pages = Pages::new(requests.clone(), self.served.clone(), only_metadata);
        pages.ok_or_else(|| MigrationError::NotServed { name: self.name.clone() })
    }

    pub(super) fn schema(&self, version: &str) -> &Value {
        let found = self.schemas.iter().find(|(name, _)| name == version);
        found.map_or(&Value::Null, |(_, schema)| schema)
    }

    /// Waits until every API server stores objects in the version with `storage`.
    pub(super) async fn settle(&self) {
        let Some(written) = self.written else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
        let age = now.saturating_sub(u64::try_from(written).unwrap_or_default());
        tokio::time::sleep(SETTLED.saturating_sub(Duration::from_secs(age))).await;
    }

    /// Records that all objects are stored in the version that had `storage` during the whole
    /// migration. This also clears the condition that a failed `StorageVersionMigration` has left.
    pub(super) async fn finish(&self, client: &Client) -> Result<Vec<String>, MigrationError> {
        let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
        loop {
            let now = Self::read(client, &self.name).await?;
            if now.generation != self.generation || now.storage != self.storage {
                return Err(MigrationError::Changed { name: self.name.clone() });
            }
            let stored = vec![self.storage.clone()];
            if now.stored == stored && !now.has_failed {
                return Ok(stored);
            }
            let mut patch = json!({
                "metadata": { "resourceVersion": now.resource_version },
                "status": { "storedVersions": stored },
            });
            let outcome = if now.has_failed {
                // Kubernetes' controller does the same. A merge patch would replace all conditions.
                patch["apiVersion"] = json!("apiextensions.k8s.io/v1");
                patch["kind"] = json!("CustomResourceDefinition");
                patch["metadata"]["name"] = json!(self.name);
                patch["status"]["conditions"] = json!([{
                    "type": CONDITION, "status": "False", "reason": "MigrationSucceeded",
                    "message": "The command `migrate` has rewritten every object",
                }]);
                let params = PatchParams::apply("crd-conv").force();
                crds.patch_status(&self.name, &params, &Patch::Apply(&patch)).await
            } else {
                let params = PatchParams::default();
                crds.patch_status(&self.name, &params, &Patch::Merge(&patch)).await
            };
            match outcome {
                // A controller or another client changed it, so it is read again.
                Err(Error::Api(status)) if status.is_conflict() => {}
                Err(error) => {
                    let (doing, name) = ("change the status of", self.name.clone());
                    return Err(MigrationError::Client { doing, name, error });
                }
                Ok(_) => return Ok(stored),
            }
        }
    }
}
