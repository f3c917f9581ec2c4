//! How much CPU the server takes for a review over HTTPS, as a share of what an echo on the same server takes, and of what
//! controller-runtime takes for the same conversion.
//!
//! What counts is the time that the system gave to all threads of the server's process, in user and kernel mode, so what the client
//! takes and how busy the machine is doesn't matter much. All ways take turns, in one run.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use crd_conv::ResourceType;
use crd_conv::server::{SelfSigned, Server};
use crd_conv_bench::chain::{self, Pool};
use crd_conv_bench::reviews::{CronTab, many, small};
use crd_conv_server_tests::{Connection, Protocol, post as request};
use tokio::runtime::Runtime;

/// A body and its name, how many requests a round has and how many of them are under way at a time, and whether the server in Go
/// knows the kind.
struct Case {
    name: &'static str,
    body: fn() -> String,
    requests: u32,
    at_a_time: u32,
    go: bool,
}

const CASES: [Case; 4] = [
    Case { name: "S: one object of 0.8 KB", body: small, requests: 5000, at_a_time: 1, go: true },
    Case { name: "S, 200 at a time", body: small, requests: 20_000, at_a_time: 200, go: true },
    Case {
        name: "S, without a converter",
        body: || chain::small("v2"),
        requests: 5000,
        at_a_time: 1,
        go: false,
    },
    Case { name: "M: 500 objects of 3 KB", body: many, requests: 40, at_a_time: 1, go: true },
];
const ROUNDS: u32 = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, serve, port, directory] = &arguments[..]
        && serve == "serve"
    {
        serve_both(port.parse().expect("a port"), Path::new(directory));
        return ExitCode::SUCCESS;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let certificate = SelfSigned::new(["127.0.0.1"]).expect("a certificate");
    let write = |name, text| std::fs::write(directory.path().join(name), text).expect("a file");
    write("tls.crt", certificate.certificate());
    write("tls.key", certificate.key());
    let ours = Process::start(
        Command::new(std::env::current_exe().expect("a path")).arg("serve"),
        directory.path(),
    );
    let go = Process::start(&mut Command::new(go_program()), directory.path());
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(measure(&ours, &go, certificate.authority()));
    ExitCode::SUCCESS
}

async fn measure(ours: &Process, go: &Process, authority: &str) {
    println!(
        "{:<26} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "CPU for a request in µs", "echo", "crd-conv", "Go", "of echo", "Go's of it"
    );
    for Case { name, body, requests, at_a_time, go: has_go } in CASES {
        let body = body();
        let ways = [(ours, "/echo"), (ours, "/convert"), (go, "/convert")];
        let mut ways: Vec<_> = ways.into_iter().map(|way| (way, 0.0)).collect();
        ways.truncate(if has_go { 3 } else { 2 });
        let mut connections = Vec::new();
        for ((process, path), _) in &ways {
            let mut all = Vec::new();
            for _ in 0..at_a_time {
                all.push(process.connect(authority).await);
            }
            // The first requests aren't like the others.
            send(&mut all, path, &body, requests / 10).await;
            connections.push(all);
        }
        for _ in 0..ROUNDS {
            for (((process, path), total), connection) in ways.iter_mut().zip(&mut connections) {
                let before = process.cpu();
                send(connection, path, &body, requests).await;
                *total += (process.cpu() - before) * 1e6;
            }
        }
        let each: Vec<_> =
            ways.iter().map(|(_, total)| total / f64::from(requests * ROUNDS)).collect();
        let [echo, ours, ref go @ ..] = each[..] else { unreachable!("two ways at least") };
        let of_echo = ours / echo;
        print!("{name:<26} {echo:>10.1} {ours:>10.1}");
        match go {
            [go] => println!(" {go:>10.1} {of_echo:>9.2}x {:>9.1}x", go / ours),
            _ => println!(" {:>10} {of_echo:>9.2}x {:>10}", "-", "-"),
        }
    }
}

/// Sends this number of requests, over all connections at the same time.
async fn send(connections: &mut [Connection], path: &str, body: &str, count: u32) {
    let each = count / u32::try_from(connections.len()).expect("a few");
    let all = connections.iter_mut().map(|connection| send_one(connection, path, body, each));
    futures_util::future::join_all(all).await;
}

async fn send_one(connection: &mut Connection, path: &str, body: &str, count: u32) {
    for _ in 0..count {
        let answer = connection.send(request(path, body)).await.expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.body.len() > body.len() / 2);
        assert!(
            path == "/echo" || answer.body.contains(r#""status":"Success""#),
            "{}",
            answer.body
        );
    }
}

/// Our server, with an echo beside its conversions.
fn serve_both(port: u16, directory: &Path) {
    let echo = Router::new().route("/echo", post(async |body: axum::body::Bytes| body));
    let echo = echo.layer(axum::extract::DefaultBodyLimit::disable());
    let server = Server::new([ResourceType::of::<CronTab>(), ResourceType::of::<Pool>()])
        .address((Ipv4Addr::LOCALHOST, port).into())
        .certificate_files(directory.join("tls.crt"), directory.join("tls.key"))
        .routes(echo);
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(server.serve()).expect("the server starts");
}

/// A server's process.
struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    /// With a free port and a directory as its last arguments.
    fn start(command: &mut Command, directory: &Path) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let child = command
            .arg(address.port().to_string())
            .arg(directory)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        Self { child, address }
    }

    async fn connect(&self, authority: &str) -> Connection {
        for _ in 0..200 {
            if let Ok(open) = Connection::open(self.address, authority, Protocol::Http1).await {
                return open;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nobody listens at {}", self.address);
    }

    /// How many seconds its threads have taken, those that have ended included.
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.expect("the process runs, on Linux");
        // The name may have spaces, and is in parentheses.
        let (_, fields) = stat.rsplit_once(") ").expect("a name");
        let ticks = |place| fields.split(' ').nth(place).expect("a field").parse::<f64>();
        // In user and in kernel mode; a hundred are a second, everywhere.
        (ticks(11).expect("ticks") + ticks(12).expect("ticks")) / 100.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn go_program() -> PathBuf {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("controller-runtime");
    let status = Command::new("go")
        .args(["build", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/go"))
        .status();
    assert!(status.expect("Go is installed").success(), "the server in Go can't be built");
    program
}
