//! The release in which each of these resources got its newest version, for those who use the release before.

use crd_conv::{
    ResourceType, Version, VersionedResource,
    cli::{Cli, Streams},
    crd::{CrdOptions, Webhook},
    diff::{Change, Level, diff},
    schema::Json,
};
use serde_json::Value;

use crate::{
    alertmanager_config::types::AlertmanagerConfig, certificate::types::Certificate,
    cluster_queue::types::ClusterQueue, machine::types::Machine, node_pool::types::NodePool,
};

/// How many changes between the two newest versions are risky or worse: as the documents have it, and as the mapping does.
fn between<R: VersionedResource>() -> [usize; 2] {
    let webhook = Webhook::service("operators", "conversion");
    let crd = ResourceType::of::<R>().crd(&CrdOptions::new().webhook(webhook.clone())).unwrap();
    let newer: Value = serde_json::from_str(&crd.to_json()).unwrap();
    let mut older = newer.clone();
    let versions = older["spec"]["versions"].as_array_mut().unwrap();
    let name = |version: &Value| Version::new(version["name"].as_str().unwrap());
    versions.sort_by_key(name);
    versions.pop().unwrap();
    // The release before stores one of those that it has.
    if versions.iter().all(|version| version["storage"] == false) {
        versions.last_mut().unwrap()["storage"] = true.into();
    }

    let report = diff(&Json::from(&older), &Json::from(&newer));
    let matters = |level: Level, version: &str| level > Level::Safe && version.contains(" to ");
    let documents =
        report.changes.iter().filter(|Change { level, version, .. }| matters(*level, version));
    let older = older.to_string();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut older.as_bytes(), stdout: &mut out, stderr: &mut err };
    let code = Cli::new([ResourceType::of::<R>()])
        .webhook(webhook)
        .run_with(["operator", "diff", "-", "--format", "json"], &mut streams);
    assert_eq!(code, 0);
    let reports: Value = serde_json::from_slice(&out).unwrap();
    let changes = reports[0]["changes"].as_array().unwrap();
    let known = changes.iter().filter(|change| {
        change["level"] != "safe" && change["version"].as_str().unwrap().contains(" to ")
    });
    [documents.count(), known.count()]
}

/// What documents show as gone, new or stricter is answered by the mapping, also inside of types that hold themselves, such as routes.
#[test]
fn the_mapping_answers_what_documents_leave_open() {
    assert_eq!(between::<AlertmanagerConfig>(), [34, 0]);
    assert_eq!(between::<Certificate>(), [5, 0]);
    assert_eq!(between::<ClusterQueue>(), [6, 0]);
    assert_eq!(between::<Machine>(), [39, 0]);
    assert_eq!(between::<NodePool>(), [14, 0]);
}
