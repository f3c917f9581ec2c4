//! Each alert is raised by the fault that it is about: a server has the fault, and Prometheus gets what its metrics were.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, SystemTime};

use crd_conv::server::Limits;
use crd_conv_helm::{promtool, root};
use crd_conv_server_tests::{
    Door, Protocol, Running, noise, object, pair, pair_until, publish, review, review_of,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::alerts::{RULES, names};

/// For how long a server runs without a fault, in minutes.
const HEALTHY: usize = 20;

/// All alerts that are raised, without what tells their causes apart.
const RAISED: &str = r#"count by (alertname, namespace, job) (ALERTS{alertstate="firing"})"#;

/// A server, and what Prometheus has read of it: once a minute.
struct Watched {
    server: Running,
    read: Vec<String>,
}

impl Watched {
    async fn start(limits: Limits) -> Self {
        Self::of(Running::start(|server| server.limits(limits)).await).await
    }

    /// Has converted an object, and goes on without a fault.
    async fn of(server: Running) -> Self {
        let mut this = Self { server, read: Vec::new() };
        this.converts(&review_of("a:1")).await;
        this.lasts(HEALTHY);
        this
    }

    /// Returns the status of the response, and whether it says that all objects are converted.
    async fn sends(&self, review: &str) -> (u16, bool) {
        let mut connection = self.server.connect(Protocol::Http1).await;
        let answer = connection.review(review).await.expect("an answer");
        let status = answer.status.as_u16();
        (status, status == 200 && answer.json()["response"]["result"]["status"] == "Success")
    }

    async fn converts(&self, review: &str) {
        assert_eq!(self.sends(review).await, (200, true), "invalid test case");
    }

    /// Nothing changes for some minutes.
    fn lasts(&mut self, minutes: usize) {
        let metrics = self.server.conversion.metrics();
        self.read.extend(std::iter::repeat_n(metrics, minutes));
    }

    /// What promtool takes as a test: the fault raises these alerts and no others.
    fn raises(&self, alerts: &[&str]) -> Value {
        let mut series: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (minute, metrics) in self.read.iter().enumerate() {
            for line in metrics.lines().filter(|line| !line.starts_with('#')) {
                let (metric, value) = line.rsplit_once(' ').expect("a value");
                let (name, labels) = metric.split_once('{').unwrap_or((metric, "}"));
                // What Prometheus adds, by the configuration of the pod.
                let name = format!(r#"{name}{{namespace="n",job="j",{labels}"#);
                let values = series.entry(name).or_default();
                // Minutes without this series.
                values.resize(minute, "_");
                values.push(value);
            }
        }
        let series: Vec<_> = series
            .iter()
            .map(|(series, values)| json!({ "series": series, "values": values.join(" ") }))
            .collect();
        let raised: Vec<_> = alerts
            .iter()
            .map(|alert| {
                let labels = format!(r#"{{alertname="{alert}",namespace="n",job="j"}}"#);
                json!({ "labels": labels, "value": 1 })
            })
            .collect();
        let at = |minute: usize, raised: &[Value]| {
            let minute = format!("{minute}m");
            json!({ "expr": RAISED, "eval_time": minute, "exp_samples": raised })
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
        json!({
            "name": alerts[0],
            "start_timestamp": now.as_secs(),
            "input_series": series,
            "promql_expr_test": [at(HEALTHY - 1, &[]), at(self.read.len() - 1, &raised)],
        })
    }
}

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

/// An object at `v1` with an annotation.
fn annotated(key: &str, value: &str) -> String {
    let name = r#""name":"g""#;
    let object = object("g", &json!({ "address": "a:1" }));
    assert!(object.contains(name), "invalid test case: {object}");
    let annotations = json!({ key: value });
    object.replace(name, &format!(r#"{name},"annotations":{annotations}"#))
}

/// An object that can't be converted is read every other minute.
async fn failing() -> Watched {
    let mut watched = Watched::start(Limits::default()).await;
    for _ in 0..10 {
        assert_eq!(watched.sends(&review_of("nowhere")).await, (200, false));
        watched.lasts(2);
    }
    watched
}

/// There are always more requests than the server takes.
async fn overloaded() -> Watched {
    let mut watched = Watched::start(limits(|limits| limits.requests = 1)).await;
    let door = Door::of("faults, overloaded");
    let mut first = watched.server.connect(Protocol::Http1).await;
    let first =
        tokio::spawn(async move { first.review(&review_of("wait faults, overloaded")).await });
    door.has_come(1).await;
    for _ in 0..10 {
        assert_eq!(watched.sends(&review_of("a:1")).await, (429, false));
        watched.lasts(2);
    }
    door.open();
    first.await.expect("no panic").expect("an answer");
    watched
}

/// A converter takes more than a second.
async fn slow() -> Watched {
    let mut watched = Watched::start(Limits::default()).await;
    for round in 0..8 {
        let name = format!("faults, slow {round}");
        let door = Door::of(&name);
        let open = async {
            door.has_come(1).await;
            // This is the fault itself.
            tokio::time::sleep(Duration::from_millis(1001)).await;
            door.open();
        };
        let review = review_of(&format!("wait {name}"));
        let (answer, ()) = tokio::join!(watched.sends(&review), open);
        assert_eq!(answer, (200, true));
        watched.lasts(3);
    }
    watched
}

/// A converter never returns.
async fn stuck() -> Watched {
    let brief = limits(|limits| limits.time = Duration::from_millis(100));
    let mut watched = Watched::start(brief).await;
    assert_eq!(watched.sends(&review_of("wait faults, stuck")).await, (504, false));
    watched.lasts(20);
    Door::of("faults, stuck").open();
    watched
}

/// A server with a certificate in a folder.
async fn certified(folder: &TempDir) -> Watched {
    let (certificate, key) = pair("127.0.0.1", 2100);
    publish(folder.path(), "1", (&certificate, &key));
    let files = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
    let server = Running::start_with(certificate, |server| {
        server.certificate_files(files.0, files.1).reload_every(Duration::from_millis(10))
    });
    Watched::of(server.await).await
}

/// A renewed certificate is for another key.
async fn refused() -> Watched {
    let folder = TempDir::new().expect("a folder");
    let mut watched = certified(&folder).await;
    let ((certificate, _), (_, key)) = (pair("127.0.0.1", 2101), pair("127.0.0.1", 2102));
    publish(folder.path(), "2", (&certificate, &key));
    watched.server.until(r#"certificate_reloads_total{result="refused"}"#, 1.0).await;
    watched.lasts(20);
    watched
}

/// Nobody renews a certificate.
async fn expiring() -> Watched {
    let folder = TempDir::new().expect("a folder");
    let mut watched = certified(&folder).await;
    let tomorrow = SystemTime::now() + Duration::from_secs(24 * 3600);
    let (certificate, key) = pair_until("127.0.0.1", tomorrow);
    publish(folder.path(), "2", (&certificate, &key));
    watched.server.until(r#"certificate_reloads_total{result="loaded"}"#, 1.0).await;
    watched.lasts(20);
    watched
}

/// A client has written a carrier's annotation.
async fn meddled() -> Watched {
    let mut watched = Watched::start(Limits::default()).await;
    let object = annotated("conversion.example.com/v2.spec.host", "nonsense");
    watched.converts(&review(&[object])).await;
    watched.lasts(20);
    watched
}

/// An object of the stored version has a value for which the other version has no room.
async fn full() -> Watched {
    let mut watched = Watched::start(Limits::default()).await;
    // The other way round, the converter takes the first colon for the end of the host.
    let spec = json!({ "host": format!("a:{}", noise(300_000)), "port": "1" });
    let object = object("g", &spec).replace("example.com/v1", "example.com/v2");
    let review = review(&[object]).replace(
        r#""desiredAPIVersion":"example.com/v2""#,
        r#""desiredAPIVersion":"example.com/v1""#,
    );
    watched.converts(&review).await;
    watched.lasts(20);
    watched
}

/// An object has little room left.
async fn nearly_full() -> Watched {
    let mut watched = Watched::start(Limits::default()).await;
    let spec = json!({ "address": "a:1", "owner": noise(140_000) });
    watched.converts(&review(&[object("g", &spec)])).await;
    watched.lasts(20);
    watched
}

#[tokio::test]
async fn each_is_raised_by_a_server_with_its_fault() {
    const NEARLY_FULL: &str = "CrdConvAnnotationsNearlyFull";
    let cases: [(&[&str], Watched); 9] = [
        (&["CrdConvReviewsFail"], failing().await),
        (&["CrdConvReviewsRefused"], overloaded().await),
        (&["CrdConvReviewsSlow"], slow().await),
        (&["CrdConvCertificateExpires"], expiring().await),
        (&["CrdConvCertificateRefused"], refused().await),
        (&["CrdConvConverterStuck"], stuck().await),
        (&["CrdConvEntriesNotRestored"], meddled().await),
        (&["CrdConvValuesDidNotFit", NEARLY_FULL], full().await),
        (&[NEARLY_FULL], nearly_full().await),
    ];
    let tested: BTreeSet<_> = cases.iter().map(|(alerts, _)| alerts[0].to_owned()).collect();
    assert_eq!(tested, names(RULES, "- alert: "));
    let tests: Vec<_> = cases.iter().map(|(alerts, watched)| watched.raises(alerts)).collect();
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("tests.yaml");
    let rules = root().join(RULES).canonicalize().expect("a file");
    let all = json!({ "rule_files": [rules], "evaluation_interval": "1m", "tests": tests });
    fs::write(&file, all.to_string()).expect("a file");
    promtool(["test", "rules", file.to_str().expect("UTF-8")]).said();
}
