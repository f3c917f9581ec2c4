//! The server's process.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A running API server, with an etcd of its own.
///
/// It ends when this is dropped or the process ends, however that happens: its standard input closes then.
#[derive(Debug)]
pub struct ApiServer {
    child: Child,
    pipes: Mutex<Option<Pipes>>,
    kubeconfig: PathBuf,
    prefix: String,
}

#[derive(Debug)]
struct Pipes {
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What etcd holds under one key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stored {
    /// The key.
    pub key: String,
    /// An object's bytes.
    pub value: String,
    /// The object's resource version.
    pub mod_revision: i64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Ready { kubeconfig: PathBuf, prefix: String },
    Failed { error: String },
}

/// The server that all tests of a binary share: a start takes seconds.
pub fn shared() -> &'static ApiServer {
    static SERVER: OnceLock<ApiServer> = OnceLock::new();
    SERVER.get_or_init(|| ApiServer::start(""))
}

impl ApiServer {
    /// Builds the server if it has changed, starts it, and returns when it answers. The gates are written as
    /// `A=true,B=false`.
    pub fn start(gates: &str) -> Self {
        let program = build_dir().join("apiserver");
        build(&program);
        // The server logs every refused request and closed watch.
        let log = match std::env::var_os("APISERVER_LOG") {
            Some(_) => Stdio::inherit(),
            None => Stdio::null(),
        };
        let mut child = Command::new(program)
            .args(["-feature-gates", gates])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the server's program runs");
        let commands = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut pipes = Pipes { commands, answers };
        match pipes.answer() {
            Line::Ready { kubeconfig, prefix } => {
                Self { child, pipes: Mutex::new(Some(pipes)), kubeconfig, prefix }
            }
            Line::Failed { error } => panic!("the API server doesn't start: {error}"),
        }
    }

    /// Where the kubeconfig of the server's only user is, in a directory that goes with the server.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// A client for the calling runtime: connections don't outlive the runtime that they were opened in.
    pub async fn client(&self) -> Client {
        let kubeconfig = Kubeconfig::read_from(&self.kubeconfig).expect("a kubeconfig");
        let options = KubeConfigOptions::default();
        let config = Config::from_custom_kubeconfig(kubeconfig, &options).await.expect("a config");
        Client::try_from(config).expect("a client")
    }

    /// What etcd holds of a resource, below `<group>/<plural>` or a longer path.
    pub fn stored(&self, path: &str) -> Vec<Stored> {
        let mut pipes = self.pipes.lock().expect("no reader panicked");
        let pipes = pipes.as_mut().expect("the server runs");
        writeln!(pipes.commands, "{}/{path}", self.prefix).expect("the server runs");
        pipes.answer()
    }

    /// What etcd holds of one object.
    pub fn stored_object(&self, resource: &str, namespace: &str, name: &str) -> Stored {
        let path = format!("{resource}/{namespace}/{name}");
        let whole = format!("{}/{path}", self.prefix);
        let found = self.stored(&path).into_iter().find(|stored| stored.key == whole);
        found.unwrap_or_else(|| panic!("nothing is stored under {path}"))
    }
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        // Closes the server's standard input, which ends it in order.
        if let Ok(pipes) = self.pipes.get_mut() {
            drop(pipes.take());
        }
        let _ = self.child.wait();
    }
}

impl Pipes {
    fn answer<T: DeserializeOwned>(&mut self) -> T {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the server runs");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in `{line}`"))
    }
}

/// A directory in cargo's target directory, which is where this program is.
fn build_dir() -> PathBuf {
    let program = std::env::current_exe().expect("a path");
    let target = program.ancestors().find(|dir| dir.ends_with("deps")).and_then(|dir| {
        let target = dir.parent()?.parent()?;
        Some(target.to_owned())
    });
    let dir = target.expect("a test in cargo's target directory").join("apiserver");
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

fn build(program: &Path) {
    let status = Command::new("go")
        .args(["build", "-o"])
        .arg(program)
        .arg(".")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(status.expect("Go is installed").success(), "the server can't be built");
}
