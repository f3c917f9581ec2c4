//! An author's program, as a shell would run it.

use std::path::Path;

use crd_conv::cli::{Cli, Streams};

/// The result of a command.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its exit code.
    pub code: u8,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// Runs a command of a program in a cluster.
pub async fn command(
    program: impl FnOnce() -> Cli + Send + 'static,
    args: &[&str],
    kubeconfig: &Path,
) -> Ran {
    let mut line = vec!["operator".to_owned()];
    line.extend(args.iter().copied().map(str::to_owned));
    line.extend(["--kubeconfig".to_owned(), kubeconfig.display().to_string()]);
    // The command has a runtime of its own.
    let ran = tokio::task::spawn_blocking(move || {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut streams =
            Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
        let code = program().run_with(line, &mut streams);
        let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
        Ran { code, stdout, stderr }
    });
    ran.await.expect("it doesn't panic")
}
