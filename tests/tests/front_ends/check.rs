//! What `check` says about the writes that an API server would refuse.

use crd_conv::{
    ResourceType,
    cli::{Cli, Streams},
    crd::Webhook,
};
use crd_conv_tests::kite::{Kite, changes, spec};
use serde_json::{Value, json};

const OPERATORS: &str = include_str!("../../../crd-conv/guide/operators.md");

/// A kite that an API server has stored.
fn kite(name: &str, change: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Kite", "spec": spec(change),
        "metadata": { "namespace": "air", "name": name, "uid": "0" },
    })
}

/// Only these of the kites.
fn kites(names: &[&str]) -> Vec<Value> {
    let changes = changes();
    let change = |name: &&str| changes.iter().find(|(own, _)| own == name).expect("a kite");
    names.iter().map(change).map(|(name, change)| kite(name, change)).collect()
}

fn check(args: &[&str], kites: &[Value]) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let stdin = kites.iter().map(Value::to_string).collect::<String>();
    let mut streams =
        Streams { stdin: &mut stdin.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    let code = Cli::new([ResourceType::of::<Kite>()])
        .webhook(Webhook::service("air", "conversion"))
        .run_with(["air", "check"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(stdout), text(stderr))
}

#[test]
fn each_kind_of_refusal_is_named() {
    let all: Vec<_> = changes().iter().map(|(name, change)| kite(name, change)).collect();
    let (code, stdout, stderr) = check(&[], &all);
    assert_eq!(code, 0, "as all kites can be converted");
    assert_eq!(
        stderr,
        "warning: 1 of the objects fail on every write in one of the served versions\n\
         warning: 7 of the objects have values that one of the served versions refuses when they are created or changed\n"
    );
    let expected = "\
kites.example.com: 10 objects, 10 read in v1
  v1 to v2: 10 are the same after a conversion there and back
  writes in v1: 9 are accepted
    1 are invalid in every version
      `air/wind`: spec.wind: Invalid value: 10: spec.wind in body should be less than or equal to 9 (in the Rust type `v1::Kite`); passes while `spec.wind` is unchanged
  writes in v2: 1 are accepted
    1 fail on every write
      `air/owner-and-notes`: spec.owner: Required value (in the Rust type `v2::Kite`)
    7 fail when they are created, or when an invalid value changes
      `air/color`: spec.color: Unsupported value: \"pink\": supported values: \"red\", \"blue\" (in the Rust type `v2::Kite`); passes while `spec.color` is unchanged
      `air/shape`: spec.shape: Invalid value: \"?\": spec.shape in body should match '^[a-z]+$' (in the Rust type `v2::Kite`); passes while `spec.shape` is unchanged
      `air/size`: spec.size: Invalid value: 12: spec.size in body should be less than or equal to 10 (in the Rust type `v2::Kite`); passes while `spec.size` is unchanged
      `air/owner`: spec.owner: Required value (in the Rust type `v2::Kite`); passes while `spec` is unchanged
      `air/tags`: spec.tags[0]: Too long: may not be more than 3 bytes (in the Rust type `v2::Kite`); passes while `spec.tags` is unchanged
      `air/lines`: spec.lines[1]: Duplicate value: {\"name\":\"a\"} (in the Rust type `v2::Kite`); every update passes
      `air/length`: spec.lines[0].length: Invalid value: 101: spec.lines[0].length in body should be less than or equal to 100 (in the Rust type `v2::Kite`); passes while `spec.lines[0].length` is unchanged
    1 are invalid in every version
      `air/wind`: spec.wind: Invalid value: 10: spec.wind in body should be less than or equal to 9 (in the Rust type `v2::Kite`); passes while `spec.wind` is unchanged
    what to do about `duplicate`: choose keys for the list that are unique in every object, let a converter merge the items, or fix the objects
    what to do about `invalid`: loosen this version's schema, let a converter write a value that fits, or fix the objects
    what to do about `not supported`: accept the value in this version's schema, let a converter write a value that is accepted, or fix the objects
    what to do about `required`: make the field optional or give it a default in this version, let the mapping write a value, or fix the objects
    what to do about `too long`: raise the limit in this version's schema, let a converter write a value that fits, or fix the objects
";
    assert_eq!(stdout, expected);
}

#[test]
fn only_what_a_version_newly_refuses_counts_with_strict() {
    for (name, _) in changes() {
        let (code, _, stderr) = check(&["--strict"], &kites(&[name]));
        let expected = match name {
            "fine" | "wind" => (0, ""),
            "owner-and-notes" => {
                (1, "error: 1 of the objects fail on every write in one of the served versions\n")
            }
            _ => (
                1,
                "error: 1 of the objects have values that one of the served versions refuses when they are created or changed\n",
            ),
        };
        assert_eq!((code, &*stderr), expected, "{name}");
    }
}

#[test]
fn programs_get_every_part_of_a_refusal() {
    let (_, stdout, _) =
        check(&["--format", "json"], &kites(&["owner", "owner-and-notes", "wind"]));
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let writes = &report["kites.example.com"]["writes"][1];
    let refused = |object: &str, field: &str, kind: &str, reason: &str, more: Value| {
        let mut refused = json!({
            "object": object, "path": field, "kind": kind,
            "reason": format!("{reason} (in the Rust type `v2::Kite`)"),
        });
        let more = more.as_object().unwrap().clone();
        refused.as_object_mut().unwrap().extend(more);
        refused
    };
    let required = |object, more| {
        refused(object, "spec.owner", "required", "spec.owner: Required value", more)
    };
    let wind = "spec.wind: Invalid value: 10: spec.wind in body should be less than or equal to 9";
    assert_eq!(
        *writes,
        json!({
            "version": "v2",
            "accepted": 0,
            "refused": [required("`air/owner-and-notes`", json!({ "accepted_in": ["v1"] }))],
            "refused_if_changed": [
                required("`air/owner`", json!({ "unchanged": "spec", "accepted_in": ["v1"] })),
                refused("`air/wind`", "spec.wind", "invalid", wind, json!({ "unchanged": "spec.wind", "accepted_in": [] })),
            ],
            "remedies": {
                "required": "make the field optional or give it a default in this version, let the mapping write a value, or fix the objects",
            },
            "not_checked": [],
        })
    );
}

/// The version of the objects doesn't matter, nor does it matter whether they have been stored yet.
#[test]
fn a_refusal_is_found_in_its_own_version() {
    let mut color = kites(&["color"]).remove(0);
    color["apiVersion"] = json!("example.com/v2");
    color["metadata"].as_object_mut().unwrap().remove("uid");
    color["spec"].as_object_mut().unwrap().remove("tags");
    let (_, stdout, _) = check(&[], &[color]);
    let found = "  writes in v2: 0 are accepted\n    1 fail when they are created, or when an invalid value changes\n      `air/color`: spec.color: ";
    assert!(
        stdout.contains("  writes in v1: 1 are accepted\n") && stdout.contains(found),
        "{stdout}"
    );
}

#[test]
fn the_guide_shows_what_is_printed() {
    let (_, stdout, stderr) = check(&[], &kites(&["fine", "color", "owner-and-notes"]));
    let page = |text: &str| text.replace("(in the Rust type `v2::Kite`)", "").replace(" ;", ";");
    for line in page(&(stdout + &stderr)).lines() {
        assert!(OPERATORS.contains(line.trim()), "{line}");
    }
}
