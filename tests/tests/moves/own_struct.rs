//! Fields that stand in a struct of their own in one version and beside it in the other.

use crd_conv::{
    Converted, ResourceType, UnrestoredReason, Versioned,
    cli::{Cli, Streams},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Spec {
        name: String,
        timeout: Option<i64>,
        retry_count: Option<i64>,
        #[serde(default)]
        steps: Vec<Step>,
        rollout: Option<Rollout>,
        level: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Step {
        image: String,
        cpu: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Rollout {
        surge: Option<i64>,
        paused: Option<bool>,
        reason: Option<String>,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1::Spec,
        moved(
            timeout => checks.timeout_seconds,
            retry_count => checks.max_retries,
            rollout.surge => surge,
            rollout.paused => suspend,
            level => log.level,
        ),
    )]
    pub(crate) struct Spec {
        name: String,
        checks: Option<Checks>,
        #[serde(default)]
        steps: Vec<Step>,
        surge: Option<i64>,
        #[serde(default)]
        suspend: Option<bool>,
        #[serde(default)]
        log: Log,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Checks {
        timeout_seconds: Option<i64>,
        #[serde(default)]
        max_retries: Option<i64>,
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Step, moved(cpu => limits.cpu))]
    pub(crate) struct Step {
        image: String,
        limits: Option<Limits>,
    }

    /// The moved field is required: it is the only one.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Limits {
        cpu: String,
        memory: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    pub(crate) struct Log {
        level: Option<String>,
        #[serde(default = "json")]
        format: String,
    }

    fn json() -> String {
        "json".to_owned()
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "jobs", scope = "Namespaced"))]
enum Job {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

fn object(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Job",
        "metadata": { "name": "j" },
        "spec": spec,
    })
}

fn convert(object: &Value, to: &str) -> (Value, Converted) {
    let converted = ResourceType::of::<Job>().convert(object.to_string().as_bytes(), to).unwrap();
    (serde_json::from_str(&converted.json).unwrap(), converted)
}

/// What one version's spec is in the other, without annotations.
fn plain(version: &str, spec: &Value, to: &str) -> Value {
    let (converted, _) = convert(&object(version, spec), to);
    assert_eq!(converted["metadata"], json!({ "name": "j" }), "nothing to keep of {spec}");
    converted["spec"].clone()
}

/// To the other version and back, it is the same.
fn round(version: &str, spec: &Value) -> Value {
    let to = if version == "v1" { "v2" } else { "v1" };
    let (there, _) = convert(&object(version, spec), to);
    let (back, converted) = convert(&there, version);
    assert_eq!(back, object(version, spec), "via {there}");
    assert!(converted.unrestored.is_empty(), "{:?}", converted.unrestored);
    there
}

#[test]
fn the_struct_exists_only_if_a_field_does() {
    // Unless it has a default.
    let log = json!({ "format": "" });
    assert_eq!(plain("v1", &json!({ "name": "a" }), "v2"), json!({ "name": "a", "log": log }));
    let timeout = json!({ "name": "a", "timeout": 3 });
    assert_eq!(
        plain("v1", &timeout, "v2"),
        json!({ "name": "a", "checks": { "timeoutSeconds": 3 }, "log": log })
    );
    let both = json!({ "timeout": 3, "retryCount": 4 });
    assert_eq!(
        plain("v1", &both, "v2"),
        json!({ "checks": { "timeoutSeconds": 3, "maxRetries": 4 }, "log": log })
    );
    for spec in [timeout, both, json!({})] {
        round("v1", &spec);
    }
}

#[test]
fn fields_come_out_of_a_struct_and_go_back_into_it() {
    let rollout = json!({ "rollout": { "surge": 1, "paused": true } });
    let log = json!({ "format": "" });
    assert_eq!(plain("v1", &rollout, "v2"), json!({ "surge": 1, "suspend": true, "log": log }));
    round("v1", &rollout);
    assert_eq!(
        plain("v2", &json!({ "suspend": false, "log": log }), "v1"),
        json!({ "rollout": { "paused": false } })
    );
    round("v2", &json!({ "suspend": false }));
    round("v2", &json!({ "surge": 2, "suspend": false }));
}

#[test]
fn other_fields_of_the_struct_come_back() {
    let there = round("v2", &json!({ "checks": { "timeoutSeconds": 3, "url": "http://a" } }));
    assert_eq!(there["spec"], json!({ "timeout": 3 }));
    let there = round("v1", &json!({ "rollout": { "surge": 1, "reason": "r" } }));
    assert_eq!(there["spec"], json!({ "surge": 1, "log": { "format": "" } }));
    for checks in [json!({}), json!({ "url": "http://a" }), json!(null)] {
        let there = round("v2", &json!({ "checks": checks }));
        assert_eq!(there["spec"], json!({}));
    }
}

#[test]
fn edits_win() {
    let newer = object("v2", &json!({ "checks": { "timeoutSeconds": 3, "url": "http://a" } }));
    let (mut older, _) = convert(&newer, "v1");
    older["spec"] = json!({ "timeout": 5, "retryCount": 1 });
    let (back, converted) = convert(&older, "v2");
    assert_eq!(
        back["spec"],
        json!({ "checks": { "timeoutSeconds": 5, "maxRetries": 1, "url": "http://a" } })
    );
    assert!(converted.unrestored.is_empty());

    let (mut newer, _) = convert(&object("v1", &json!({ "timeout": 3, "retryCount": 4 })), "v2");
    newer["spec"]["checks"] = json!({ "maxRetries": 5 });
    let (back, _) = convert(&newer, "v1");
    assert_eq!(back, object("v1", &json!({ "retryCount": 5 })));
}

#[test]
fn a_client_removes_the_struct() {
    let (mut newer, _) = convert(&object("v1", &json!({ "name": "a", "timeout": 3 })), "v2");
    newer["spec"].as_object_mut().unwrap().remove("checks");
    let (back, converted) = convert(&newer, "v1");
    assert_eq!(back, object("v1", &json!({ "name": "a" })));
    assert!(converted.unrestored.is_empty());
}

#[test]
fn what_was_no_struct_gives_way_to_an_edit() {
    let (mut older, _) = convert(&object("v2", &json!({ "checks": null })), "v1");
    older["spec"]["timeout"] = json!(3);
    let (back, converted) = convert(&older, "v2");
    assert_eq!(back, object("v2", &json!({ "checks": { "timeoutSeconds": 3 } })));
    assert_eq!(converted.unrestored.iter().collect::<Vec<_>>(), [(UnrestoredReason::Edited, 1)]);
}

#[test]
fn inside_the_items_of_a_list() {
    let steps = json!({ "steps": [
        { "image": "a", "limits": { "cpu": "1", "memory": "2G" } },
        { "image": "b" },
        { "image": "c", "limits": { "cpu": "3" } },
    ] });
    let mut older = round("v2", &steps);
    assert_eq!(
        older["spec"]["steps"],
        json!([{ "image": "a", "cpu": "1" }, { "image": "b" }, { "image": "c", "cpu": "3" }])
    );
    older["spec"]["steps"].as_array_mut().unwrap().reverse();
    let (back, _) = convert(&older, "v2");
    let mut reversed = steps;
    reversed["steps"].as_array_mut().unwrap().reverse();
    assert_eq!(back, object("v2", &reversed));
}

/// Once the `null` went into `limits.cpu`, from where the API server drops it.
#[test]
fn null_does_not_move_to_where_it_is_no_value() {
    let there = round("v1", &json!({ "steps": [{ "image": "a", "cpu": null }] }));
    assert_eq!(there["spec"]["steps"], json!([{ "image": "a" }]));
    let there = round("v1", &json!({ "timeout": null }));
    assert_eq!(there["spec"]["checks"], json!({ "timeoutSeconds": null }));
}

#[test]
fn defaults_of_other_fields_stand_in_a_new_struct() {
    assert_eq!(
        plain("v1", &json!({ "level": "info" }), "v2"),
        json!({ "log": { "level": "info", "format": "json" } })
    );
    round("v1", &json!({ "level": "info" }));
    // What the server fills in by itself needs no annotation.
    let filled = json!({ "log": { "level": "info", "format": "json" } });
    assert_eq!(plain("v2", &filled, "v1"), json!({ "level": "info" }));
    round("v2", &filled);
    round("v2", &json!({ "log": { "level": "info", "format": "text" } }));
    round("v2", &json!({ "log": { "format": "json" } }));
    round("v2", &json!({ "log": { "level": "info" } }));
}

#[test]
fn explained() {
    let mut stdout = Vec::new();
    let mut streams =
        Streams { stdin: &mut std::io::empty(), stdout: &mut stdout, stderr: &mut std::io::sink() };
    let cli = Cli::new([ResourceType::of::<Job>()]);
    cli.run_with(["jobs", "explain"], &mut streams);
    let text = String::from_utf8(stdout).unwrap();
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let checks = "conversion.example.com/v2.spec.checks";
    for row in [
        [".spec.checks: Option<Checks>", "there if a moved field is", checks].as_slice(),
        &[".spec.timeout: Option<i64>", ".spec.checks.timeoutSeconds: Option<i64>", "moved"],
        &[".spec.checks.url: Option<String>", "added", checks],
        &[".spec.rollout.paused: Option<bool>", ".spec.suspend: Option<bool>", "moved"],
        &[
            ".spec.rollout.reason: Option<String>",
            "removed",
            "conversion.example.com/v1.spec.rollout",
        ],
        &[
            ".spec.log.format: String",
            "added, value \"json\"",
            "conversion.example.com/v2.spec.log",
        ],
        &[".spec.steps[].cpu: Option<String>", ".spec.steps[].limits.cpu: String", "moved"],
    ] {
        assert!(lines.iter().any(|line| line == row), "{row:?} isn't in\n{text}");
    }
}
