//! What a client of the API server sees when the webhook fails, and that all is well when it doesn't any more, without a restart.
//!
//! `crd-conv/guide/serve.md` has the table.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::post;
use crd_conv::server::{Conversion, Limits, SelfSigned, Server};
use crd_conv::{ResourceType, VersionedResource};
use crd_conv_apiserver::{HOST, Installed, Objects, Replica, Service, in_group, refusal, shared};
use crd_conv_server_tests::{Door, Gate, pair, publish};
use futures_util::future::join_all;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tower::ServiceExt;

const NAMESPACE: &str = "failures";

fn resource(group: &'static str) -> ResourceType {
    ResourceType::new(in_group(Gate::DEFINITION, group))
}

/// A resource stored at `v1` and read at `v2`, and one replica of its webhook.
struct Cluster {
    installed: Installed,
    service: Service,
    replica: Replica,
}

impl Cluster {
    async fn new(group: &'static str, server: Server, authorities: &str) -> Self {
        let (service, replica) = (Service::start(), Replica::start(server));
        service.add(&replica);
        service.has_ready(1).await;
        let webhook = service.config(authorities);
        let installed = Installed::behind(shared(), Gate::DEFINITION, group, "v1", webhook).await;
        let this = Self { installed, service, replica };
        this.create("g", "db:5432").await;
        this.works().await;
        this
    }

    async fn with_limits(group: &'static str, change: impl FnOnce(&mut Limits)) -> Self {
        let certificate = SelfSigned::new([HOST]).expect("a certificate");
        let mut limits = Limits::default();
        change(&mut limits);
        let server = Server::new([resource(group)])
            .limits(limits)
            .self_signed(&certificate)
            .withdrawal(Duration::ZERO);
        Self::new(group, server, certificate.authority()).await
    }

    async fn create(&self, name: &str, address: &str) {
        let objects = self.installed.objects("v1", NAMESPACE);
        let object = objects.object(name, &json!({ "spec": { "address": address } }));
        objects.create(&object).await.expect("created");
    }

    fn objects(&self) -> Objects {
        self.installed.objects("v2", NAMESPACE)
    }

    async fn works(&self) {
        let read = self.objects().get("g").await.expect("read");
        assert_eq!(read["spec"]["host"], "db");
    }

    /// Reads and writes fail with a message, and leave the object alone. What is stored can still be read.
    async fn fails(&self, with: &str) {
        let start = Instant::now();
        let said = refusal(self.objects().get("g").await);
        println!("after {:?}: {said}", start.elapsed());
        assert!(said.contains("conversion webhook for ") && said.contains(with), "{said}");
        let patch = json!({ "spec": { "host": "other" } });
        let said = refusal(self.objects().merge_patch("g", &patch).await);
        assert!(said.contains("conversion webhook for "), "{said}");
        let stored = self.installed.objects("v1", NAMESPACE).get("g").await.expect("read");
        assert_eq!(stored["spec"]["address"], "db:5432");
    }
}

#[tokio::test]
async fn a_webhook_that_is_down() {
    let cluster = Cluster::with_limits("down.example.com", |_| {}).await;
    cluster.service.set_open(false).await;
    // The connections that are open are the replica's to close.
    cluster.replica.stop();
    cluster.service.has_ready(0).await;
    cluster.replica.has_stopped().await;
    cluster.fails("connect: connection refused").await;
    cluster.service.set_open(true).await;
    cluster.fails("read: connection reset by peer").await;

    // Another replica, with the same name and another certificate, that the bundle doesn't have yet.
    let certificate = SelfSigned::new([HOST]).expect("a certificate");
    let server = Server::new([resource("down.example.com")]).self_signed(&certificate);
    let replica = Replica::start(server);
    cluster.service.add(&replica);
    cluster.service.has_ready(1).await;
    cluster.fails("x509: certificate signed by unknown authority").await;
    let webhook = cluster.service.config(certificate.authority());
    cluster.installed.set_webhook(webhook).await;
    cluster.installed.until("it works", async || cluster.objects().get("g").await.is_ok()).await;
    cluster.works().await;
}

/// Answers as [`wrong`](Wrong::answers) says.
struct Wrong {
    conversion: Conversion,
    answers: Mutex<Option<Answers>>,
}

#[derive(Clone, Copy)]
enum Answers {
    Text(&'static str),
    Half,
    Never,
}

impl Wrong {
    async fn answer(State(this): State<Arc<Self>>, request: Request) -> Response {
        let answers = *this.answers.lock().expect("no holder panicked");
        let response = this.conversion.clone().oneshot(request).await;
        let response = response.unwrap_or_else(|never| match never {});
        match answers {
            None => response,
            Some(Answers::Text(text)) => Response::new(Body::from(text)),
            Some(Answers::Never) => std::future::pending().await,
            Some(Answers::Half) => {
                let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
                let body = body.expect("it is in memory");
                let half = Ok(body.slice(..body.len() / 2));
                let broken = Err(std::io::Error::other("the replica is gone"));
                let parts: [Result<Bytes, std::io::Error>; 2] = [half, broken];
                // The first part has to leave before the connection breaks.
                let parts = futures_util::stream::unfold(parts.into_iter(), async |mut parts| {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    Some((parts.next()?, parts))
                });
                Response::new(Body::from_stream(parts))
            }
        }
    }
}

impl Wrong {
    async fn cluster(group: &'static str) -> (Cluster, Arc<Self>) {
        let certificate = SelfSigned::new([HOST]).expect("a certificate");
        let conversion = Conversion::new([resource(group)]);
        let wrong = Arc::new(Self { conversion, answers: Mutex::default() });
        let routes =
            Router::new().route("/convert", post(Self::answer)).with_state(Arc::clone(&wrong));
        let server = Server::new([]).path("/unused").routes(routes).self_signed(&certificate);
        (Cluster::new(group, server, certificate.authority()).await, wrong)
    }

    fn set(&self, answers: Option<Answers>) {
        *self.answers.lock().expect("no holder panicked") = answers;
    }
}

#[tokio::test]
async fn a_webhook_that_answers_nonsense() {
    let (cluster, wrong) = Wrong::cluster("nonsense.example.com").await;
    let review = r#"{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"?","result":{"status":"Success"}}}"#;
    for (answers, said) in [
        (Answers::Text("<html>nothing here</html>"), "couldn't get version/kind; json parse error"),
        (Answers::Text(review), "expected response.uid="),
        (Answers::Half, "unexpected EOF"),
    ] {
        wrong.set(Some(answers));
        cluster.fails(said).await;
        wrong.set(None);
        cluster.works().await;
    }
}

/// Below TLS, for new connections.
#[tokio::test]
async fn something_else_at_the_port() {
    let cluster = Cluster::with_limits("port.example.com", |_| {}).await;
    cluster.service.answer_instead(Some(b"SSH-2.0-OpenSSH_9.9\r\n"));
    cluster.service.close_all().await;
    cluster.fails("tls: first record does not look like a TLS handshake").await;
    cluster.service.answer_instead(None);
    cluster.works().await;
}

#[tokio::test]
async fn a_webhook_that_takes_too_long() {
    let cluster = Cluster::with_limits("slow.example.com", |limits| {
        limits.time = Duration::from_millis(500);
    })
    .await;
    let door = Door::of("failures, slow");
    cluster.create("slow", "wait failures, slow").await;
    let said = refusal(cluster.objects().get("slow").await);
    println!("{said}");
    assert!(said.contains("failed: the conversion took too long"), "{said}");
    // Others go on meanwhile.
    cluster.works().await;
    door.open();
    let read = cluster.objects().get("slow").await.expect("read");
    assert_eq!(read["spec"]["host"], "wait failures, slow");
}

/// The API server's own limits, which nobody can change.
#[tokio::test]
async fn a_webhook_that_never_answers() {
    let (cluster, wrong) = Wrong::cluster("never.example.com").await;
    wrong.set(Some(Answers::Never));
    let start = Instant::now();
    let said = refusal(cluster.objects().get("g").await);
    println!("after {:?}: {said}", start.elapsed());
    assert!((29..40).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    // Go says it in one of two ways, whichever of its two clocks is the first.
    let says = ["context deadline exceeded", "Client.Timeout exceeded"];
    assert!(says.iter().any(|says| said.contains(says)), "{said}");
    wrong.set(None);
    cluster.works().await;

    // Not even the start of TLS.
    cluster.service.answer_instead(Some(b""));
    cluster.service.close_all().await;
    let start = Instant::now();
    let said = refusal(cluster.objects().get("g").await);
    println!("after {:?}: {said}", start.elapsed());
    assert!((9..20).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    assert!(said.contains("TLS handshake timeout"), "{said}");
    cluster.service.answer_instead(None);
    cluster.works().await;
}

#[tokio::test]
async fn a_certificate_that_has_expired() {
    let group = "expired.example.com";
    let directory = tempfile::tempdir().expect("a directory");
    let files = directory.path();
    let [good, expired] = [2100, 2021].map(|year| pair(HOST, year));
    publish(files, "good", (&good.0, &good.1));
    let server = || {
        Server::new([resource(group)])
            .certificate_files(files.join("tls.crt"), files.join("tls.key"))
            .reload_every(Duration::from_millis(20))
    };
    let both = good.0.clone() + &expired.0;
    let cluster = Cluster::new(group, server().withdrawal(Duration::ZERO), &both).await;

    // A server doesn't change to such a certificate, but it starts with one.
    publish(files, "expired", (&expired.0, &expired.1));
    let replica = Replica::start(server());
    cluster.service.add(&replica);
    cluster.replica.stop();
    cluster.replica.has_stopped().await;
    cluster.service.has_ready(1).await;
    // The server finds out by a request that a connection to the replica of before is closed.
    let expired = "x509: certificate has expired or is not yet valid";
    let is_asked = async || refusal(cluster.objects().get("g").await).contains(expired);
    cluster.installed.until("the other replica is asked", is_asked).await;
    cluster.fails(expired).await;
    publish(files, "renewed", (&good.0, &good.1));
    let loaded = r#"certificate_reloads_total{result="loaded"}"#;
    cluster.installed.until("it is taken", async || replica.count(loaded) == Some(1.0)).await;
    cluster.works().await;
}

#[tokio::test]
async fn an_object_that_is_too_large() {
    let cluster = Cluster::with_limits("large.example.com", |limits| {
        limits.body_bytes = 8 << 10;
    })
    .await;
    let objects = cluster.installed.objects("v1", NAMESPACE);
    let padded = json!({ "spec": { "address": "a:1", "padding": "x".repeat(16 << 10) } });
    objects.create(&objects.object("large", &padded)).await.expect("it is stored");
    let said = refusal(cluster.objects().get("large").await);
    println!("{said}");
    assert!(said.contains("the request is too large"), "{said}");
    cluster.works().await;
    objects.delete("large").await.expect("deleted");
}

#[tokio::test]
async fn two_hundred_reviews_at_once() {
    let cluster = Cluster::with_limits("many.example.com", |limits| {
        limits.requests = 32;
        limits.conversions = 4;
    })
    .await;
    let door = Door::of("failures, many");
    cluster.create("many", "wait failures, many").await;
    let objects = cluster.objects();
    let reads =
        tokio::spawn(
            async move { join_all((0..200).map(async |_| objects.get("many").await)).await },
        );
    door.has_come(4).await;
    let sent_away = r#"reviews_total{result="overloaded"}"#;
    cluster
        .installed
        .until("some are sent away", async || cluster.replica.count(sent_away) > Some(100.0))
        .await;
    door.open();
    let failed = reads.await.expect("no panic").into_iter().filter_map(Result::err);
    let failed: Vec<String> = failed.map(|error| error.to_string()).collect();
    println!(
        "{} of 200 failed, {:?} were sent away",
        failed.len(),
        cluster.replica.count(sent_away)
    );
    assert_eq!(failed, [""; 0]);
}

#[tokio::test]
async fn clients_that_hold_connections() {
    let cluster = Cluster::with_limits("loris.example.com", |limits| {
        limits.connections = 50;
        limits.handshake = Duration::from_secs(1);
        limits.head = Duration::from_secs(1);
        limits.time = Duration::from_secs(2);
    })
    .await;
    let address = cluster.replica.address;
    // Each comes back as soon as it is dropped.
    let mut slow = tokio::task::JoinSet::new();
    for _ in 0..200 {
        slow.spawn(async move {
            loop {
                let Ok(mut stream) = TcpStream::connect(address).await else { return };
                let _ = stream.write_all(b"\x16\x03\x01").await;
                let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut [0]).await;
            }
        });
    }
    cluster
        .installed
        .until("they hold all there are", async || {
            cluster.replica.count("connections") == Some(50.0)
        })
        .await;
    // The API server's own connections are open, and a new one waits for its turn.
    cluster.works().await;
    cluster.service.close_all().await;
    let start = Instant::now();
    cluster.works().await;
    println!("a new connection took {:?}", start.elapsed());
    slow.shutdown().await;
    cluster.works().await;
}
