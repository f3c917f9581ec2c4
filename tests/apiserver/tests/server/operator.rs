//! The whole operator of the examples against the server.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use ::operator::{MaintenanceWindow, Run, start, webhook};
use crd_conv::ResourceType;
use crd_conv::cli::Cli;
use crd_conv::server::SelfSigned;
use crd_conv_apiserver::{ApiServer, Ran, command};
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// The options of the operator that runs in a process of its own.
const OPTIONS: &str = "OPERATOR_TEST_OPTIONS";

/// That process is this test's program, which runs this.
#[test]
#[ignore = "it is the process of another test"]
fn process() {
    let options = std::env::var(OPTIONS).expect("the other test says them");
    let options: Value = serde_json::from_str(&options).expect("JSON");
    let path = |name: &str| options[name].as_str().map(PathBuf::from);
    let options = Run { cert: path("cert"), key: path("key"), ..on_free_ports() };
    assert_eq!(start(&options), std::process::ExitCode::SUCCESS);
}

fn on_free_ports() -> Run {
    let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    Run {
        address: free,
        probe_address: free,
        cert: None,
        key: None,
        secret: None,
        service: None,
        certificate_name: Vec::new(),
    }
}

/// Windows of a version, in the namespace `default`.
fn windows(client: &kube::Client, version: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("example.com", version, "MaintenanceWindow");
    let resource = ApiResource::from_gvk_with_plural(&kind, "maintenancewindows");
    Api::default_namespaced_with(client.clone(), &resource)
}

async fn create(client: &kube::Client, version: &str, name: &str, spec: Value) {
    let object = json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "MaintenanceWindow",
        "metadata": { "name": name },
        "spec": spec,
    });
    let object = serde_json::from_value(object).expect("an object");
    let windows = windows(client, version);
    windows.create(&PostParams::default(), &object).await.expect("created");
}

/// Reads an object again and again until it is as wanted.
async fn until(windows: &Api<DynamicObject>, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let mut last = Value::Null;
    for _ in 0..600 {
        match windows.get(name).await {
            Ok(object) => last = object.data,
            Err(error) => last = json!(error.to_string()),
        }
        if wanted(&last) {
            return last;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{name} is still {last}");
}

/// What a command of the operator's program prints.
async fn printed(server: &ApiServer, args: &[&str]) -> String {
    let program = || Cli::new([ResourceType::of::<MaintenanceWindow>()]).webhook(webhook());
    let Ran { code, stdout, stderr } = command(program, args, server.kubeconfig()).await;
    assert_eq!(code, 0, "{stderr}");
    stdout
}

/// An operator in a process of its own, and what it logs.
struct Operator {
    process: Child,
    log: tokio::task::JoinHandle<String>,
    address: SocketAddr,
    probes: SocketAddr,
}

impl Operator {
    async fn start(server: &ApiServer, options: &Value) -> Self {
        let program = std::env::current_exe().expect("a path");
        let mut process = Command::new(program)
            .args(["--exact", "operator::process", "--ignored", "--nocapture"])
            .env(OPTIONS, options.to_string())
            .env("KUBECONFIG", server.kubeconfig())
            .env_remove("RUST_LOG")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let (mut log, mut addresses) = (String::new(), Vec::new());
        while addresses.len() < 2 {
            let line = lines.next_line().await.expect("text").expect("it says where it is");
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            if let Some(address) = event["address"].as_str() {
                addresses.push(address.parse().expect("an address"));
            }
            log = log + &line + "\n";
        }
        let log = tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                log = log + &line + "\n";
            }
            log
        });
        Self { process, log, probes: addresses[0], address: addresses[1] }
    }

    async fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.probes).await.expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nhost: operator\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("text");
        answer
    }

    /// Stops it as Kubernetes does, and returns all that it logged.
    async fn stop(mut self) -> String {
        let id = self.process.id().expect("it runs").to_string();
        let kill = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(kill.expect("kill runs").success());
        assert!(self.process.wait().await.expect("a status").success());
        self.log.await.expect("its log ends")
    }
}

/// What the README of the example says, with the server in the place of a cluster and files in the place of cert-manager.
#[tokio::test(flavor = "multi_thread")]
async fn it_does_what_its_readme_says() {
    let server = ApiServer::start("");
    let client = server.client().await;
    let dir = tempfile::tempdir().expect("a directory");
    let certificate = SelfSigned::new(["127.0.0.1"]).expect("a certificate");
    let file = |name: &str, pem: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, pem).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let authority = file("ca.crt", certificate.authority());
    let options = json!({
        "cert": file("tls.crt", certificate.certificate()), "key": file("tls.key", certificate.key()),
    });
    let operator = Operator::start(&server, &options).await;
    assert!(operator.get("/readyz").await.starts_with("HTTP/1.1 200"));

    let url = format!("https://{}/convert", operator.address);
    let args = ["install", "--url", &url, "--ca-bundle", &authority, "--probe"];
    assert_eq!(printed(&server, &args).await, "maintenancewindows.example.com created\n");

    let spec = json!({ "window": "08:00-08:00", "owner": "ada-of-the-night-shift" });
    create(&client, "v1alpha1", "nightly", spec).await;
    let newest = windows(&client, "v1");
    let open = until(&newest, "nightly", |object| object["status"]["active"] == true).await;
    assert_eq!(
        open["spec"],
        json!({ "start": "08:00", "minutes": 1440, "days": [], "suspended": false })
    );
    let condition = &open["status"]["conditions"][0];
    assert_eq!((&condition["type"], &condition["status"]), (&json!("Active"), &json!("True")));
    assert_eq!(open["status"]["observedGeneration"], 1);

    let oldest = windows(&client, "v1alpha1");
    let seen = oldest.get("nightly").await.expect("an object").data;
    let expected =
        json!({ "window": "08:00-08:00", "days": [], "owner": "ada-of-the-night-shift" });
    assert_eq!((&seen["spec"], &seen["status"]["active"]), (&expected, &json!(true)));

    // By way of the version between.
    let pause = Patch::Merge(json!({ "spec": { "paused": true } }));
    let between = windows(&client, "v1beta1");
    between.patch("nightly", &PatchParams::default(), &pause).await.expect("paused");
    let closed = until(&newest, "nightly", |object| object["status"]["active"] == false).await;
    assert_eq!(closed["status"]["conditions"][0]["reason"], "Suspended");
    assert_eq!(closed["status"]["observedGeneration"], 2);
    let seen = oldest.get("nightly").await.expect("an object").data;
    assert_eq!((&seen["spec"], &seen["status"]["active"]), (&expected, &json!(false)));

    let metrics = operator.get("/metrics").await;
    let converted = |from: &str, to: &str| {
        let labels = format!(
            r#"crd_conv_objects_total{{group="example.com",kind="MaintenanceWindow",from="{from}",to="{to}",result="converted"}} "#
        );
        let line = metrics.lines().find_map(|line| line.strip_prefix(&labels));
        line.unwrap_or_else(|| panic!("{labels}\n{metrics}")).parse::<f64>().expect("a number")
    };
    assert!(converted("v1alpha1", "v1") > 0.0 && converted("v1", "v1alpha1") > 0.0);
    assert!(metrics.contains(r#"crd_conv_reviews_total{result="failed"} 0"#), "{metrics}");

    let log = operator.stop().await;
    assert!(log.contains("default/nightly"), "{log}");
    assert!(log.contains(r#""message":"stopped""#), "{log}");
    assert!(!log.contains("ada-of-the-night-shift") && !log.contains("08:00-08:00"), "{log}");
    if std::env::var_os("OPERATOR_LOG").is_some() {
        println!("{log}\n{metrics}");
    }
}
