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
