//! Versions in which objects may be stored, and the change of the storage version.

use super::*;

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
        let error = fails(without(), vec![get(200, there(condition(status, reason), true))]).await;
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

/// The outcome of an installation that changes the storage version, with these objects in the
/// cluster.
async fn switches(listed: Vec<Exchange>) -> Result<Change, InstallError> {
    let there = found(|crd| {
        version(crd, "v1beta1")["storage"] = json!(false);
        version(crd, "v1")["storage"] = json!(true);
    });
    let (client, task) = answers(
        [get(200, there.clone())].into_iter().chain(listed).chain([patch(200, there)]).collect(),
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
    let error = switches(vec![list(403, failure(403, "Forbidden", forbidden))]).await.unwrap_err();
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
