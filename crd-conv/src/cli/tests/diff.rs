//! The command `diff`.

use super::*;

/// A document with these fields below `.spec`, as YAML.
fn boxes(fields: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: boxes.example.com}}\n\
         spec:\n  group: example.com\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      \
         openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{{fields}}}}}}}}}\n"
    )
}

/// A release without `owner`, and the release before.
struct Releases {
    folder: PathBuf,
}

impl Releases {
    fn new(name: &str) -> Self {
        let folder = scratch(name);
        fs::write(folder.join("old.yaml"), boxes("owner: {type: string}")).unwrap();
        fs::write(folder.join("new.yaml"), boxes("size: {type: integer}")).unwrap();
        Self { folder }
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Compares them, with an accept list.
    fn accepting(&self, list: &str, more: &[&str]) -> Ran {
        let file = self.file("accepted.yaml");
        fs::write(&file, list).unwrap();
        let (old, new) = (self.file("old.yaml"), self.file("new.yaml"));
        let args = ["diff", "--accept", &file, &old, &new];
        let mut ran = run(&[&args[..], more].concat(), "");
        ran.stderr = ran.stderr.replace(&*file, "accepted.yaml");
        ran
    }
}

impl Drop for Releases {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).unwrap();
    }
}

const OWNER: &str = "\
# The removal of a field that nobody set.
- resource: boxes.example.com
  kind: field-removed
  version: v1
  path: .spec.owner
  reason: no client sets it
  until: 9999-12-31
";

const OPEN: &str = "\
boxes.example.com: 1 breaking, 0 risky, 1 safe
  breaking: v1: .spec.owner: it is gone: the API server drops its value, with at most a warning; keep it in this version, and remove it in a new one
  safe: v1: .spec.size: it is new
";

#[test]
fn an_accepted_change_is_reported_and_does_not_fail() {
    let releases = Releases::new("accepted");
    let Ran { code, stdout, stderr } = releases.accepting("", &[]);
    assert_eq!((code, &*stdout, &*stderr), (1, OPEN, "error: 1 change is breaking\n"));
    let Ran { code, stdout, stderr } = releases.accepting(OWNER, &["--deny", "risky"]);
    let accepted = "it is gone: the API server drops its value, with at most a warning; accepted until 9999-12-31: no client sets it";
    assert_eq!(
        stdout,
        format!(
            "boxes.example.com: 0 breaking, 0 risky, 1 safe, 1 accepted\n  safe: v1: .spec.size: it is new\n  \
             accepted, breaking: v1: .spec.owner: {accepted}\n"
        )
    );
    assert_eq!((code, &*stderr), (0, ""));
    let markdown = releases.accepting(OWNER, &["--format", "markdown"]).stdout;
    let row = format!("| breaking, accepted | v1 | `.spec.owner` | {accepted} |\n");
    assert!(markdown.contains(&row), "{markdown}");
    let json = releases.accepting(OWNER, &["--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["changes"][0]["accepted"]["reason"], "no client sets it");
    assert_eq!(json[0]["changes"][1].get("accepted"), None);
}

#[test]
fn an_entry_expires_and_names_one_change() {
    let releases = Releases::new("expired");
    let expired = OWNER.replace("9999", "2020");
    let Ran { code, stdout, stderr } = releases.accepting(&expired, &[]);
    assert_eq!((code, &*stdout), (1, OPEN));
    assert_eq!(
        stderr,
        "warning: `accepted.yaml`: the entry for `field-removed` of boxes.example.com: v1: .spec.owner has expired on 2020-12-31, so it accepts \
         nothing: no client sets it\nerror: 1 change is breaking\n"
    );
    for (own, other, named) in [
        ("boxes", "crates", "`field-removed` of crates.example.com: v1: .spec.owner"),
        ("field-removed", "map-removed", "`map-removed` of boxes.example.com: v1: .spec.owner"),
        ("  version: v1\n", "", "`field-removed` of boxes.example.com: .spec.owner"),
        (".spec.owner", ".spec", "`field-removed` of boxes.example.com: v1: .spec"),
        // An expired entry without a change is only a note, too.
        (
            ".spec.owner\n  reason: no client sets it\n  until: 9999",
            ".spec\n  reason: a\n  until: 2020",
            "`field-removed` of boxes.example.com: v1: .spec",
        ),
    ] {
        let list = OWNER.replace(own, other);
        assert_ne!(list, OWNER, "the premise");
        let Ran { code, stdout, stderr } = releases.accepting(&list, &[]);
        assert_eq!((code, &*stdout), (1, OPEN));
        let note = format!("note: `accepted.yaml`: there is no change {named}: remove the entry\n");
        assert_eq!(stderr, note + "error: 1 change is breaking\n");
    }
}

#[test]
fn an_entry_of_another_resource_is_left_alone() {
    let releases = Releases::new("others");
    let crd = succeeds(&["crd"], "");
    for file in ["old.yaml", "new.yaml"] {
        fs::write(releases.file(file), &crd).unwrap();
    }
    assert!(releases.accepting(OWNER, &[]).stderr.starts_with("note: "));
    let Ran { code, stderr, .. } = releases.accepting(OWNER, &["--resource", "CronTab"]);
    assert_eq!((code, &*stderr), (0, ""));
}

#[test]
fn a_wrong_list_is_an_error() {
    let releases = Releases::new("wrong");
    for (own, other, error) in [
        (
            "field-removed",
            "field-remove",
            "entry 1: there is no kind of change `field-remove`; did you mean `field-removed`?",
        ),
        ("field-removed", "x", "entry 1: there is no kind of change `x`"),
        (
            "no client sets it",
            "' '",
            "entry 1: `reason` is empty: write why the change is acceptable",
        ),
        ("  reason: no client sets it\n", "", "entry 1: missing field `reason`"),
        ("  until: 9999-12-31\n", "", "entry 1: missing field `until`"),
        (
            "9999-12-31",
            "2023-02-29",
            "entry 1: `until` is `2023-02-29`: write a day such as 2030-12-31",
        ),
        (
            "  version",
            "  versions",
            "entry 1: unknown field `versions`, expected one of `resource`, `kind`, `version`, `path`, `reason`, `until`",
        ),
    ] {
        let list = OWNER.replace(own, other);
        assert_ne!(list, OWNER, "the premise");
        let Ran { code, stdout, stderr } = releases.accepting(&list, &[]);
        assert_eq!((code, &*stdout), (1, ""), "{other}");
        assert_eq!(stderr, format!("error: `accepted.yaml`: {error}\n"));
    }
    let stderr = releases.accepting("a: b", &[]).stderr;
    assert_eq!(stderr, "error: `accepted.yaml` isn't a list of accepted changes\n");
    let missing = fails(&["diff", "--accept", "/nowhere", "-"], &boxes(""));
    assert!(missing.contains("can't read `/nowhere`"), "{missing}");
}

#[test]
fn a_source_that_is_no_file() {
    let said = fails(&["diff", "git:main", "-"], "");
    assert!(said.contains("`git:main`: write `git:REF:PATH`"), "{said}");
    #[cfg(not(feature = "kube"))]
    {
        let said = fails(&["diff", "kube:boxes.example.com"], "");
        assert!(said.contains("`kube:boxes.example.com` needs the feature `kube`"), "{said}");
    }
    #[cfg(feature = "kube")]
    {
        let said = fails(&["diff", "kube:Boxes/x"], "");
        assert!(said.contains("write `kube:NAME`"), "{said}");
        let config = ["--kubeconfig", "/nowhere/config"];
        let said = fails(&[&["diff", "kube:boxes.example.com"], &config[..]].concat(), "");
        assert!(said.contains("the kubeconfig `/nowhere/config` can't be used"), "{said}");
    }
}

#[test]
fn a_test_report() {
    let releases = Releases::new("junit");
    let Ran { code, stdout, .. } = releases.accepting("", &["--format", "junit"]);
    let report = |counts: &str, outcome: &str| {
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="crd-conv diff" {counts}>
  <testsuite name="boxes.example.com" {counts}>
    <testcase classname="boxes.example.com" name="field-removed v1 .spec.owner">
      {outcome}
    </testcase>
    <testcase classname="boxes.example.com" name="field-added v1 .spec.size">
      <system-out>safe: it is new</system-out>
    </testcase>
  </testsuite>
</testsuites>
"#
        )
    };
    let failure = r#"<failure message="breaking: it is gone: the API server drops its value, with at most a warning; keep it in this version, and remove it in a new one" type="field-removed"/>"#;
    assert_eq!(stdout, report(r#"tests="2" skipped="0" errors="0" failures="1""#, failure));
    assert_eq!(code, 1);
    let list = OWNER.replace("no client", "'\"nobody\" & <none>'");
    let Ran { code, stdout, .. } =
        releases.accepting(&list.replace("' sets it", " sets it'"), &["--format", "junit"]);
    let skipped = r#"<skipped message="accepted until 9999-12-31: &quot;nobody&quot; &amp; &lt;none&gt; sets it"/>"#;
    assert_eq!(stdout, report(r#"tests="2" skipped="1" errors="0" failures="0""#, skipped));
    assert_eq!(code, 0);
    let same = releases.file("new.yaml");
    let stdout = succeeds(&["diff", "--format", "junit", &same, &same], "");
    assert!(
        stdout.contains(r#"<testcase classname="boxes.example.com" name="no findings"/>"#),
        "{stdout}"
    );
}

#[test]
fn a_log_for_code_scanning() {
    let releases = Releases::new("sarif");
    let read = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
    let log = read(&releases.accepting(OWNER, &["--format", "sarif"]).stdout);
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!((&log["version"], &result["ruleId"]), (&"2.1.0".into(), &"field-removed".into()));
    assert_eq!(result["level"], "error");
    assert_eq!(
        result["suppressions"][0]["justification"],
        "accepted until 9999-12-31: no client sets it"
    );
    let uri =
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/new.yaml"), "{uri}");
    assert!(
        result["message"]["text"]
            .as_str()
            .unwrap()
            .starts_with("boxes.example.com: v1 .spec.owner: breaking: ")
    );
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["field-added", "field-removed"]);
    assert!(rules[1]["help"]["text"].as_str().unwrap().starts_with("field-removed\n  breaking: "));
    let open = read(&releases.accepting("", &["--format", "sarif"]).stdout);
    assert_eq!(open["runs"][0]["results"][0].get("suppressions"), None);
}
