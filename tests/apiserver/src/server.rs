//! The server's process: the CustomResourceDefinition part alone, or a whole control plane.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::cluster::{apply, namespace};

/// A running API server, with its own etcd.
///
/// It ends when this value is dropped, or when the process ends for any reason, because its
/// standard input is closed then.
#[derive(Debug)]
pub struct ApiServer {
    child: Child,
    pipes: Mutex<Option<Pipes>>,
    ready: Ready,
}

#[derive(Debug)]
struct Pipes {
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What etcd has under one key.
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
    Ready(Ready),
    Failed { error: String },
}

#[derive(Debug, Deserialize)]
struct Ready {
    kubeconfig: PathBuf,
    prefix: String,
    /// For a whole control plane: one for each API server.
    #[serde(default)]
    kubeconfigs: Vec<PathBuf>,
    audit: Option<PathBuf>,
}

/// A request in the audit log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Audited {
    /// The user, such as `alice` or `system:serviceaccount:default:operator`.
    pub user: String,
    /// The verb, such as `watch`.
    pub verb: String,
    /// The group. Empty for the core group.
    pub group: String,
    /// The plural, followed by a slash and the subresource if there is one.
    pub resource: String,
    /// The status code.
    pub code: i64,
}

/// Kubernetes' own build writes these into its programs. Clients parse the answer of `/version`.
const VERSION: &str = "-s -w -X k8s.io/component-base/version.gitVersion=v1.37.2 \
    -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=37";

/// The server that all tests of a binary share, because a start takes seconds. If `CRD_CONV_WHOLE`
/// is in the environment, it is a whole control plane.
pub fn shared() -> &'static ApiServer {
    static SERVER: OnceLock<ApiServer> = OnceLock::new();
    SERVER.get_or_init(|| {
        if std::env::var_os("CRD_CONV_WHOLE").is_none() {
            return ApiServer::start("");
        }
        let server = ApiServer::cluster(1);
        // The first caller may be in a runtime.
        let prepare = || Runtime::new().expect("a runtime").block_on(prepare(&server));
        std::thread::scope(|scope| scope.spawn(prepare).join().expect("prepared"));
        server
    })
}

/// Creates what a whole control plane needs and its CustomResourceDefinition part alone doesn't.
async fn prepare(server: &ApiServer) {
    let client = server.client().await;
    for name in ["kubectl", "n"] {
        namespace(&client, name).await;
    }
    // This Service is for webhooks on loopback. The address of any other kind of Service would have
    // to lead there.
    let (name, namespace) = crate::HOST.split_once('.').expect("of a Service");
    let namespace = namespace.trim_end_matches(".svc");
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": { "name": name, "namespace": namespace },
        "spec": { "type": "ExternalName", "externalName": "localhost" },
    });
    apply(&client, &service).await;
}

/// The whole control plane that all tests of a binary share.
pub fn whole() -> &'static ApiServer {
    static SERVER: OnceLock<ApiServer> = OnceLock::new();
    SERVER.get_or_init(|| ApiServer::cluster(1))
}

impl ApiServer {
    /// Builds the server if it has changed, starts it, and returns when it answers. `gates` looks
    /// like `A=true,B=false`.
    pub fn start(gates: &str) -> Self {
        let program = build_dir().join("apiserver");
        build(&program, ".");
        Self::run(&program, &["-feature-gates", gates])
    }

    /// Builds a whole control plane, and starts it with this number of API servers on one etcd. It
    /// consists of kube-apiserver with RBAC, all default admission and an audit log, and of
    /// kube-controller-manager. The first build takes nine minutes.
    pub fn cluster(api_servers: usize) -> Self {
        let program = build_dir().join("cluster");
        build(&program, "./cluster");
        Self::run(&program, &["-apiservers", &api_servers.to_string()])
    }

    fn run(program: &Path, args: &[&str]) -> Self {
        // The server logs every refused request and closed watch.
        let log = match std::env::var_os("APISERVER_LOG") {
            Some(_) => Stdio::inherit(),
            None => Stdio::null(),
        };
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the server's program runs");
        let commands = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut pipes = Pipes { commands, answers };
        match pipes.answer() {
            Line::Ready(ready) => Self { child, pipes: Mutex::new(Some(pipes)), ready },
            Line::Failed { error } => panic!("the API server doesn't start: {error}"),
        }
    }

    /// Returns the path of the kubeconfig for the server's only user. Its directory is removed with
    /// the server.
    pub fn kubeconfig(&self) -> &Path {
        &self.ready.kubeconfig
    }

    /// Returns a kubeconfig for each API server of a whole control plane.
    pub fn kubeconfigs(&self) -> &[PathBuf] {
        &self.ready.kubeconfigs
    }

    /// Returns a client for the calling runtime: connections don't outlive the runtime in which
    /// they were opened.
    pub async fn client(&self) -> Client {
        client(Kubeconfig::read_from(&self.ready.kubeconfig).expect("a kubeconfig")).await
    }

    /// Returns a client for another user, with their token.
    pub async fn client_with(&self, token: &str) -> Client {
        client(self.kubeconfig_with(token)).await
    }

    /// Returns a kubeconfig for another user, with their token.
    pub fn kubeconfig_with(&self, token: &str) -> Kubeconfig {
        let mut kubeconfig = Kubeconfig::read_from(&self.ready.kubeconfig).expect("a kubeconfig");
        let user = kubeconfig.auth_infos[0].auth_info.get_or_insert_default();
        user.token = Some(token.to_owned().into());
        kubeconfig
    }

    /// Restarts a process of a whole control plane, such as `kube-controller-manager`, and returns
    /// when it is ready.
    pub fn restart(&self, process: &str) {
        let mut pipes = self.pipes.lock().expect("no reader panicked");
        let pipes = pipes.as_mut().expect("the server runs");
        writeln!(pipes.commands, "restart {process}").expect("the server runs");
        let answer: serde_json::Value = pipes.answer();
        assert_eq!(answer, serde_json::json!({}), "{process} isn't ready again");
    }

    /// Returns the requests that the first API server of a whole control plane has answered.
    pub fn audit(&self) -> Vec<Audited> {
        let path = self.ready.audit.as_ref().expect("a whole control plane");
        let log = std::fs::read_to_string(path).expect("an audit log");
        log.lines().filter_map(Audited::of).collect()
    }

    /// Returns what etcd has of a resource, below `<group>/<plural>` or a longer path.
    pub fn stored(&self, path: &str) -> Vec<Stored> {
        let mut pipes = self.pipes.lock().expect("no reader panicked");
        let pipes = pipes.as_mut().expect("the server runs");
        writeln!(pipes.commands, "{}/{path}", self.ready.prefix).expect("the server runs");
        pipes.answer()
    }

    /// Returns what etcd has of one object.
    pub fn stored_object(&self, resource: &str, namespace: &str, name: &str) -> Stored {
        let path = format!("{resource}/{namespace}/{name}");
        let whole = format!("{}/{path}", self.ready.prefix);
        let found = self.stored(&path).into_iter().find(|stored| stored.key == whole);
        found.unwrap_or_else(|| panic!("nothing is stored under {path}"))
    }
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        // This closes the server's standard input, which stops the server properly.
        if let Ok(pipes) = self.pipes.get_mut() {
            drop(pipes.take());
        }
        let _ = self.child.wait();
    }
}

impl Audited {
    /// Returns `None` if the line isn't about a resource.
    fn of(line: &str) -> Option<Self> {
        let event: serde_json::Value = serde_json::from_str(line).ok()?;
        let text = |pointer: &str| event.pointer(pointer)?.as_str().map(str::to_owned);
        let mut resource = text("/objectRef/resource")?;
        if let Some(subresource) = text("/objectRef/subresource") {
            resource = format!("{resource}/{subresource}");
        }
        Some(Self {
            user: text("/user/username")?,
            verb: text("/verb")?,
            group: text("/objectRef/apiGroup").unwrap_or_default(),
            resource,
            code: event.pointer("/responseStatus/code")?.as_i64()?,
        })
    }
}

async fn client(kubeconfig: Kubeconfig) -> Client {
    let options = KubeConfigOptions::default();
    let config = Config::from_custom_kubeconfig(kubeconfig, &options).await.expect("a config");
    Client::try_from(config).expect("a client")
}

impl Pipes {
    fn answer<T: DeserializeOwned>(&mut self) -> T {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the server runs");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in `{line}`"))
    }
}

/// A directory in cargo's target directory, which contains this program.
pub(crate) fn build_dir() -> PathBuf {
    let program = std::env::current_exe().expect("a path");
    let target = program.ancestors().find(|dir| dir.ends_with("deps")).and_then(|dir| {
        let target = dir.parent()?.parent()?;
        Some(target.to_owned())
    });
    let dir = target.expect("a test in cargo's target directory").join("apiserver");
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

pub(crate) fn build(program: &Path, package: &str) {
    let status = Command::new("go")
        .args(["build", "-ldflags", VERSION, "-o"])
        .arg(program)
        .arg(package)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(status.expect("Go is installed").success(), "{package} can't be built");
}
