//! `serve` of an author's binary, as a process.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;

use crd_conv_server_tests::{Connection, Protocol, certificate, post, review_of};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};

const PROGRAM: &str = env!("CARGO_BIN_EXE_crd-conv-server-tests");

fn serve(args: &[&str]) -> Child {
    Command::new(PROGRAM)
        .arg("serve")
        .args(args)
        .env_remove("RUST_LOG")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts")
}

/// The address that the log tells, of conversions or probes.
async fn address(log: &mut Lines<BufReader<ChildStderr>>, what: &str) -> SocketAddr {
    loop {
        let line = log.next_line().await.expect("text").expect("the server says where it is");
        if line.contains(what) {
            let address = line.split("address").nth(1).expect("an address");
            let address = address.trim_start_matches(['=', '"', ':']);
            let end = address.find(['"', ' ']).unwrap_or(address.len());
            return address[..end].parse().expect("an address");
        }
    }
}

async fn signal(process: &Child, signal: &str) {
    let id = process.id().expect("it runs").to_string();
    let status = Command::new("kill").args([signal, &id]).status().await.expect("kill runs");
    assert!(status.success());
}

#[tokio::test]
async fn a_certificate_for_development_is_trusted_by_what_is_printed() {
    let args = ["--self-signed", "--address", "127.0.0.1:0", "--withdrawal", "0"];
    let mut process = serve(&args);
    let mut log = BufReader::new(process.stderr.take().expect("a pipe")).lines();
    let address = address(&mut log, "serving conversions").await;
    let mut printed = BufReader::new(process.stdout.take().expect("a pipe")).lines();
    let mut text = String::new();
    let bundle = loop {
        let line = printed.next_line().await.expect("text").expect("the bundle");
        if let Some(bundle) = line.strip_prefix("caBundle: ") {
            break bundle.to_owned();
        }
        text += &line;
        text.push('\n');
    };
    // All that is printed serves as a PEM file.
    let mut connection = Connection::open(address, &text, Protocol::Http1).await.expect("trust");
    let answer = connection.send(post("/gates", &review_of("a:1"))).await.expect("an answer");
    assert_eq!(answer.status, 200, "the path is the declared one");
    assert_eq!(answer.json()["response"]["result"]["status"], "Success");

    // `crd` takes the same file, and writes what was printed.
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("ca.pem");
    std::fs::write(
        &file,
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.to_owned() + "\n")
            .collect::<String>(),
    )
    .expect("a file");
    let crd = Command::new(PROGRAM).args(["crd", "--ca-bundle"]).arg(&file).output().await;
    let crd = String::from_utf8(crd.expect("it runs").stdout).expect("text");
    assert!(crd.contains(&bundle), "{crd}");

    signal(&process, "-TERM").await;
    assert_eq!(process.wait().await.expect("it ends").code(), Some(0));
}

#[tokio::test]
async fn files_and_a_log_in_json() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("text").to_owned();
    let (crt, key) = (path("tls.crt"), path("tls.key"));
    let pair = certificate();
    std::fs::write(Path::new(&crt), pair.certificate()).expect("a file");
    std::fs::write(Path::new(&key), pair.key()).expect("a file");
    let address_of = "127.0.0.1:0";
    let args = [
        "--cert",
        &crt,
        "--key",
        &key,
        "--address",
        address_of,
        "--probe-address",
        address_of,
        "--log-format",
        "json",
        "--path",
        "/convert",
    ];
    let mut process = serve(&args);
    let mut log = BufReader::new(process.stderr.take().expect("a pipe")).lines();
    let probes = address(&mut log, "serving probes").await;
    let address = address(&mut log, "serving conversions").await;
    let mut probes = Connection::plain(probes).await.expect("a connection");
    assert_eq!(probes.get("/readyz").await.expect("an answer").status, 200);
    let mut connection =
        Connection::open(address, pair.authority(), Protocol::Http2).await.expect("trust");
    let answer = connection.review(&review_of("nowhere")).await.expect("an answer");
    assert_eq!(answer.json()["response"]["result"]["status"], "Failed");
    let line = log.next_line().await.expect("text").expect("an event");
    let event: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(event["level"], "WARN");
    assert_eq!(event["object"], "`default/g`");
    assert_eq!(event["field"], "spec.address");
    assert!(!line.contains("nowhere"), "{line}");

    // From a terminal nobody wants to wait.
    signal(&process, "-INT").await;
    assert_eq!(process.wait().await.expect("it ends").code(), Some(0));
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let mut process = serve(&["--self-signed", "--address", "127.0.0.1:0", "--withdrawal", "3600"]);
    let mut log = BufReader::new(process.stderr.take().expect("a pipe")).lines();
    address(&mut log, "serving conversions").await;
    signal(&process, "-TERM").await;
    while !log.next_line().await.expect("text").expect("an event").contains("about to stop") {}
    signal(&process, "-TERM").await;
    assert_eq!(process.wait().await.expect("it ends").code(), Some(0));
}

#[tokio::test]
async fn what_keeps_it_from_serving_is_said() {
    for (args, code, said) in [
        (&[] as &[&str], 2, "--self-signed"),
        (&["--cert", "a"], 2, "--key"),
        (&["--cert", "a", "--key", "b", "--self-signed"], 2, "cannot be used with"),
        (
            &["--cert", "/nowhere/tls.crt", "--key", "/nowhere/tls.key"],
            1,
            "can't read `/nowhere/tls.crt`",
        ),
        (
            &["--self-signed", "--address", "127.0.0.1:0", "--path", "x"],
            1,
            "start the path with `/`",
        ),
    ] {
        let mut process = serve(args);
        let mut text = String::new();
        process.stderr.take().expect("a pipe").read_to_string(&mut text).await.expect("text");
        assert_eq!(process.wait().await.expect("it ends").code(), Some(code), "{text}");
        assert!(text.contains(said), "{args:?}: {text}");
    }
}
