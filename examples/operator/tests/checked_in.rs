//! The files in `deploy` and `chart` are those that the program prints, and kube's derive agrees with the resource.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

#[track_caller]
fn prints(args: &[&str]) -> String {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_operator"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    let stdout = String::from_utf8(stdout).expect("UTF-8");
    assert!(status.success(), "{stdout}{}", String::from_utf8_lossy(&stderr));
    stdout
}

#[test]
fn the_crd_for_cert_manager() {
    let inject = "cert-manager.io/inject-ca-from=maintenance-system/maintenance-operator";
    let args = ["crd", "--annotation", inject, "--check", "deploy/cert-manager/crd.yaml"];
    assert_eq!(prints(&args), "");
}

#[test]
fn the_crd_for_a_certificate_of_our_own() {
    assert_eq!(prints(&["crd", "--check", "deploy/own-certificate/crd.yaml"]), "");
}

#[test]
fn the_files_of_the_chart() {
    for args in [
        &["crd", "--helm", "--check", "chart/templates/crd.yaml"][..],
        &["crd", "--policies", "--check", "chart/policies.yaml"],
        &["monitoring", "alerts", "--check", "chart/alerts.yaml"],
        &["monitoring", "dashboard", "--check", "chart/dashboard.json"],
    ] {
        assert_eq!(prints(args), "", "{args:?}");
    }
}

fn chart(file: &str) -> String {
    let file = format!("{}/chart/{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(file).expect("a file")
}

/// The paths of the values in a document. What a user fills in has none inside.
fn values(document: &Value, path: &str, found: &mut BTreeSet<String>) {
    match document.as_object() {
        Some(members) if !members.is_empty() && path != ".resources" => {
            for (key, value) in members {
                values(value, &format!("{path}.{key}"), found);
            }
        }
        _ => {
            found.insert(path.to_owned());
        }
    }
}

/// The paths of the values in a schema.
fn declared(schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    match schema["properties"].as_object() {
        Some(properties) => {
            assert_eq!(schema["additionalProperties"], false, "{path}");
            for (key, schema) in properties {
                declared(schema, &format!("{path}.{key}"), found);
            }
        }
        None => {
            found.insert(path.to_owned());
        }
    }
}

fn yaml(text: &str) -> Value {
    let documents = crd_conv::yaml::to_json(text).expect("YAML");
    serde_json::from_str(&documents[0]).expect("JSON")
}

#[test]
fn the_schema_of_the_chart_declares_its_values() {
    let (mut given, mut known) = (BTreeSet::new(), BTreeSet::new());
    values(&yaml(&chart("values.yaml")), "", &mut given);
    let schema: Value = serde_json::from_str(&chart("values.schema.json")).expect("JSON");
    declared(&schema, "", &mut known);
    // Helm's own, for charts inside of charts.
    assert!(known.remove(".global"));
    assert!(given.len() > 15, "invalid test case: {given:?}");
    assert_eq!(given, known);
}

/// The comment at the beginning of the template says what can be set.
#[test]
fn the_values_of_the_template_are_those_of_the_chart() {
    let template = chart("templates/crd.yaml");
    let comment = template.split_once("\n\ncrd:\n").and_then(|(_, rest)| rest.split_once("*/"));
    let (comment, _) = comment.expect("a comment with values");
    let (mut read, mut given) = (BTreeSet::new(), BTreeSet::new());
    values(&yaml(&format!("crd:\n{comment}")), "", &mut read);
    values(&yaml(&chart("values.yaml")), "", &mut given);
    given.retain(|path| path.starts_with(".crd."));
    assert!(read.len() > 10, "invalid test case: {read:?}");
    assert_eq!(read, given);
}

crd_conv::assert_kube!(operator::MaintenanceWindow, operator::v1::MaintenanceWindow);
