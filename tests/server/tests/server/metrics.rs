//! What is counted and logged.

use crd_conv_server_tests::{Connection, Protocol, Running, logged, noise, object, review};
use serde_json::json;

#[tokio::test]
async fn reviews_and_objects_are_counted() {
    let server = Running::start(|server| server).await;
    let mut connection = server.connect(Protocol::Http1).await;
    let good = [
        object("a", &json!({ "address": "a:1", "owner": "ada", "level": "3" })),
        object("b", &json!({ "address": "b:2", "level": "high" })),
        object("c", &json!({ "address": "c:3" })).replace("example.com/v1", "example.com/v2"),
    ];
    let answer = connection.review(&review(&good)).await.expect("an answer");
    let answer = answer.json();
    assert_eq!(answer["response"]["result"]["status"], "Success");
    let mut kept = kept_bytes(&answer);
    assert!(kept > 0, "the premise");
    let bad =
        [object("a", &json!({ "address": "a:1" })), object("d", &json!({ "address": "nowhere" }))];
    connection.review(&review(&bad)).await.expect("an answer");
    let edited = object("e", &json!({ "address": "e:5" })).replace(
        r#""name":"e""#,
        r#""name":"e","annotations":{"conversion.example.com/v2.spec.host":"nonsense"}"#,
    );
    let answer = connection.review(&review(&[edited])).await.expect("an answer");
    kept += kept_bytes(&answer.json());

    let objects = |from: &str, to: &str, result: &str| {
        server.count(&format!(
            r#"objects_total{{group="example.com",kind="Gate",from="{from}",to="{to}",result="{result}"}}"#
        ))
    };
    assert_eq!(objects("v1", "v2", "converted"), Some(3.0), "nothing of the failed review");
    assert_eq!(objects("v2", "v2", "converted"), Some(1.0));
    assert_eq!(objects("v1", "v2", "failed"), Some(1.0));
    assert_eq!(server.count(r#"reviews_total{result="converted"}"#), Some(2.0));
    assert_eq!(server.count(r#"reviews_total{result="failed"}"#), Some(1.0));
    #[expect(clippy::cast_precision_loss, reason = "it is small")]
    let kept = kept as f64;
    assert_eq!(server.count("kept_bytes_total"), Some(kept));
    assert_eq!(server.count("fallbacks_total"), Some(1.0), "for `high`");
    assert_eq!(server.count(r#"entries_not_restored_total{reason="malformed"}"#), Some(1.0));
    assert_eq!(server.count(r#"entries_not_restored_total{reason="edited"}"#), Some(0.0));
    assert_eq!(server.count("review_duration_seconds_count"), Some(3.0));
    assert_eq!(server.count("requests_under_way"), Some(0.0));
    assert_eq!(server.count("connections"), Some(1.0));
}

#[tokio::test]
async fn objects_with_little_room_left_are_counted() {
    let server = Running::start(|server| server).await;
    let mut connection = server.connect(Protocol::Http1).await;
    let owner = |count| object("a", &json!({ "address": "a:1", "owner": noise(count) }));
    // Half of the room is 131,072 bytes.
    let objects = [owner(10), owner(100_000), owner(140_000)];
    let answer = connection.review(&review(&objects)).await.expect("an answer").json();
    assert_eq!(answer["response"]["result"]["status"], "Success", "{answer}");
    assert!(kept_bytes(&answer) > 220_000, "invalid test case");
    assert_eq!(server.count("nearly_full_objects_total"), Some(1.0));
}

/// How many bytes the annotations of the answer have, of objects that had none.
fn kept_bytes(answer: &serde_json::Value) -> usize {
    let objects = answer["response"]["convertedObjects"].as_array().expect("objects").iter();
    let annotations = objects.filter_map(|object| object["metadata"]["annotations"].as_object());
    annotations.flatten().map(|(key, value)| key.len() + value.to_string().len()).sum()
}

#[tokio::test]
async fn no_client_makes_labels() {
    let server = Running::start(|server| server).await;
    let mut connection = server.connect(Protocol::Http1).await;
    connection.review(&review(&[])).await.expect("an answer");
    let shape = |text: String| {
        let names = text
            .lines()
            .map(|line| line.rsplit_once(' ').map_or(line, |(name, _)| name).to_owned());
        names.collect::<Vec<_>>()
    };
    let good = object("a", &json!({ "address": "a:1" }));
    let hostile = |number: usize| {
        [
            good.replace("Gate", &format!("Kind{number}")),
            good.replace("example.com/v1", &format!("example.com/v{}", number + 3)),
            good.replace("example.com/v1", &format!("e{number}.com/v1")),
        ]
    };
    for object in hostile(0) {
        connection.review(&review(&[object])).await.expect("an answer");
    }
    let before = shape(server.conversion.metrics());
    for object in (1..50).flat_map(hostile) {
        let answer = connection.review(&review(&[object])).await.expect("an answer");
        assert_eq!(answer.json()["response"]["result"]["status"], "Failed");
    }
    assert_eq!(shape(server.conversion.metrics()), before);
    let other =
        r#"objects_total{group="other",kind="other",from="other",to="other",result="failed"}"#;
    assert_eq!(server.count(other), Some(100.0));
    let known =
        r#"objects_total{group="example.com",kind="Gate",from="other",to="other",result="failed"}"#;
    assert_eq!(server.count(known), Some(50.0));
}

#[tokio::test]
async fn probes_are_on_both_addresses() {
    let server = Running::start(|server| server).await;
    let mut plain = Connection::plain(server.probes).await.expect("a connection");
    let mut secure = server.connect(Protocol::Http2).await;
    for connection in [&mut plain, &mut secure] {
        for path in ["/healthz", "/readyz"] {
            let answer = connection.get(path).await.expect("an answer");
            assert_eq!((answer.status.as_u16(), answer.body.as_str()), (200, "ok\n"));
        }
        let answer = connection.get("/metrics").await.expect("an answer");
        assert_eq!(answer.status, 200);
        let format = answer.header("content-type").expect("a format");
        assert!(format.starts_with("application/openmetrics-text; version=1.0.0"), "{format}");
        assert!(answer.body.ends_with("# EOF\n"));
        assert!(answer.body.contains("# TYPE crd_conv_review_duration_seconds histogram\n"));
    }
    let answer = plain.review(&review(&[])).await.expect("an answer");
    assert_eq!(answer.status, 404, "conversions are over HTTPS only");
}

#[tokio::test]
async fn the_log_has_names_and_no_values() {
    let server = Running::start(|server| server).await;
    let mut connection = server.connect(Protocol::Http1).await;
    let endless = "n".repeat(100_000);
    for (name, spec) in [
        ("refused", json!({ "address": "sesame" })),
        ("panics", json!({ "address": "panic sesame" })),
        ("unreadable", json!({ "address": { "sesame": "sesame" } })),
        ("falls", json!({ "address": "a:1", "level": "sesame" })),
        (endless.as_str(), json!({ "address": "sesame" })),
    ] {
        let answer = connection.review(&review(&[object(name, &spec)])).await.expect("an answer");
        assert_eq!(answer.status, 200);
    }
    connection.review("sesame").await.expect("an answer");
    let text = logged();
    for name in ["refused", "panics", "unreadable"] {
        let line = text.lines().find(|line| line.contains(&format!("`default/{name}`")));
        let line = line.unwrap_or_else(|| panic!("{name} isn't in {text}"));
        for part in ["WARN crd_conv::server", "Gate", "v1", "v2", "spec.address"] {
            assert!(line.contains(part), "{line}");
        }
    }
    for line in text.lines() {
        assert!(!line.contains("sesame"), "{line}");
        assert!(line.len() < 2000, "{line}");
    }
}
