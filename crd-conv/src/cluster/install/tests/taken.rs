//! Parts of the CustomResourceDefinition that an installation would take away.

use super::*;

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
        let expected: Vec<_> = Some(expected).filter(|name| !name.is_empty()).into_iter().collect();
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

/// The state after a release whose status had room for entries.
#[tokio::test]
async fn entries_of_a_status_are_not_pruned_with_another_version() {
    let [older, newer] = FULL.versions else { panic!("two versions") };
    let versions = [*older, VersionDefinition { plan: None, ..*newer }];
    let definition = Definition { versions: Box::leak(Box::new(versions)), ..FULL };
    let definition: &'static Definition = Box::leak(Box::new(definition));
    let install = || {
        let mut install = Install::new(ResourceType::new(definition), &CrdOptions::new()).unwrap();
        let newest = &mut install.crd.spec.versions[0].schema.open_api_v3_schema;
        let status = newest.properties.get_mut("status").unwrap();
        assert!(status.properties.remove("conversionEntries").is_some());
        install
    };
    let there = |crd: &mut Value| {
        let whole = Install::new(ResourceType::new(definition), &CrdOptions::new()).unwrap();
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
        let install = || Install::new(ResourceType::new(definition), &CrdOptions::new()).unwrap();
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
