//! The state that Kubernetes' own migration, a `StorageVersionMigration`, has left in a
//! CustomResourceDefinition.
//!
//! Since 1.37, it sets `status.storedVersions` to the storage version when it ends, even if it has
//! failed and objects are stored in other versions.
//!
//! Source: `finishCRDMigration` in `k8s.io/kubernetes/pkg/controller/storageversionmigrator/migrationrunner.go`.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// The type of the condition.
pub(crate) const CONDITION: &str = "StorageMigrating";

/// A migration that leaves it unknown in which versions objects are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageMigrating {
    Running,
    Failed,
}

pub(crate) fn storage_migrating(crd: &CustomResourceDefinition) -> Option<StorageMigrating> {
    let conditions = crd.status.iter().flat_map(|status| status.conditions.iter().flatten());
    let condition = conditions.into_iter().find(|condition| condition.type_ == CONDITION)?;
    match (condition.status.as_str(), condition.reason.as_deref()) {
        ("True", _) => Some(StorageMigrating::Running),
        ("False", Some("MigrationFailed")) => Some(StorageMigrating::Failed),
        _ => None,
    }
}
