//! The command line of a binary with two derived resources.

use std::path::Path;

use crd_conv::{
    ResourceType, Versioned,
    cli::{Cli, Streams},
    crd::Webhook,
};
use crd_conv_tests::fickle::Buoy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Boat {
        name: String,
        owner: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Port {
        berths: i64,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Boat, removed(owner))]
    pub(crate) struct Boat {
        #[versioned(renamed_from = name)]
        title: String,
        #[versioned(added(value = 3))]
        sails: i32,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "boats", scope = "Namespaced"))]
enum Boat {
    V1 {
        spec: v1::Boat,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Boat,
    },
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "ports", scope = "Cluster"))]
enum Port {
    #[versioned(storage)]
    V1 { spec: v1::Port },
}

#[test]
fn check_says_what_becomes_of_objects() {
    let boat = |version: &str, name: &str, spec: &str| {
        format!(
            r#"{{"apiVersion":"example.com/{version}","kind":"Boat","metadata":{{"namespace":"sea","name":"{name}"}},"spec":{spec}}}"#
        )
    };
    let list = |boats: &[String]| {
        format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, boats.join(","))
    };
    let right = [
        boat("v1", "a", r#"{"name":"Ada","owner":"ada"}"#),
        boat("v1", "b", r#"{"name":"Bee","unknown":null}"#),
        boat("v2", "c", r#"{"title":"Cee","sails":4}"#),
        r#"{"apiVersion":"v1","kind":"Pod"}"#.to_owned(),
    ];
    assert_eq!(
        prints(&["check"], &list(&right)),
        "boats.example.com: 3 objects, 2 read in v1, 1 read in v2\n\
         \u{20} v1 to v2: 2 are the same after a conversion there and back\n\
         \u{20}   1 keep something in conversion.example.com/v1.spec.owner\n\
         \u{20} v2 to v1: 1 are the same after a conversion there and back\n\
         \u{20}   1 keep something in conversion.example.com/v2.spec.sails\n\
         \u{20} writes in v1: 3 are accepted\n\
         \u{20} writes in v2: 3 are accepted\n\
         1 objects of other kinds were skipped\n"
    );
    let old = boat("v0", "old", "{}");
    let (code, stdout, stderr) = run(&["check", "-"], &list(&[right[0].clone(), old]));
    assert_eq!(code, 1);
    assert!(
        stdout.contains(
            "  v0 to v1: 0 are the same after a conversion there and back\n    1 fail\n      can't convert `sea/old`: "
        ),
        "{stdout}"
    );
    assert_eq!(
        stderr,
        "error: 1 of the objects can't be converted to every served version and back\n\
         error: 1 of the objects can't be stored in the storage version: before it changes, make them smaller or fix them in the version in \
         which they are stored now\n"
    );
    let json = prints(&["check", "--format", "json"], &right[0]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["boats.example.com"]["conversions"][0]["exact"], 1);
    // The items of a list are taken as they are written.
    let twice = list(&[boat("v1", "a", r#"{"name":"Ada","name":"Bea"}"#)]);
    assert!(prints(&["check"], &twice).contains("aren't restored: duplicate key\n"));
    let (code, stdout, stderr) = run(&["check"], "kind: Pod\napiVersion: v1\n");
    assert_eq!((code, &*stdout), (1, ""));
    assert!(
        stderr.contains("holds no object of Boat in example.com, Port in example.com"),
        "{stderr}"
    );
}

#[test]
fn policies_are_for_what_keeps_something() {
    let printed = prints(&["crd", "--policies"], "");
    assert_eq!(printed.matches("kind: ValidatingAdmissionPolicy\n").count(), 1, "{printed}");
    assert!(printed.contains("name: conversion.boats.example.com\n"));
    let (code, stdout, stderr) = run(&["crd", "--policies", "--resource", "ports"], "");
    assert_eq!((code, &*stdout), (1, ""));
    assert_eq!(stderr, "error: no policy is needed: no conversion keeps anything in annotations\n");
}

pub(crate) fn run(args: &[&str], stdin: &str) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { stdin: &mut stdin.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    let code = Cli::new([ResourceType::of::<Boat>(), ResourceType::of::<Port>()])
        .webhook(Webhook::service("sea", "conversion"))
        .run_with(["sea"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(stdout), text(stderr))
}

#[track_caller]
pub(crate) fn prints(args: &[&str], stdin: &str) -> String {
    let (code, stdout, stderr) = run(args, stdin);
    assert_eq!((code, stderr.as_str()), (0, ""));
    stdout
}

const BOATS: &str = "\
apiVersion: example.com/v1
kind: Boat
metadata:
  name: a
spec:
  name: \"on\"
  owner: me
  unknown: 1.10
---
apiVersion: v1
kind: List
items:
- apiVersion: example.com/v2
  kind: Boat
  metadata:
    name: b
  spec:
    title: B
    sails: 2
";

#[test]
fn yaml_goes_there_and_back() {
    let there = prints(&["convert", "--to", "v2"], BOATS);
    assert!(there.contains("title: \"on\"\n") && there.contains("unknown: 1.10\n"), "{there}");
    assert!(there.contains("conversion.example.com/v1.spec.owner: "), "{there}");
    let (first, second) = there.split_once("---\n").unwrap();
    assert_eq!(second, BOATS.split_once("---\n").unwrap().1);
    let back = crd_conv::yaml::to_json(&prints(&["convert", "--to", "v1"], first)).unwrap();
    let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
    let before = crd_conv::yaml::to_json(BOATS).unwrap();
    assert_eq!(value(&back[0]), value(&before[0]));
    assert!(back[0].contains("1.10"), "{back:?}");

    let exported = prints(&["convert", "--to", "v2", "--export"], BOATS);
    assert!(!exported.contains("conversion.example.com"), "{exported}");
}

#[test]
fn files_in_turn_and_other_kinds_as_they_are() {
    const CONFIG: &str =
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: 1.10\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let boats = file("boats.yaml", BOATS);
    let config = file("config.yaml", CONFIG);
    let (code, stdout, stderr) = run(&["convert", "--to", "v2", &boats, &config, "-"], BOATS);
    let alone = prints(&["convert", "--to", "v2"], BOATS);
    assert_eq!((code, stdout), (0, format!("{alone}---\n{CONFIG}---\n{alone}")));
    assert_eq!(
        stderr,
        "note: ConfigMap `c` in v1 belongs to no resource of this program and is printed unchanged\n"
    );

    let broken = file("broken.yaml", &format!("{BOATS}---\napiVersion: example.com/v1\n"));
    let (code, stdout, stderr) = run(&["convert", "--to", "v2", &boats, &broken], "");
    assert_eq!((code, &*stdout), (1, ""));
    let expected =
        format!("error: `{broken}`, document 3: an object has no `apiVersion` or no `kind`\n");
    assert_eq!(stderr, expected);
    let (_, _, stderr) = run(&["convert", "--to", "v2", &config], "");
    let expected = "the input holds no object of Boat in example.com, Port in example.com: it has ConfigMap `c` in v1";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn as_the_server_does() {
    let object = |spec: &str| {
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Boat","metadata":{{"name":"a"}},"spec":{spec}}}"#
        )
    };
    let convert = |to: &str, object: &str| run(&["convert", "--as-server", "--to", to], object);

    let (code, stdout, stderr) =
        convert("v2", &object(r#"{"name":"B","owner":null,"crew":1,"sails":{}}"#));
    assert_eq!(
        (code, stderr.as_str()),
        (0, "`a`: in v1: pruned spec.crew\n`a`: in v1: pruned spec.sails\n")
    );
    let (_, spec) = stdout.split_once(r#""spec":"#).expect("a spec");
    assert_eq!(spec, "{\"sails\":3,\"title\":\"B\"}}\n");

    // Also in the version in which it is written it was stored in another one.
    let written = object(r#"{"owner":"me","name":"B"}"#);
    let (code, stdout, stderr) = convert("example.com/v1", &written);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout, object(r#"{"name":"B","owner":"me"}"#) + "\n");

    let wrong = r#"{"apiVersion":"example.com/v1","kind":"Boat","metadata":{"name":"A"},"spec":{"name":1}}"#;
    let (code, stdout, stderr) = convert("v2", wrong);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(
        stderr.starts_with(
            "error: the API server refuses `A`:\n  metadata.name: Invalid value: \"A\": "
        ),
        "{stderr}"
    );
    assert!(stderr.contains("\n  spec.name: Invalid value: \"integer\": spec.name in body must be of type string: \"integer\" (in the Rust type `v1::Boat`)"), "{stderr}");
    let (code, _, stderr) = convert("v2", &written.replace("v1", "v3"));
    assert_eq!(code, 1);
    assert!(stderr.contains("must be one of example.com/v2, example.com/v1"), "{stderr}");
}

#[test]
fn the_resources_are_told_apart() {
    let crds = prints(&["crd"], "");
    assert_eq!(crds.matches("---\n").count(), 1);
    assert!(crds.contains("name: boats.example.com") && crds.contains("name: ports.example.com"));
    assert_eq!(crds.matches("strategy: Webhook").count(), 1);
    assert_eq!(crds.matches("strategy: None").count(), 1);
    let port = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Port\",\"metadata\":{}}\n";
    assert_eq!(prints(&["convert", "--to", "v1"], port), port);
    let (code, stdout, stderr) = run(&["convert", "--to", "v2"], &format!("{BOATS}---\n{port}"));
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("error: ") && stderr.trim_end().lines().count() == 1, "{stderr}");
    assert!(stderr.contains("Port in v1, not in `v2`"), "{stderr}");
}

#[test]
fn explain_is_a_table() {
    assert_eq!(
        prints(&["explain"], ""),
        "\
Boat in example.com: v1, v2

v1 to v2
  v1                           v2                   mapping         what the other version can't say is kept in
  ---------------------------  -------------------  --------------  -------------------------------------------
  .spec: v1::Boat              .spec: v2::Boat      kept
  .spec.name: String           .spec.title: String  renamed
                               .spec.sails: i32     added, value 3  conversion.example.com/v2.spec.sails
  .spec.owner: Option<String>                       removed         conversion.example.com/v1.spec.owner

Port in example.com: v1
"
    );
}

/// What can't be read is named, and the rest is checked.
#[test]
fn a_broken_object_hides_no_other() {
    let boat = |name: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Boat\nmetadata: {{name: {name}}}\nspec: {{name: a}}\n"
        )
    };
    let list = "kind: List\nitems:\n- kind: Boat\n- apiVersion: example.com/v1\n  kind: Boat\n  spec: {name: b}\n";
    let text = format!("{}---\na: b: c\n---\n{list}---\n{}", boat("a"), boat("c"));
    let (code, stdout, stderr) = run(&["check", "-"], &text);
    assert_eq!(code, 1);
    assert!(stdout.starts_with("boats.example.com: 3 objects, 3 read in v1\n"), "{stdout}");
    let errors: Vec<_> = stderr.lines().collect();
    assert_eq!(errors.len(), 2, "{stderr}");
    assert!(errors[0].starts_with("error: standard input: not readable as YAML: "), "{stderr}");
    assert!(errors[0].contains("line 6"), "{stderr}");
    assert_eq!(errors[1], "error: standard input: a document has no `apiVersion` or no `kind`");
}

/// Files of which other programs make CustomResourceDefinitions are called what they are.
#[test]
fn templates_and_patches_are_no_broken_yaml() {
    for (text, says) in [
        (
            "{{- if .Values.crds }}\nkind: CustomResourceDefinition\n{{- end }}\n",
            "line 1 has `{{`, so this is a template that isn't rendered yet: pass on the output of `helm template`",
        ),
        (
            "# {{ no code }}\nkind: CustomResourceDefinition\nmetadata:\n  name: boats.example.com\n  labels: {{ include \"x\" . | nindent 4 }}\n",
            "line 5 has `{{`, so this is a template",
        ),
        (
            "kind: Kustomization\nresources: [crd.yaml]\n",
            "it is a Kustomization: pass on the output of `kubectl kustomize`",
        ),
        ("- op: add\n  path: /spec/preserveUnknownFields\n  value: false\n", "is a JSON patch: "),
        (
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: boats.example.com\nspec:\n  conversion:\n    strategy: Webhook\n",
            "is a patch of a CustomResourceDefinition: ",
        ),
    ] {
        let (code, stdout, stderr) = run(&["verify", "-"], text);
        assert_eq!((code, &*stdout), (1, ""), "{text}");
        assert!(stderr.contains(says), "{text}: {stderr}");
    }
    // With braces, and no template.
    let (_, _, stderr) = run(&["verify", "-"], "a: {b: {c: }}\n  d: e\n");
    assert!(!stderr.contains("template"), "{stderr}");
    let braces = BOATS.replace("owner: me", "owner: '{{ me }}'");
    assert!(prints(&["convert", "--to", "v1", "-"], &braces).contains("{{ me }}"));
}

#[test]
fn shells_complete_the_commands_of_the_program() {
    for (shell, says) in [
        ("bash", "complete -F _sea "),
        ("zsh", "#compdef sea"),
        ("fish", "complete -c sea"),
        ("powershell", "-CommandName 'sea'"),
    ] {
        let script = prints(&["completions", shell], "");
        assert!(script.contains(says) && script.contains("roundtrip"), "{shell}: {script}");
    }
    let (code, _, stderr) = run(&["completions", "cmd"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("[possible values: bash, "), "{stderr}");
}

#[test]
fn the_laws_are_tried_on_every_pair_of_versions() {
    let out = prints(&["roundtrip", "--cases", "20", "--seed", "7"], "");
    assert!(out.starts_with("Boat in example.com: 20 objects for each law and pair"), "{out}");
    assert!(out.contains("Port in example.com: 20 objects"), "{out}");
    for line in ["  1  v1 to v2  320", "  2  v2 to v1  320", "  1  v1 to v1  320"] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let holds = ["edits", "win", "holds", "holds"];
    assert!(out.lines().any(|line| line.split_whitespace().eq(holds)), "{out}");
    assert_eq!(out, prints(&["roundtrip", "--cases", "20", "--seed", "7"], ""));

    let one = ["roundtrip", "--resource", "boat", "--from", "v1", "--law", "edits-win"];
    let out = prints(&one, "");
    assert!(out.contains("  1  v1 to v2  1000") && !out.contains("v2 to v1"), "{out}");
    assert!(!out.contains("exact return"), "{out}");
}

#[test]
fn a_law_or_version_that_is_none_is_a_mistake_in_the_command_line() {
    for (args, part) in [
        (["roundtrip", "--law", "mercy"], "exact-return, "),
        (["roundtrip", "--from", "v7"], "Boat has no version `v7`; it has v1, v2"),
        // Nothing tried isn't a law that holds.
        (["roundtrip", "--cases", "0"], "'--cases <N>': 0 is not in 1..=4294967295"),
    ] {
        let (code, stdout, stderr) = run(&args, "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(part), "{stderr}");
    }
}

#[test]
fn a_broken_law_is_shown_with_its_smallest_object() {
    let run = |args: &[&str]| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
        let args = ["sea", "roundtrip"].iter().chain(args);
        let code = Cli::new([ResourceType::of::<Buoy>()]).run_with(args, &mut streams);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (code, text(stdout), text(stderr))
    };
    let law = ["--law", "deterministic", "--seed", "3"];
    let (code, out, error) = run(&law);
    assert_eq!(code, 1, "{out}");
    assert_eq!(error, "error: Buoy: the law \"deterministic\" is broken from v1 to v2\n");
    for part in [
        "deterministic  BROKEN",
        "the law \"deterministic\" is broken from v1 to v2 (seed 3, case ",
        "The law says: The same input gives the same output, byte for byte.",
        r#""spec":{"depth":0}"#,
        "\n  .spec.fathoms: ",
        "A converter must return the same result for the same value. ",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let again = out.lines().last().unwrap().trim();
    assert!(
        again.starts_with("roundtrip --law deterministic --from v1 --to v2 --seed 3 --cases "),
        "{again}"
    );
    let args: Vec<&str> = again.split(' ').skip(1).collect();
    assert_eq!(run(&args).0, 1);
}

#[test]
fn a_converter_that_takes_nothing_is_named() {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let args = ["sea", "roundtrip", "--cases", "50"];
    let code = Cli::new([ResourceType::of::<misspelt::Raft>()]).run_with(args, &mut streams);
    let (stdout, stderr) = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).into();
    assert_eq!(code, 1, "{stdout}");
    assert!(
        stderr.starts_with(
            "error: Raft: `spec.length`, v1 to v2: the converter `Wrapped(\"metrs\")` refuses "
        ) && stderr.contains(": no struct can be made with `metrs`: missing field `metres`\n")
            && stderr.contains("error: Raft: the law \"total\" is broken from v1 to v2\n"),
        "{stderr}"
    );
    let row = stdout.lines().find(|line| line.contains("Wrapped")).unwrap();
    let row: Vec<_> = row.split_whitespace().collect();
    assert_eq!(row[..5], ["Wrapped(\"metrs\")", "spec.length", "v1", "to", "v2"], "{stdout}");
    assert_eq!(row[5], row[6], "{stdout}");
}

/// The author's reason, and an object of the author's own that nobody would draw.
#[test]
fn a_reason_is_explained_and_an_example_is_tried() {
    let run = |args: &[&str]| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
        let args = ["sea"].iter().chain(args);
        let code = Cli::new([ResourceType::of::<misspelt::Raft>()]).run_with(args, &mut streams);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (code, text(stdout), text(stderr))
    };
    let (_, explained, _) = run(&["explain"]);
    for way in ["v1", "v2"] {
        let reason = format!("may be refused on the way to {way}: all are numbers");
        assert!(explained.contains(&reason), "{explained}");
    }

    let raft = r#"{"apiVersion":"example.com/v1","kind":"Raft","metadata":{"name":"a"},"spec":{"length":4321,"width":"7"}}"#;
    let example = Path::new(env!("CARGO_TARGET_TMPDIR")).join("an_example_is_tried.json");
    std::fs::write(&example, raft).unwrap();
    let example = example.to_str().unwrap();
    let args = ["roundtrip", "--law", "total", "--cases", "1", "--examples", example];
    let (code, _, stderr) = run(&args);
    assert_eq!(code, 1);
    assert!(stderr.contains("` refuses 1 of 1 values, such as 4321: "), "{stderr}");
}

#[test]
#[should_panic(expected = "no struct can be made with `metrs`: missing field `metres`\n")]
fn the_law_total_names_a_converter_that_takes_nothing() {
    crd_conv::testing::assert_holds::<misspelt::Raft>(crd_conv::testing::Law::Total);
}

#[test]
fn a_long_converter_stands_in_one_line() {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    Cli::new([ResourceType::of::<misspelt::Raft>()]).run_with(["sea", "explain"], &mut streams);
    let stdout = String::from_utf8(stdout).unwrap();
    let row = stdout.lines().find(|line| line.contains("converted by Then::<_, _, String>::new("));
    assert_eq!(row.expect("a row").matches("IntText").count(), 4, "{stdout}");
}

/// A converter with a field that its struct doesn't have, and one that is long.
mod misspelt {
    use crd_conv::Versioned;
    use crd_conv::with::{IntText, Inverse, Then, Wrapped};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct V1 {
        length: Option<i64>,
        width: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = V1)]
    pub(crate) struct V2 {
        #[versioned(with = Wrapped("metrs"))]
        length: Option<Length>,
        #[versioned(with = Then::<_, _, String>::new(
            Then::<_, _, i64>::new(Inverse(IntText), IntText),
            Then::<_, _, i64>::new(Inverse(IntText), IntText),
        ), refuses(upgrade = "all are numbers", downgrade = "all are numbers"))]
        width: String,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Length {
        metres: i64,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "rafts", scope = "Namespaced"))]
    pub(crate) enum Raft {
        V1 {
            spec: V1,
        },
        #[versioned(storage)]
        V2 {
            spec: V2,
        },
    }
}
