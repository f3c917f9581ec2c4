//! kubectl, of the same release as the server.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

use crate::server::{ApiServer, build, build_dir};

/// The program, alone in a folder. It is built once.
static KUBECTL: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = build_dir().join("bin/kubectl");
    build(&program, "k8s.io/kubernetes/cmd/kubectl");
    program
});

/// Returns a value of the variable `PATH` for a shell that finds this kubectl first.
pub fn path_with_kubectl() -> OsString {
    let mut path = KUBECTL.parent().expect("a folder").as_os_str().to_owned();
    if let Some(others) = std::env::var_os("PATH") {
        path.push(":");
        path.push(others);
    }
    path
}

impl ApiServer {
    /// Runs kubectl with a document on its standard input. It must succeed.
    #[track_caller]
    pub fn kubectl(&self, namespace: &str, args: &[&str], document: &Value) -> Output {
        let mut child = Command::new(&*KUBECTL)
            .arg("--kubeconfig")
            .arg(self.kubeconfig())
            .args(["--namespace", namespace, "--cache-dir"])
            .arg(self.kubeconfig().with_file_name("cache"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kubectl runs");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(document.to_string().as_bytes()).expect("kubectl reads");
        drop(input);
        let output = child.wait_with_output().expect("kubectl ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "kubectl {args:?}: {said}");
        output
    }
}
