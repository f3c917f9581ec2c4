//! What the Kubernetes documentation says of its CronTab, asked of the program.
//!
//! Source: <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/>

use std::process::{Command, Output};

use serde_json::{Value, json};

fn crontab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crontab"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs")
}

#[track_caller]
fn prints(args: &[&str]) -> String {
    let Output { status, stdout, stderr } = crontab(args);
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

#[test]
fn the_answer_to_the_documentations_review() {
    let request: Value = serde_json::from_str(include_str!("../review.json")).unwrap();
    let answer: Value = serde_json::from_str(&prints(&["review", "review.json"])).unwrap();
    let converted = |index: usize, host: &str, port: &str| {
        let metadata = &request["request"]["objects"][index]["metadata"];
        json!({
            "kind": "CronTab",
            "apiVersion": "example.com/v1",
            "metadata": metadata,
            "host": host,
            "port": port,
        })
    };
    assert_eq!(
        answer,
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "ConversionReview",
            "response": {
                "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
                "result": { "status": "Success" },
                "convertedObjects": [
                    converted(0, "localhost", "1234"),
                    converted(1, "example.com", "2345"),
                ],
            },
        })
    );
}

#[test]
fn the_crd_means_what_the_documentations_means() {
    let crd: Value = serde_json::from_str(&prints(&["crd", "--format", "json"])).unwrap();
    let schema = |properties: Value| json!({ "openAPIV3Schema": { "type": "object", "properties": properties } });
    assert_eq!(
        crd,
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": "crontabs.example.com" },
            "spec": {
                "group": "example.com",
                "versions": [
                    {
                        "name": "v1",
                        "served": true,
                        "storage": false,
                        "schema": schema(json!({
                            "host": { "type": "string" },
                            "port": { "type": "string" },
                        })),
                    },
                    {
                        "name": "v1beta1",
                        "served": true,
                        "storage": true,
                        "schema": schema(json!({ "hostPort": { "type": "string" } })),
                    },
                ],
                "conversion": {
                    "strategy": "Webhook",
                    "webhook": {
                        "conversionReviewVersions": ["v1", "v1beta1"],
                        "clientConfig": {
                            "service": {
                                "namespace": "default",
                                "name": "example-conversion-webhook-server",
                                "path": "/crdconvert",
                            },
                        },
                    },
                },
                "scope": "Namespaced",
                "names": {
                    "plural": "crontabs",
                    "singular": "crontab",
                    "kind": "CronTab",
                    // The server's default, written out.
                    "listKind": "CronTabList",
                    "shortNames": ["ct"],
                },
            },
        })
    );
}

#[test]
fn the_checked_in_crd_is_the_generated_one() {
    assert_eq!(prints(&["crd", "--check", "crd.yaml"]), "");
}
