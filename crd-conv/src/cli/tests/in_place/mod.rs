//! The command `convert --in-place`.

use std::path::Path;

mod patches;

use super::*;

/// Files in a folder of their own, which are deleted in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Self(scratch(&format!("in-place-{name}")));
        for (name, text) in files {
            let file = folder.0.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        folder
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    #[track_caller]
    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// Runs the command on the folder, and leaves the path out of standard error.
    fn run(&self, args: &[&str]) -> Ran {
        let both = Cli::new([cron_tab(), ResourceType::new(&FULL)]);
        let mut all = vec!["convert", "--in-place"];
        all.extend(args);
        if !args.contains(&"--to") {
            all.extend(["--to", "v1"]);
        }
        let Ran { code, stdout, stderr } = run_cli(both, &[&all[..], &[self.path()]].concat(), "");
        let plain = |text: &str| text.replace(&format!("{}/", self.path()), "");
        Ran { code, stdout: plain(&stdout), stderr: plain(&stderr) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Rewrites one file, and returns it with standard error.
#[track_caller]
fn rewritten(name: &str, text: &str, args: &[&str]) -> (String, String) {
    let folder = Folder::new(name, &[("a.yaml", text)]);
    let Ran { code, stdout, stderr } = folder.run(args);
    assert_eq!((code, &*stdout), (0, ""), "{stderr}");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "no temporary file is left");
    (folder.text("a.yaml"), stderr)
}

/// Expects that nothing is written, and returns standard error.
#[track_caller]
fn refused(name: &str, files: &[(&str, &str)]) -> String {
    let folder = Folder::new(name, files);
    let Ran { code, stdout, stderr } = folder.run(&[]);
    assert_eq!((code, &*stdout), (1, ""), "{stderr}");
    for (name, text) in files {
        assert_eq!(folder.text(name), *text, "{stderr}");
    }
    stderr
}

const DONE: &str = "converted 1 object in 1 file to v1\n";

#[test]
fn only_lines_that_change_do() {
    let text = "\
# Our tables.
---
# another kind, and a strange way to write it
apiVersion:   v1
kind: \"ConfigMap\"
data: {a:   1,
  b: 'x'} # flow


--- # the second
apiVersion: \"example.com/v1beta1\"  # old
kind:   CronTab

# above metadata
metadata:
    name: web # its name
    labels: {  app: 'web'  }
# about the address
hostPort: h:1 # the address
big: 12345678901234567890123
note: |  # a text
   # no comment
   two

# the end
";
    let expected = text
        .replace("\"example.com/v1beta1\"", "\"example.com/v1\"")
        .replace("hostPort: h:1 # the address\n", "host: h # the address\nport: \"1\"\n");
    assert_eq!(rewritten("lines", text, &[]), (expected.clone(), DONE.to_owned()));
    // And back, where two members become one.
    let back = expected.replace("port: \"1\"\n", "port: '1'\n");
    let (back, _) = rewritten("lines-back", &back, &["--to", "v1beta1"]);
    assert_eq!(back, text);
    let dos = text.replace('\n', "\r\n");
    assert_eq!(rewritten("dos", &dos, &[]).0, expected.replace('\n', "\r\n"));
    let marked = format!("\u{feff}{}", text.trim_end());
    let end = format!("\u{feff}{}", expected.trim_end());
    assert_eq!(rewritten("marked", &marked, &[]).0, end);
}

#[test]
fn a_renamed_field_stays_in_its_place() {
    let text = "\
apiVersion: example.com/v1alpha1
kind: Full
metadata:
  name: a
spec:
  # what it does
  jobs: # several
      - extra: 1   # the first
      # the second
      -   extra: 2
          more: [ a,b ]
  zone: x
";
    let (new, stderr) = rewritten("renamed", text, &[]);
    assert_eq!(
        new,
        "\
apiVersion: example.com/v1
kind: Full
metadata:
  name: a
spec:
  # what it does
  tasks: # several
      - extra: 1   # the first
      # the second
      -   extra: 2
          more: [ a,b ]
  zone: x
  replicas: 1
"
    );
    assert_eq!(stderr, DONE);
}

#[test]
fn values_without_room_are_kept_and_said() {
    let text = "apiVersion: example.com/v1alpha1\nkind: Full\nmetadata: {name: a} # c\nspec:\n  # who\n  owner: me\n  jobs: []\n";
    let key = "conversion.example.com/v1alpha1.spec.owner";
    let entry = r#""{\"format\":1,\"peer\":\"v1\",\"keep\":{\"owner\":\"me\"}}""#;
    let (new, stderr) = rewritten("kept", text, &[]);
    assert_eq!(
        new,
        format!(
            "apiVersion: example.com/v1\nkind: Full\nmetadata: {{name: a, annotations: {{{key}: {entry}}}}} # c\nspec:\n  # who\n  tasks: []\n  replicas: 1\n"
        )
    );
    assert_eq!(
        stderr,
        format!(
            "note: `a.yaml`: Full `a` keeps values that v1 has no room for: `{key}`; `--export` would drop them\n{DONE}"
        )
    );
    let (back, _) = rewritten("kept-back", &new, &["--to", "v1alpha1"]);
    assert!(back.contains("  owner: me\n") && !back.contains(key), "{back}");
    let (exported, stderr) = rewritten("exported", text, &["--export"]);
    assert!(!exported.contains("annotations"), "{exported}");
    assert!(stderr.contains("Full `a` loses values that v1 has no room for: `conv"), "{stderr}");
}

#[test]
fn nothing_is_written_if_something_would_be_lost() {
    let owned =
        "# a\n---\napiVersion: example.com/v1alpha1\nkind: Full\nspec:\n  owner: me # the boss\n";
    let fine = "apiVersion: example.com/v1beta1\nkind: CronTab\nhostPort: h:1\n";
    let files = [("a.yaml", fine), ("b.yaml", owned)];
    let end = "error: nothing is written; change these places by hand, or add `--force`, which drops what would be lost\n";
    assert_eq!(
        refused("lost", &files),
        format!("note: \nerror: `b.yaml`, line 6: the comment `# the boss` would be lost\n{end}")
            .replace("note: \n", "note: `b.yaml`: a nameless Full keeps values that v1 has no room for: `conversion.example.com/v1alpha1.spec.owner`; `--export` would drop them\n")
    );
    let folder = Folder::new("forced", &files);
    let Ran { code, stderr, .. } = folder.run(&["--force"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("note: `b.yaml`, line 6: the comment `# the boss` is lost, because the document is rewritten as a whole\n"),
        "{stderr}"
    );
    assert!(stderr.ends_with("converted 2 objects in 2 files to v1\n"), "{stderr}");
    let whole = folder.text("b.yaml");
    assert!(
        whole.starts_with("# a\n---\napiVersion: example.com/v1\nkind: Full\nspec:\n"),
        "{whole}"
    );
    assert_eq!(
        folder.text("a.yaml"),
        "apiVersion: example.com/v1\nkind: CronTab\nhost: h\nport: \"1\"\nmetadata: {}\n"
    );
}

#[test]
fn anchors_and_aliases_are_in_the_way_only_where_something_changes() {
    let head = "apiVersion: example.com/v1beta1\nkind: CronTab\nmetadata: {}\n";
    let lost = |body: &str| {
        let text = format!("{head}{body}");
        let stderr = refused(&format!("alias-{}", body.len()), &[("a.yaml", &text)]);
        stderr.lines().next().unwrap().to_owned()
    };
    let alias = |line| {
        format!("error: `a.yaml`, line {line}: an alias of a value that changes would be lost")
    };
    assert_eq!(lost("x: &h h:1\nhostPort: *h\n"), alias(5));
    assert_eq!(lost("hostPort: &h h:1\nx: *h\n"), alias(5));
    assert_eq!(lost("x: &x {hostPort: h:1}\n# c\n<<: *x\n"), alias(6));
    let (new, _) =
        rewritten("alias", &format!("{head}x: &x {{a: 1}}\ny: *x\nhostPort: h:1\n"), &[]);
    assert!(new.ends_with("x: &x {a: 1}\ny: *x\nhost: h\nport: \"1\"\n"), "{new}");
    let owned = "apiVersion: example.com/v1alpha1\nkind: Full\nspec:\n  owner: &me me\n";
    let stderr = refused("anchor", &[("a.yaml", owned)]);
    assert!(
        stderr.contains("error: `a.yaml`, line 4: the anchor `&me` would be lost\n"),
        "{stderr}"
    );
}

#[test]
fn lists_and_json_keep_what_is_around_their_items() {
    let text = "\
apiVersion: v1
kind: List
items:
# the first
- apiVersion: example.com/v1beta1
  kind: CronTab
  hostPort: h:1 # c
  metadata: {}
- {apiVersion: example.com/v1beta1, kind: CronTab, metadata: {}, hostPort: 'i:2'} # flow
- apiVersion: v1
  kind: Pod
";
    let expected = "\
apiVersion: v1
kind: List
items:
# the first
- apiVersion: example.com/v1
  kind: CronTab
  host: h # c
  port: \"1\"
  metadata: {}
- {apiVersion: example.com/v1, kind: CronTab, metadata: {}, host: 'i', port: \"2\"} # flow
- apiVersion: v1
  kind: Pod
";
    let (new, stderr) = rewritten("list", text, &[]);
    assert_eq!((&*new, &*stderr), (expected, "converted 2 objects in 1 file to v1\n"));
    let object = "{\n  \"apiVersion\" :\"example.com/v1beta1\", \"kind\":\"CronTab\",\n  \"metadata\": {}, \"hostPort\" : \"h:1\"}";
    let new = object
        .replace("v1beta1", "v1")
        .replace("\"hostPort\" : \"h:1\"", "\"host\":\"h\",\"port\":\"1\"");
    let folder = Folder::new("json", &[("a.json", &format!("{object}\n\n {object}"))]);
    assert_eq!(folder.run(&[]).code, 0);
    assert_eq!(folder.text("a.json"), format!("{new}\n\n {new}"));
}

#[test]
fn files_without_a_change_are_not_touched() {
    let old = "apiVersion: example.com/v1beta1\nkind: CronTab\nmetadata: {}\nhostPort: h:1\n";
    let new = "apiVersion: example.com/v1\nkind: CronTab\nmetadata: {}\n";
    let values = "name: a\nlist: [1, 2]\n";
    let ops = "- op: add\n  path: /a\n";
    let folder = Folder::new(
        "untouched",
        &[
            ("a.yaml", old),
            ("b.yaml", new),
            ("values.yaml", values),
            ("ops.yaml", ops),
            ("word.yaml", "word\n"),
        ],
    );
    let times = || {
        ["b.yaml", "values.yaml", "ops.yaml", "word.yaml"]
            .map(|name| fs::metadata(folder.0.join(name)).unwrap().modified().unwrap())
    };
    let before = times();
    let Ran { code, stdout, stderr } = folder.run(&["--dry-run"]);
    assert_eq!((code, &*stderr), (0, "would convert 1 object in 1 file to v1\n"));
    assert!(stdout.starts_with("--- a.yaml\n+++ a.yaml\n"), "{stdout}");
    assert!(stdout.contains("\n-hostPort: h:1\n+host: h\n+port: \"1\"\n"), "{stdout}");
    assert_eq!(folder.text("a.yaml"), old);
    assert_eq!(folder.run(&[]).stderr, DONE);
    assert_ne!(folder.text("a.yaml"), old);
    assert_eq!(times(), before);
    assert_eq!(folder.run(&[]).stderr, "converted 0 objects in 0 files to v1\n");
}

#[cfg(unix)]
#[test]
fn the_target_of_a_link_is_replaced_with_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let old = "apiVersion: example.com/v1beta1\nkind: CronTab\nmetadata: {}\n";
    let folder = Folder::new("link", &[("deep/a.yaml", old)]);
    let (link, real) = (folder.0.join("a.yaml"), folder.0.join("deep/a.yaml"));
    symlink("deep/a.yaml", &link).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(folder.run(&[]).stderr.ends_with(DONE));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(folder.text("deep/a.yaml").contains("example.com/v1\n"));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = Folder::new("usage", &[("a.yaml", "kind: Pod\napiVersion: v1\n")]);
    for more in ["--as-server", "--format=json"] {
        assert_eq!(folder.run(&[more]).code, 2);
    }
    for args in
        [&["convert", "--to", "v1", "--in-place"][..], &["convert", "--to", "v1", "--force", "a"]]
    {
        assert_eq!(run(args, "").code, 2);
    }
    assert!(fails(&["convert", "--to", "v1", "--in-place", "-"], "").contains("standard input"));
    assert!(folder.run(&[]).stderr.contains("no object of CronTab"));
    fs::write(folder.0.join("b.yaml"), "a: {{ .Values.x }}\n").unwrap();
    assert!(folder.run(&[]).stderr.contains("template"));
    assert!(Path::new(folder.path()).exists());
}
