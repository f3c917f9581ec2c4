//! The removal of a version.

use super::*;

#[tokio::test]
async fn a_removal_does_not_begin_while_the_version_is_in_storage() {
    let (client, task) = answers(vec![get(CRD, crd(3, &["v1"]))]);
    let removal = Removal::new(migration(), "v1");
    let (step, report) = removal.run(&client, |_| {}).await.unwrap();
    drop(client);
    task.await.unwrap();
    assert_eq!(step, RemovalStep::InStorage { version: "v1".to_owned() });
    assert!(report.is_none());
}

/// If `status.storedVersions` lists only the storage version, it may still be wrong.
#[tokio::test]
async fn a_removal_rewrites_every_object_before_it_says_that_none_is_stored_in_the_version() {
    let whole = || crd(3, &["v1"]);
    let mut unserved = whole();
    unserved["spec"]["versions"][0]["served"] = json!(false);
    let mut dropped = whole();
    dropped["spec"]["versions"].as_array_mut().unwrap().remove(0);
    let version = || "v1beta1".to_owned();
    let unused =
        |in_cluster| RemovalStep::Unused { version: version(), in_cluster, in_program: true };
    for (there, expected) in [
        (whole(), RemovalStep::Served { version: version() }),
        (unserved, unused(true)),
        (dropped, unused(false)),
    ] {
        let exchanges = vec![
            get(CRD, there.clone()),
            get(LIST, list("", &[object(&metadata(true))])),
            patch(OBJECT, written()),
            get(CRD, there),
        ];
        let (client, task) = answers(exchanges);
        let removal = Removal::new(migration(), "v1beta1");
        let (step, report) = removal.run(&client, |_| {}).await.unwrap();
        drop(client);
        task.await.unwrap();
        assert_eq!((step, report.unwrap().rewritten), (expected, Some(1)));
    }
}

#[tokio::test]
async fn a_removal_stops_at_objects_that_are_stored_in_a_version_that_is_gone() {
    let lost = "Internal error occurred: request to convert CR from an invalid group/version: example.com/v1beta1";
    let mut dropped = crd(3, &["v1"]);
    dropped["spec"]["versions"].as_array_mut().unwrap().remove(0);
    let tries =
        [500, 50, 5, 1].map(|_| fails("GET", "/apis/example.com/v1/crontabs?limit=", 500, lost));
    let exchanges = [get(CRD, dropped)].into_iter().chain(tries).collect();
    let (client, task) = answers(exchanges);
    let removal = Removal::new(migration(), "v1beta1");
    let said = removal.run(&client, |_| {}).await.unwrap_err().to_string();
    drop(client);
    task.await.unwrap();
    assert!(
        said.ends_with(
            "; objects are stored in a version that crontabs.example.com doesn't have any more: reinstall the last release that has it, the \
             binary first, and run its `migrate`"
        ),
        "{said}"
    );
}
