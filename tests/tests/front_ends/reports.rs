//! Reports on CustomResourceDefinitions and laws, for people, programs and pull requests.

use std::{fs, path::PathBuf};

use crd_conv::cli::{Streams, run_plain_with};
use serde_json::Value;

use crate::cli::{prints, run};

/// The release before: only `v1` of `Boat`, with more if it is asked for.
fn before(more: impl FnOnce(&mut Value)) -> String {
    let text = prints(&["crd", "--resource", "boats", "--format", "json"], "");
    let mut crd: Value = serde_json::from_str(&text).unwrap();
    let versions = crd["spec"]["versions"].as_array_mut().unwrap();
    versions.retain(|version| version["name"] == "v1");
    assert_eq!(versions.len(), 1, "the premise");
    versions[0]["storage"] = true.into();
    more(&mut crd);
    crd.to_string()
}

fn field<'a>(crd: &'a mut Value, name: &str) -> &'a mut Value {
    &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        [name]
}

/// A file that goes with the test.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_program_knows_what_it_renames() {
    assert_eq!(
        prints(&["diff", "-", "--resource", "Boat"], &before(|_| {})),
        "\
boats.example.com: 0 breaking, 1 risky, 5 safe
  risky: objects are now stored in `v2`, which the previous release doesn't know: after a rollback, it can't read them; serve `v2` for one release before you store it
  safe: v2: this version is new
  safe: v1 to v2: .spec.sails: the newer version requires it; the mapping says: added, value 3, kept in `conversion.example.com/v2.spec.sails`
  safe: v1 to v2: .spec.title: the newer version requires it; the mapping says: renamed
  safe: v1 to v2: .spec.name: the newer version doesn't have this field; the mapping says: renamed
  safe: v1 to v2: .spec.owner: the newer version doesn't have this field; the mapping says: removed, kept in `conversion.example.com/v1.spec.owner`
"
    );
}

#[test]
fn what_breaks_somebody_is_an_error() {
    let gone = before(|crd| *field(crd, "color") = serde_json::json!({"type": "string"}));
    let (code, stdout, stderr) = run(&["diff", "-"], &gone);
    assert_eq!((code, &*stderr), (1, "error: 1 change is breaking\n"));
    assert!(
        stdout.contains(
            "  breaking: v1: .spec.color: it is gone: the API server drops its value, with at most a warning; \
             keep it in this version, and remove it in a new one\n"
        ),
        "{stdout}"
    );
    assert!(
        stdout.ends_with(
            "ports.example.com: 0 breaking, 0 risky, 1 safe\n  safe: the resource is new\n"
        ),
        "{stdout}"
    );
    let (code, _, stderr) = run(&["diff", "-", "--deny", "risky"], &gone);
    assert_eq!((code, &*stderr), (1, "error: 2 changes are risky or worse\n"));
    let (code, stdout, _) = run(&["diff", "-", "--format", "json"], &gone);
    let reports: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (code, &reports[0]["changes"][0]["kind"], &reports[0]["changes"][0]["path"]),
        (1, &"field-removed".into(), &".spec.color".into())
    );
    let (code, stdout, _) = run(&["diff", "-", "--format", "markdown"], &gone);
    let row = "| **breaking** | v1 | `.spec.color` | it is gone: ";
    assert!(code == 1 && stdout.contains(row), "{stdout}");
}

/// The guide has the same text as the command prints.
#[test]
fn one_kind_of_change_is_explained() {
    let printed = prints(&["diff", "--explain", "field-removed"], "");
    let guide = include_str!("../../../crd-conv/guide/diff.md");
    assert!(
        guide.contains(&format!("$ crd-conv diff --explain field-removed\n{printed}```")),
        "{printed}"
    );
    let (code, _, stderr) = run(&["diff", "--explain", "field-remove"], "");
    assert!(code == 2 && stderr.contains("'field-removed'"), "{stderr}");
    for args in [&["diff"][..], &["diff", "--explain", "field-removed", "-"]] {
        assert_eq!(run(args, "").0, 2, "{args:?}");
    }
}

#[test]
fn a_resource_that_the_program_no_longer_has() {
    let other = before(|crd| crd["metadata"]["name"] = "rafts.example.com".into());
    let (code, stdout, _) = run(&["diff", "-"], &other);
    assert_eq!(code, 1);
    assert!(
        stdout.starts_with(
            "rafts.example.com: 1 breaking, 0 risky, 0 safe\n  breaking: the resource is gone: "
        ),
        "{stdout}"
    );
}

/// Without the types nobody knows what the webhook does.
#[test]
fn two_files_of_any_program() {
    let folder = tempfile::tempdir().unwrap();
    let older = file(&folder, "older.json", &before(|_| {}));
    let newer = file(&folder, "newer.yaml", &prints(&["crd", "--resource", "boats"], ""));
    let plain = |older: &PathBuf, newer: &PathBuf| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
        let args = ["crd-conv", "diff", older.to_str().unwrap(), newer.to_str().unwrap()];
        let code = run_plain_with(args, &mut streams);
        (code, String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
    };
    let (code, stdout, stderr) = plain(&older, &newer);
    assert_eq!((code, &*stderr), (0, ""));
    let line = "  risky: v1 to v2: .spec.name: the newer version doesn't have this field; make sure that the webhook handles it; ";
    assert!(stdout.contains(line), "{stdout}");
    // The program compares two files as well, and knows the mapping.
    let args = ["diff", older.to_str().unwrap(), newer.to_str().unwrap()];
    let line = "  safe: v1 to v2: .spec.name: the newer version doesn't have this field; the mapping says: renamed\n";
    assert!(prints(&args, "").contains(line));

    let text = file(&folder, "notes.yaml", "a: b\n");
    let (code, stdout, stderr) = plain(&older, &text);
    assert_eq!((code, &*stdout), (1, ""));
    assert!(stderr.ends_with("notes.yaml` holds no CustomResourceDefinition\n"), "{stderr}");
    let (code, _, stderr) = run(&["diff", "-", "--deny", "safe"], "");
    assert!(code == 2 && stderr.contains("write `breaking` or `risky`"), "{stderr}");
}

#[test]
fn verdicts_for_programs() {
    let refused = before(|crd| *field(crd, "color") = serde_json::json!({}));
    let (code, stdout, _) = run(&["verify", "--format", "json", "-"], &refused);
    let verdicts: Value = serde_json::from_str(&stdout).unwrap();
    let verdict = &verdicts[0];
    assert_eq!((code, &verdict["accepted"], &verdict["file"]), (1, &false.into(), &"-".into()));
    assert_eq!(verdict["violations"][0]["kind"], "required");
    let path = verdict["violations"][0]["path"].as_str().unwrap();
    assert!(path.ends_with("properties[color].type"), "{path}");
}

#[test]
fn laws_for_programs() {
    let args = ["roundtrip", "--resource", "boats", "--cases", "20", "--format", "json"];
    let tried: Value = serde_json::from_str(&prints(&args, "")).unwrap();
    let boat = &tried[0];
    assert_eq!(
        (&boat["kind"], &boat["cases"], &boat["broken"]),
        (&"Boat".into(), &20.into(), &Value::Null)
    );
    assert!(boat["laws"].as_array().unwrap().iter().all(|law| law["holds"] == true));
    assert_eq!(boat["versions"].as_array().unwrap().len(), 2, "one pair in both directions");
}
