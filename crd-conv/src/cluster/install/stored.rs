//! Refuses to remove versions in which objects may be stored.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

use crate::{
    cluster::{
        InstallError,
        migrating::{StorageMigrating, storage_migrating},
    },
    definition::Definition,
};

/// Refuses to remove a version in which objects may be stored. The API server refuses that, too,
/// without a remedy.
///
/// Source: <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version>
pub(super) fn refuse_lost_versions(
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
pub(super) fn refuse_lost_objects(
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
