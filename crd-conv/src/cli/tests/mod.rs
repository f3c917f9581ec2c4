//! The commands on streams of the tests.

#[cfg(feature = "kube")]
mod cluster;
mod convert;
mod crd;
mod diff;
mod helm;
#[cfg(feature = "import")]
mod import;
mod in_place;
#[cfg(feature = "migrate")]
mod migrate;
mod verify;

use std::{fs, path::PathBuf};

use super::{Cli, args::ExplainArgs, output::Streams};
use crate::{
    ResourceType,
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
    Cli::new([cron_tab()]).webhook(Webhook::service("default", "webhook"))
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
    let full = run_cli(Cli::new([ResourceType::new(&FULL)]), &["explain"], "").stdout;
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
