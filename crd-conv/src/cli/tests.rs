use std::{fs, path::PathBuf};

use super::{Cli, args::ExplainArgs, output::Streams};
use crate::{
    Resource,
    crd::{
        Webhook,
        fixture::{FULL, cron_tab},
    },
};

struct Ran {
    code: u8,
    stdout: String,
    stderr: String,
}

fn run_cli(cli: Cli, args: &[&str], stdin: &str) -> Ran {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { stdin: &mut stdin.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    let code = cli.run_with(["operator"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code, stdout: text(stdout), stderr: text(stderr) }
}

fn cli() -> Cli {
    Cli::new([cron_tab()]).webhook(Webhook::service("default", "webhook").path("/convert"))
}

/// The resource is the one in the documentation, which stores a version that isn't preferred. The
/// note about that is left out.
fn run(args: &[&str], stdin: &str) -> Ran {
    let mut ran = run_cli(cli(), args, stdin);
    let is_said = |line: &&str| !line.starts_with(PREFERENCE);
    ran.stderr = ran.stderr.split_inclusive('\n').filter(is_said).collect();
    ran
}

const PREFERENCE: &str =
    "note: crontabs.example.com: `v1beta1` is stored, and the API server prefers `v1`: ";

#[track_caller]
fn succeeds(args: &[&str], stdin: &str) -> String {
    let Ran { code, stdout, stderr } = run(args, stdin);
    assert_eq!((code, stderr.as_str()), (0, ""));
    stdout
}

/// Expects one sentence on standard error and nothing on standard output.
#[track_caller]
fn fails(args: &[&str], stdin: &str) -> String {
    let Ran { code, stdout, stderr } = run(args, stdin);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.starts_with("error: ") && stderr.trim_end().lines().count() == 1, "{stderr}");
    stderr
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("crd-conv-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

mod crd {
    use super::*;

    #[test]
    fn labels_and_annotations_are_those_of_the_command_line_too() {
        let plain = succeeds(&["crd"], "");
        let inject = "cert-manager.io/inject-ca-from=default/webhook";
        let options = ["--annotation", inject, "--label", "app=x", "--label", "app=boats"];
        let text = succeeds(&[&["crd"], &options[..]].concat(), "");
        let added: Vec<_> =
            text.lines().filter(|line| !plain.lines().any(|old| old == *line)).collect();
        for line in ["    app: boats", "    cert-manager.io/inject-ca-from: default/webhook"] {
            assert!(added.contains(&line), "{added:?}");
        }
        assert!(plain.lines().all(|line| text.contains(line)), "{text}");

        for (option, pair, said) in [
            ("--label", "-a=b", "metadata.labels"),
            ("--label", "a=b c", "metadata.labels"),
            ("--annotation", "a b=c", "metadata.annotations"),
            ("--annotation", "=c", "metadata.annotations"),
        ] {
            let option = format!("{option}={pair}");
            let Ran { code, stdout, stderr } = run(&["crd", &option], "");
            assert_eq!((code, stdout.as_str()), (1, ""), "{option}: {stderr}");
            assert!(stderr.contains(said), "{option}: {stderr}");
        }
        let Ran { code, stderr, .. } = run(&["crd", "--label", "app"], "");
        assert_eq!(code, 2);
        assert!(stderr.contains("write KEY=VALUE"), "{stderr}");
    }

    #[test]
    fn options_win_over_what_the_program_declares() {
        let declared = succeeds(&["crd"], "");
        assert!(declared.contains("name: webhook\n"), "{declared}");
        let with = succeeds(
            &["crd", "--service-name", "other", "--service-port", "8443", "--review-version", "v1"],
            "",
        );
        for part in ["name: other\n", "namespace: default\n", "path: /convert\n", "port: 8443\n"] {
            assert!(with.contains(part), "{part}{with}");
        }
        assert!(!with.contains("  - v1beta1\n"));
        let url = succeeds(&["crd", "--url", "https://example.com/convert"], "");
        assert!(url.contains("url: https://example.com/convert\n") && !url.contains("service:"));
        assert!(fails(&["crd", "--url", "http://example.com"], "").contains("https://"));
    }

    #[test]
    fn a_missing_webhook_and_several_resources() {
        let Ran { code, stdout, stderr } =
            run_cli(Cli::new([cron_tab(), Resource::new(&FULL)]), &["crd"], "");
        assert_eq!((code, stdout.as_str()), (1, ""));
        assert_eq!(
            stderr.lines().filter(|line| line.starts_with("error: ")).count(),
            2,
            "{stderr}"
        );
        assert!(stderr.contains("crontabs.example.com: the versions differ"), "{stderr}");
        let two = || Cli::new([cron_tab(), cron_tab()]);
        let options = ["crd", "--service-name", "a", "--service-namespace", "b"];
        let both = run_cli(two(), &options, "");
        assert_eq!((both.code, both.stdout.matches("\n---\n").count()), (0, 1), "{}", both.stderr);
        let missing = run_cli(two(), &options[..3], "");
        assert!(missing.stderr.contains("--service-namespace"), "{}", missing.stderr);
    }

    #[test]
    fn one_resource_and_json() {
        assert_eq!(succeeds(&["crd", "--resource", "crontab"], ""), succeeds(&["crd"], ""));
        let json = succeeds(&["crd", "--resource", "crontabs.example.com", "--format", "json"], "");
        assert!(json.starts_with("{\n  \"apiVersion\""), "{json}");
        assert!(fails(&["crd", "--resource", "x"], "").contains("CronTab in example.com"));
    }

    #[test]
    fn a_file_is_written_and_checked() {
        let folder = scratch("check");
        let file = folder.join("crd.yaml");
        let name = file.to_str().unwrap();
        assert!(fails(&["crd", "--check", name], "").contains("--write"));
        assert_eq!(succeeds(&["crd", "--write", name], ""), "");
        assert_eq!(succeeds(&["crd", "--check", name], ""), "");
        let good = fs::read_to_string(&file).unwrap();
        assert_eq!(good, succeeds(&["crd"], ""));

        fs::write(&file, good.replacen("crontab\n", "crontap\n", 1)).unwrap();
        let Ran { code, stdout, stderr } = run(&["crd", "--check", name], "");
        assert_eq!(code, 1);
        assert!(stdout.contains("-    singular: crontap\n+    singular: crontab\n"), "{stdout}");
        assert!(stdout.contains("+++ generated"), "{stdout}");
        assert!(stderr.contains("--write") && stderr.trim_end().lines().count() == 1, "{stderr}");

        // A file that another tool has rewritten, and a file that isn't YAML any more.
        let documents = crate::yaml::to_json(&good).unwrap();
        fs::write(&file, format!("# Generated.\n---\n{}\n", documents[0])).unwrap();
        assert_eq!(succeeds(&["crd", "--check", name], ""), "");
        let edited = documents[0].replacen("\"crontab\"", "\"crontap\"", 1);
        fs::write(&file, format!("# Generated.\n---\n{edited}\n")).unwrap();
        let Ran { code, stdout, .. } = run(&["crd", "--check", name], "");
        let edits = stdout.lines().filter(|line| line.starts_with(['-', '+']));
        assert_eq!((code, edits.count()), (1, 4), "{stdout}");
        assert!(stdout.contains("-    singular: crontap\n+    singular: crontab\n"), "{stdout}");
        fs::write(&file, good.replacen("spec:", "spec: {", 1)).unwrap();
        let Ran { code, stdout, .. } = run(&["crd", "--check", name], "");
        assert!(code == 1 && stdout.contains("-spec: {\n+spec:\n"), "{stdout}");

        succeeds(&["crd", "--write", name], "");
        assert_eq!(fs::read_to_string(&file).unwrap(), good);
        let json = folder.join("crd.json");
        succeeds(&["crd", "--write", json.to_str().unwrap()], "");
        assert!(fs::read_to_string(&json).unwrap().starts_with('{'));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing temporary is left");
        let nowhere = folder.join("no/such/crd.yaml");
        assert!(fails(&["crd", "--write", nowhere.to_str().unwrap()], "").contains("can't write"));
        fs::remove_dir_all(folder).unwrap();
    }
}

mod convert {
    use super::*;

    const OLD: &str = r#"{"apiVersion": "example.com/v1beta1", "kind":"CronTab","metadata":{},"big": 12345678901234567890123,"hostPort":"h:1"}"#;

    #[test]
    fn json_passes_byte_for_byte() {
        let out = succeeds(&["convert", "--to", "v1"], &format!("{OLD}\n {OLD}"));
        let new = r#"{"apiVersion": "example.com/v1", "kind":"CronTab","metadata":{},"big": 12345678901234567890123,"host":"h","port":"1"}"#;
        assert_eq!(out, format!("{new}\n{new}\n"));
        assert_eq!(succeeds(&["convert", "--to", "example.com/v1beta1"], OLD), format!("{OLD}\n"));
    }

    #[test]
    fn yaml_in_several_documents_keeps_its_numbers() {
        let yaml = "apiVersion: example.com/v1beta1\nkind: CronTab\nf: 1.10\nmetadata: {}\nhostPort: on:1\n---\n---\nkind: CronTab\napiVersion: example.com/v1\nmetadata: {}\nhost: a\nport: '2'\n";
        assert_eq!(
            succeeds(&["convert", "--to", "v1"], yaml),
            "apiVersion: example.com/v1\nkind: CronTab\nf: 1.10\nmetadata: {}\nhost: \"on\"\nport: \"1\"\n---\nkind: CronTab\napiVersion: example.com/v1\nmetadata: {}\nhost: a\nport: \"2\"\n"
        );
        assert!(succeeds(&["convert", "--to", "v1", "--format", "json"], yaml).starts_with('{'));
        assert_eq!(
            succeeds(
                &["convert", "--to", "v1"],
                "{apiVersion: example.com/v1, kind: CronTab, metadata: {}}"
            ),
            "apiVersion: example.com/v1\nkind: CronTab\nmetadata: {}\n"
        );
    }

    #[test]
    fn comments_that_are_lost_are_said() {
        for (more, is_said) in [
            ("# ours", true),
            ("f: 1 # ours", true),
            ("f:\n  # ours\n  g: 1", true),
            ("f: |\n  # a script's\n  run", false),
            ("f:\n- >-\n  # a text's", false),
            ("f: |\n  # a script's\ng: 1 # ours", true),
            ("f: '# none'", false),
            ("f: 'it''s # none'", false),
            (r#"f: "a\" # none""#, false),
            ("f: \"a\" # ours", true),
            ("f: it's # ours", true),
            ("f: [\"a\", 'b'] # ours", true),
            ("f: a#b  ", false),
        ] {
            let yaml = format!(
                "apiVersion: example.com/v1beta1\nkind: CronTab\nmetadata: {{}}\nhostPort: h:1\n{more}\n"
            );
            let Ran { code, stderr, .. } = run(&["convert", "--to", "v1"], &yaml);
            let said = if is_said { "note: the comments in standard input are lost\n" } else { "" };
            assert_eq!((code, &*stderr), (0, said), "{more}");
            succeeds(&["convert", "--to", "v1", "--format", "json"], &yaml);
        }
    }

    #[test]
    fn a_folder_stands_for_the_objects_in_it() {
        let folder = scratch("folder");
        let name = folder.to_str().unwrap();
        fs::write(folder.join("notes.txt"), "nothing").unwrap();
        let error = fails(&["convert", "--to", "v1", name], "");
        assert!(error.contains("has no file that ends with .json, .yaml or .yml"), "{error}");
        fs::write(folder.join("b.json"), OLD.replace("h:1", "b:1")).unwrap();
        fs::write(folder.join("a.json"), OLD.replace("h:1", "a:1")).unwrap();
        let converted = succeeds(&["convert", "--to", "v1", name], "");
        let places = [r#""host":"a""#, r#""host":"b""#].map(|host| converted.find(host).unwrap());
        assert!(places[0] < places[1], "in the order of their names: {converted}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_items_of_a_list_are_converted_where_they_stand() {
        let list = |item: &str| {
            format!(
                r#"{{ "apiVersion":"v1", "items" : [ {item} ,{item}], "kind":"List","metadata":{{}} }}"#
            )
        };
        let new =
            OLD.replace("v1beta1", "v1").replace(r#""hostPort":"h:1""#, r#""host":"h","port":"1""#);
        assert_eq!(succeeds(&["convert", "--to", "v1"], &list(OLD)), list(&new) + "\n");
    }

    #[test]
    fn export_takes_the_carrier_out() {
        let object = r#"{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a","annotations":{"conversion.example.com/v1beta1.x":"{}"}}}"#;
        let kept = succeeds(&["convert", "--to", "v1"], object);
        assert!(kept.contains("conversion.example.com"), "{kept}");
        let out = succeeds(&["convert", "--to", "v1", "--export"], object);
        assert!(!out.contains("conversion.example.com"), "{out}");
    }

    #[test]
    fn a_failure_is_one_sentence_and_prints_nothing() {
        let bad = OLD.replace("h:1", "nonsense").replace("{}", r#"{"name":"a","namespace":"b"}"#);
        let error = fails(&["convert", "--to", "v1"], &format!("{OLD}{bad}"));
        assert!(error.contains("b/a") && error.contains("hostPort"), "{error}");
        for (input, part) in [
            ("", "no object"),
            ("{", "isn't JSON"),
            ("[]", "isn't an object"),
            ("3", "isn't an object"),
            ("{}", "no `apiVersion`"),
            ("a: b: c", "not readable as YAML"),
            (r#"{"apiVersion":"v1","kind":"Pod"}"#, "CronTab in example.com"),
            (r#"{"apiVersion":"v1","kind":"List","items":3}"#, "items"),
            (r#"{"apiVersion":"v1","kind":"List","items":[3]}"#, "item"),
        ] {
            let error = fails(&["convert", "--to", "v1"], input);
            assert!(error.contains(part), "{input}: {error}");
        }
        assert!(fails(&["convert", "--to", "v7"], OLD).contains("v7"));
        assert!(fails(&["convert", "--to", "v1", "/no/such/file"], "").contains("/no/such/file"));
        let huge = OLD.replace("12345678901234567890123", "1e400");
        assert!(succeeds(&["convert", "--to", "v1"], &huge).contains("1e400"));
        assert!(
            fails(&["convert", "--to", "v1", "--format", "yaml"], &huge).contains("--format json")
        );
    }
}

#[test]
fn a_failed_review_is_printed_like_a_successful_one() {
    let review = |host_port: &str| {
        format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{{"uid":"7","desiredAPIVersion":"example.com/v1","objects":[{{"apiVersion":"example.com/v1beta1","kind":"CronTab","hostPort":"{host_port}"}}]}}}}"#
        )
    };
    assert!(succeeds(&["review"], &review("h:1")).contains("Success"));
    let failed = succeeds(&["review", "-"], &review("nonsense"));
    assert!(failed.contains("Failed") && failed.ends_with("}\n"), "{failed}");
    fails(&["review"], "nonsense");
    fails(&["review", "/no/such/file"], "");
}

#[test]
fn explain_shows_every_field_of_every_hop() {
    assert_eq!(
        succeeds(&["explain"], ""),
        "\
CronTab in example.com: v1beta1, v1

v1beta1 to v1
  v1beta1            v1             mapping                what the other version can't say is kept in
  -----------------  -------------  ---------------------  -------------------------------------------
  .hostPort: String  .host: String  converted by HostPort  conversion.example.com/v1beta1.hostPort
                     .port: String                         conversion.example.com/v1.host
"
    );
    let full = run_cli(Cli::new([Resource::new(&FULL)]), &["explain"], "").stdout;
    for part in [
        ".spec.jobs: Vec<Inner>       .spec.tasks: Vec<Inner>      renamed",
        ".spec.tasks.limit: i32       added, value 4  conversion.example.com/v1.spec.tasks.limit",
        "removed         conversion.example.com/v1alpha1.spec.owner",
        ".status: Option<v1::Status>  added           conversion.example.com/v1.status",
    ] {
        assert!(full.contains(part), "{part}\n{full}");
    }
    assert_eq!(succeeds(&["explain", "--from", "v1", "--to", "v1"], "").lines().count(), 1);
    assert!(fails(&["explain", "--to", "v7"], "").contains("v1beta1, v1"));
}

#[test]
fn explain_fits_the_terminal() {
    let explained = |columns| {
        let args = ExplainArgs::default();
        super::explain::run(&[cron_tab()], &args, Some(columns)).ok().unwrap().stdout
    };
    let table = succeeds(&["explain"], "");
    let widest = table.lines().map(str::len).max().unwrap();
    assert_eq!(explained(widest), table);
    assert_eq!(
        explained(widest - 1),
        "\
CronTab in example.com: v1beta1, v1

v1beta1 to v1
  converted by HostPort
    v1beta1  .hostPort: String
    v1       .host: String
             .port: String
    kept in  conversion.example.com/v1beta1.hostPort
             conversion.example.com/v1.host
"
    );
}

#[test]
fn help_and_mistakes_are_claps() {
    let help = run(&["--help"], "");
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    assert!(help.stdout.contains("Usage: operator <COMMAND>"), "{}", help.stdout);
    for args in [&["nonsense"][..], &[], &["convert"], &["crd", "--check", "a", "--write", "b"]] {
        let Ran { code, stdout, stderr } = run(args, "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.contains("Usage: operator"), "{stderr}");
    }
}

#[test]
fn annotations_that_nothing_reads_any_more_are_named() {
    let file = std::env::temp_dir().join(format!("crd-conv-explain-{}.txt", std::process::id()));
    let name = file.to_str().unwrap();
    succeeds(&["explain", "--write", name], "");
    assert_eq!(succeeds(&["explain", "--check", name], ""), "");
    let now = std::fs::read_to_string(&file).unwrap();
    assert_eq!(now, succeeds(&["explain"], ""));
    let key = now.split_whitespace().find(|word| word.starts_with("conversion.")).unwrap();
    std::fs::write(&file, now.replace(key, "conversion.example.com/v1.spec.before")).unwrap();
    let Ran { code, stdout, stderr } = run(&["explain", "--check", name], "");
    assert_eq!(code, 1);
    assert!(stdout.contains(key), "{stdout}");
    assert!(
        stderr.contains("values in `conversion.example.com/v1.spec.before`, which"),
        "{stderr}"
    );
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_closed_pipe_is_no_error() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut stderr = Vec::new();
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut Closed, stderr: &mut stderr };
    assert_eq!(cli().run_with(["operator", "explain"], &mut streams), 0);
    assert!(stderr.is_empty());
}

#[test]
fn a_stored_version_that_is_not_the_preferred_one_is_noted() {
    let object = "{apiVersion: example.com/v1, kind: CronTab, host: a, port: '1'}";
    for (args, stdin) in [(&["crd"][..], ""), (&["check"], object)] {
        let Ran { code, stdout, stderr } = run_cli(cli(), args, stdin);
        assert!(code == 0 && !stdout.contains("is stored"), "{args:?}: {stdout}");
        assert!(stderr.starts_with(PREFERENCE) && stderr.lines().count() == 1, "{stderr}");
    }
    // The note doesn't matter for policies.
    let both = Cli::new([cron_tab()]).webhook(Webhook::service("a", "b"));
    assert!(!run_cli(both, &["crd", "--policies"], "").stderr.contains(PREFERENCE));
}

mod verify {
    use super::*;
    use crate::cli::run_plain_with;

    const BAD: &str = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n\
        apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boxes.example.com}\nspec: {}\n";
    const REFUSED: &str = "the API server refuses 1 of 1 CustomResourceDefinitions\n";

    #[test]
    fn what_crd_prints_is_taken() {
        let printed = succeeds(&["crd"], "");
        assert_eq!(
            succeeds(&["verify", "-"], &printed),
            "crontabs.example.com: the API server accepts it\n"
        );
    }

    #[test]
    fn refusals_and_files_without_any_definition() {
        let Ran { code, stdout, stderr } = run(&["verify", "-"], BAD);
        assert_eq!(code, 1);
        assert!(stdout.contains("\n  spec.group: required: write the API group"), "{stdout}");
        assert_eq!(stderr.strip_prefix("error: "), Some(REFUSED));
        assert!(
            fails(&["verify", "-"], "kind: Namespace\n").contains("no CustomResourceDefinition")
        );
        assert!(fails(&["verify", "-"], "{").contains("`-`"));
        assert!(fails(&["verify", "/nowhere"], "").contains("can't read `/nowhere`"));
        assert_eq!(run(&["verify"], "").code, 2);
    }

    #[test]
    fn a_folder_stands_for_the_definitions_in_it() {
        let folder = scratch("definitions");
        let name = folder.to_str().unwrap();
        fs::write(folder.join("values.yaml"), "replicas: 1\n").unwrap();
        let error = fails(&["verify", name], "");
        assert!(error.contains("definitions` holds no CustomResourceDefinition"), "{error}");
        fs::write(folder.join("crd.yaml"), BAD).unwrap();
        let Ran { code, stdout, stderr } = run(&["verify", "--format", "json", name], "");
        assert_eq!((code, stderr.contains("1 of 1")), (1, true), "{stderr}");
        assert!(stdout.contains("crd.yaml"), "{stdout}");
        assert_eq!(succeeds(&["diff", name, name], ""), succeeds(&["diff", "-", name], BAD));
        fs::write(folder.join("kustomization.yaml"), "kind: Kustomization\n").unwrap();
        let error = fails(&["verify", name], "");
        assert!(error.contains("kustomization.yaml` is a Kustomization"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_in_a_folder_are_named() {
        let folder = scratch("nested");
        let inner = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let (name, bases, patches) = (folder.to_str().unwrap(), inner("bases"), inner("patches"));
        for folder in ["bases/v1", "patches", ".git"] {
            fs::create_dir_all(inner(folder)).unwrap();
        }
        let why = "because subfolders are skipped";
        let both = format!("`{bases}` and `{patches}` aren't read, {why}: name them, too\n");
        let one = format!("`{bases}/v1` isn't read, {why}: name it, too\n");
        let error = fails(&["verify", name], "");
        assert!(error.ends_with(&format!("ends with .json, .yaml or .yml; {both}")), "{error}");
        fs::write(inner("values.yaml"), "replicas: 1\n").unwrap();
        let error = fails(&["verify", name], "");
        assert!(error.ends_with(&format!("no CustomResourceDefinition; {both}")), "{error}");

        for file in ["crd.yaml", "bases/crd.yaml", "patches/crd.yaml"] {
            fs::write(inner(file), BAD).unwrap();
        }
        let stderr = run(&["verify", name], "").stderr;
        assert_eq!(stderr.strip_prefix(&format!("note: {both}error: ")), Some(REFUSED), "{stderr}");
        let stderr = run(&["verify", name, &bases, &patches], "").stderr;
        assert!(stderr.starts_with(&format!("note: {one}error: ")), "{stderr}");
        assert!(run(&["verify", &patches], "").stderr.starts_with("error: "));
        let stderr = run(&["diff", name, &bases], "").stderr;
        assert_eq!(stderr, format!("note: {both}note: {one}"));
        fs::remove_file(inner("values.yaml")).unwrap();
        let error = fails(&["convert", "--to", "v1", name], "");
        assert!(error.ends_with(&format!("; {both}")), "{error}");

        for folder in ["c", "d", "e"] {
            fs::create_dir_all(inner(folder)).unwrap();
        }
        let stderr = run(&["verify", name], "").stderr;
        assert!(stderr.contains("/d` and 2 more folders aren't read, "), "{stderr}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn lists_of_definitions() {
        let list = r#"{"kind":"List","items":[{"kind":"CustomResourceDefinition"},{"kind":"CustomResourceDefinition"}]}"#;
        let Ran { code, stderr, .. } = run(&["verify", "-"], list);
        assert_eq!((code, stderr.contains("2 of 2")), (1, true), "{stderr}");
    }

    #[test]
    fn without_any_types() {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut BAD.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
        assert_eq!(run_plain_with(["crd-conv", "verify", "-"], &mut streams), 1);
        assert_eq!(String::from_utf8(stdout).unwrap(), run(&["verify", "-"], BAD).stdout);
    }
}

#[cfg(feature = "kube")]
mod cluster {
    use super::*;

    #[test]
    fn a_kubeconfig_that_is_not_there_is_named() {
        let said = fails(&["install", "--kubeconfig", "/nowhere/config"], "");
        assert!(said.contains("the kubeconfig `/nowhere/config` can't be used"), "{said}");
    }

    #[test]
    fn what_the_definition_lacks_is_said_before_any_cluster_is_asked() {
        let cli = Cli::new([cron_tab()]);
        let Ran { code, stderr, .. } =
            run_cli(cli, &["install", "--kubeconfig", "/nowhere/config"], "");
        assert_eq!(code, 1);
        assert!(stderr.contains("crontabs.example.com: the versions differ"), "{stderr}");
    }

    #[cfg(feature = "serve")]
    #[test]
    fn a_secret_has_a_namespace_and_needs_a_certificate_of_our_own() {
        for (args, said) in [
            (&["--self-signed", "--secret", "tls"][..], "write NAMESPACE/NAME"),
            (&["--self-signed", "--secret", "/tls"], "write NAMESPACE/NAME"),
            (&["--cert", "a", "--key", "b", "--secret", "n/tls"], "cannot be used with"),
            (&["--secret", "n/tls"], "--self-signed"),
        ] {
            let Ran { code, stderr, .. } = run(&[&["serve"], args].concat(), "");
            assert_eq!(code, 2, "{stderr}");
            assert!(stderr.contains(said), "{stderr}");
        }
        let args = ["--self-signed", "--secret", "n/tls", "--kubeconfig", "/nowhere/config"];
        let said = fails(&[&["serve"], &args[..]].concat(), "");
        assert!(said.contains("the kubeconfig `/nowhere/config` can't be used"), "{said}");
    }
}

#[cfg(feature = "migrate")]
mod migrate {
    use super::*;

    #[test]
    fn a_cluster_that_is_not_there_is_one_error() {
        let missing = ["--kubeconfig", "/nonexistent/kubeconfig"];
        for command in [&["migrate"][..], &["check", "--cluster"]] {
            let said = fails(&[command, &missing].concat(), "");
            assert!(
                said.contains("the kubeconfig `/nonexistent/kubeconfig` can't be used"),
                "{said}"
            );
        }
    }

    #[test]
    fn one_version_is_removed_of_one_resource() {
        let both = Cli::new([cron_tab(), Resource::new(&FULL)]);
        let Ran { code, stderr, .. } = run_cli(both, &["migrate", "--remove", "v1beta1"], "");
        assert_eq!(code, 1);
        assert_eq!(
            stderr,
            "error: `--remove` needs `--resource`: this program has several resources\n"
        );
    }

    #[test]
    fn options_of_the_cluster_go_with_it() {
        for args in [&["check", "--context", "a"][..], &["check", "--cluster", "file.yaml"]] {
            let Ran { code, stdout, .. } = run(args, "");
            assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        }
    }
}
