//! Values that move between structs and stanzas that both versions have, by the example of a rack.

use crd_conv::{
    ResourceType, UnrestoredReason,
    cli::{Cli, Streams},
};
use crd_conv_tests::rack::Rack;
use serde_json::{Value, json};

fn object(version: &str, stanzas: Value) -> Value {
    let mut object = json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Rack",
        "metadata": { "name": "r" },
    });
    let Value::Object(stanzas) = stanzas else { panic!("invalid test case: no stanzas") };
    object.as_object_mut().unwrap().extend(stanzas);
    object
}

fn convert(object: &Value, to: &str) -> (Value, Vec<(UnrestoredReason, u32)>) {
    let converted = ResourceType::of::<Rack>().convert(object.to_string().as_bytes(), to).unwrap();
    (serde_json::from_str(&converted.json).unwrap(), converted.unrestored.iter().collect())
}

/// What it is in the other version; on the way back it is the same.
fn round(version: &str, stanzas: Value, to: &str) -> Value {
    let object = object(version, stanzas);
    let (there, _) = convert(&object, to);
    let (back, unrestored) = convert(&there, version);
    assert_eq!(back, object, "via {there}");
    assert_eq!(unrestored, []);
    there
}

#[test]
fn from_one_struct_into_another() {
    let there = round(
        "v1alpha1",
        json!({ "spec": { "front": { "color": "red", "label": "l" }, "back": { "pace": 1, "kind": "x" } } }),
        "v1beta1",
    );
    assert_eq!(
        there["spec"],
        json!({ "front": { "label": "l" }, "back": { "pace": 1, "color": "red", "depth": 7 } })
    );
}

#[test]
fn structs_are_made_for_the_value_and_stay_without_it() {
    let absent = |way: &str, peer: &str| {
        let text = format!(r#"{{"format":1,"peer":"{peer}","keep":{{}}}}"#);
        json!({ "name": "r", "annotations": { format!("conversion.example.com/{way}"): text } })
    };
    let there = round("v1alpha1", json!({ "spec": { "front": { "color": "red" } } }), "v1beta1");
    let back = json!({ "color": "red", "depth": 7, "pace": 2 });
    assert_eq!(there["spec"], json!({ "front": {}, "back": back }));
    assert_eq!(there["metadata"], absent("v1alpha1.spec.back", "v1beta1"));
    let there = round("v1beta1", json!({ "spec": { "m": 4 } }), "v1alpha1");
    assert_eq!(there["spec"], json!({ "front": { "deep": { "m": 4 } } }));
    assert_eq!(there["metadata"], absent("v1beta1.spec.front", "v1alpha1"));
}

#[test]
fn empty_and_null_structs_are_what_they_were() {
    for front in [json!({}), json!(null), json!({ "deep": null }), json!({ "deep": {} })] {
        for m in [json!(4), json!(null)] {
            round("v1beta1", json!({ "spec": { "m": m, "front": front } }), "v1alpha1");
        }
        round("v1beta1", json!({ "spec": { "front": front } }), "v1alpha1");
    }
    for back in [json!({}), json!(null), json!({ "pace": 2 }), json!({ "label": null })] {
        let front = json!({ "color": "red" });
        round("v1alpha1", json!({ "spec": { "front": front, "back": back } }), "v1beta1");
    }
}

#[test]
fn what_finds_no_place_is_kept() {
    let there = round("v1beta1", json!({ "spec": { "m": 4, "front": 7 } }), "v1alpha1");
    assert_eq!(there["spec"], json!({ "front": 7 }));
}

#[test]
fn across_stanzas() {
    let there = round("v1alpha1", json!({ "spec": { "phase": "Up", "units": [] } }), "v1beta1");
    assert_eq!(there["status"], json!({ "phase": "Up" }));
    let there = round("v1alpha1", json!({ "spec": { "phase": "Up", "units": [] } }), "v1");
    assert_eq!(there["spec"]["info"], json!({ "state": { "phase": "Up" } }));
    let there =
        round("v1beta1", json!({ "status": { "phase": "Up", "message": "m" } }), "v1alpha1");
    assert_eq!(there["spec"], json!({ "phase": "Up", "units": [] }));
}

#[test]
fn a_stanza_without_moved_values_is_not_made() {
    let (there, _) = convert(&object("v1alpha1", json!({ "spec": { "units": [] } })), "v1beta1");
    assert_eq!(there.get("status"), None);
    let (there, _) = convert(&object("v1alpha1", json!({})), "v1");
    assert_eq!(there, object("v1", json!({})));
}

#[test]
fn edits_win() {
    let newer = json!({ "spec": { "units": [], "info": { "level": 1, "state": { "phase": "Up", "since": "s" } } } });
    let (mut older, _) = convert(&object("v1", newer), "v1alpha1");
    older["spec"]["phase"] = json!("Down");
    older["spec"].as_object_mut().unwrap().remove("level");
    let (back, unrestored) = convert(&older, "v1");
    assert_eq!(
        back["spec"],
        json!({ "units": [], "info": { "state": { "phase": "Down", "since": "s" } } })
    );
    assert_eq!(unrestored, []);
}

#[test]
fn a_struct_that_a_client_removes_takes_what_was_kept_in_it() {
    let newer = json!({ "spec": { "back": { "depth": 9, "color": "red", "pace": 1 } } });
    let (mut older, _) = convert(&object("v1beta1", newer), "v1alpha1");
    older["spec"].as_object_mut().unwrap().remove("back");
    let (back, unrestored) = convert(&older, "v1beta1");
    assert_eq!(back["spec"], json!({ "back": { "color": "red", "depth": 7, "pace": 2 } }));
    assert_eq!(unrestored, [(UnrestoredReason::AnchorGone, 1)]);
}

#[test]
fn explained() {
    let mut stdout = Vec::new();
    let mut streams =
        Streams { stdin: &mut std::io::empty(), stdout: &mut stdout, stderr: &mut std::io::sink() };
    Cli::new([ResourceType::of::<Rack>()]).run_with(["racks", "explain"], &mut streams);
    let text = String::from_utf8(stdout).unwrap();
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    for row in [
        [".spec.front.color: Option<String>", ".spec.back.color: Option<String>", "moved"]
            .as_slice(),
        &[".spec.timeout: Option<i64>", ".spec.checks.inner.seconds: i64", "moved"],
        &[".spec.phase: Option<String>", ".status.phase: Option<String>", "moved"],
        &[
            ".status: v1beta1::Status",
            "there if a moved field is",
            "conversion.example.com/v1beta1.status",
        ],
        &[".status.message: Option<String>", "added", "conversion.example.com/v1beta1.status"],
    ] {
        assert_eq!(lines.iter().filter(|line| *line == row).count(), 1, "{row:?} in\n{text}");
    }
    let alone = |line: &&Vec<&str>| line.len() < 4 && line.contains(&"removed");
    let removed: Vec<_> = lines.iter().filter(alone).map(|line| line[0]).collect();
    assert!(
        !removed.iter().any(|cell| cell.contains("color") || cell.contains("phase")),
        "{removed:?}"
    );
}
