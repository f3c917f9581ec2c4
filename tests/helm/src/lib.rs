//! For tests: the programs `helm` and `promtool`, built from the Go modules that `go.mod` names.
#![allow(clippy::missing_panics_doc, reason = "this crate is for the workspace's own tests")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crd_conv::yaml;
use serde_json::Value;
use tempfile::TempDir;

/// The result of a command.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Whether its exit code is 0.
    pub succeeded: bool,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Ran {
    /// Its standard output, if it succeeded.
    #[track_caller]
    pub fn said(self) -> String {
        assert!(self.succeeded, "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// The documents on its standard output, if it succeeded.
    #[track_caller]
    #[must_use]
    pub fn documents(self) -> Vec<Value> {
        documents(&self.said())
    }
}

/// The documents of a text in YAML.
#[track_caller]
#[must_use]
pub fn documents(text: &str) -> Vec<Value> {
    let all = yaml::to_json(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let all = all.iter().map(|json| serde_json::from_str(json).expect("JSON"));
    all.filter(|document: &Value| !document.is_null()).collect()
}

/// The workspace.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs Helm without a cluster, and with nothing of the user's.
pub fn helm<'a>(args: impl IntoIterator<Item = &'a str>) -> Ran {
    helm_in(Path::new("/none"), args)
}

/// Runs Helm in a cluster.
pub fn helm_in<'a>(kubeconfig: &Path, args: impl IntoIterator<Item = &'a str>) -> Ran {
    static HOME: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a folder"));
    let mut command = Command::new(PROGRAMS.join("helm"));
    for variable in ["HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"] {
        command.env(variable, HOME.path().join(variable));
    }
    ran(command.env("KUBECONFIG", kubeconfig).args(args))
}

/// Runs Prometheus' tool.
pub fn promtool<'a>(args: impl IntoIterator<Item = &'a str>) -> Ran {
    ran(Command::new(PROGRAMS.join("promtool")).args(args))
}

/// The folder with the programs. They are built once.
static PROGRAMS: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = std::env::current_exe().expect("a path");
    let target = program.ancestors().find(|dir| dir.ends_with("deps")).and_then(Path::parent);
    let target = target.and_then(Path::parent).expect("a test in cargo's target directory");
    let folder = target.join("helm");
    let built = Command::new("go")
        // The tag leaves out what finds the targets of Prometheus in clouds.
        .args(["build", "-tags", "remove_all_sd", "-o"])
        // With the slash at the end, it is a folder.
        .arg(folder.join(""))
        .args(["helm.sh/helm/v4/cmd/helm", "github.com/prometheus/prometheus/cmd/promtool"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(built.expect("Go is installed").success(), "the programs can't be built");
    folder
});

fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran {
        succeeded: output.status.success(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}
