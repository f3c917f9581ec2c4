//! Certificates that change while connections go on.

use std::path::Path;
use std::time::{Duration, SystemTime};

use crd_conv_server_tests::{Connection, Protocol, Running, publish, review_of};

/// A certificate for loopback.
fn pair(expires: i32) -> (String, String) {
    crd_conv_server_tests::pair("127.0.0.1", expires)
}

async fn running(directory: &Path, authority: &str) -> Running {
    Running::start_with(authority.to_owned(), |server| {
        server
            .certificate_files(directory.join("tls.crt"), directory.join("tls.key"))
            .reload_every(Duration::from_millis(10))
    })
    .await
}

/// Seconds since 1970, as `date -d 2100-01-01T00:00Z +%s` says.
const START_OF_2100: f64 = 4_102_444_800.0;
const START_OF_2101: f64 = 4_133_980_800.0;
const LOADED: &str = r#"certificate_reloads_total{result="loaded"}"#;
const REFUSED: &str = r#"certificate_reloads_total{result="refused"}"#;

#[tokio::test]
async fn a_new_pair_is_for_new_connections_and_old_ones_go_on() {
    let directory = tempfile::tempdir().expect("a directory");
    let (first, second) = (pair(2100), pair(2101));
    publish(directory.path(), "1", (&first.0, &first.1));
    let server = running(directory.path(), &first.0).await;
    let mut old = [server.connect(Protocol::Http1).await, server.connect(Protocol::Http2).await];
    for connection in &mut old {
        assert_eq!(connection.review(&review_of("a:1")).await.expect("an answer").status, 200);
    }
    assert_eq!(server.count("certificate_expiry_timestamp_seconds"), Some(START_OF_2100));

    publish(directory.path(), "2", (&second.0, &second.1));
    server.until(LOADED, 1.0).await;
    assert_eq!(server.count(REFUSED), Some(0.0));
    assert_eq!(server.count("certificate_expiry_timestamp_seconds"), Some(START_OF_2101));
    for connection in &mut old {
        let answer = connection.review(&review_of("a:1")).await.expect("the connection goes on");
        assert_eq!(answer.status, 200);
    }
    Connection::open(server.address, &first.0, Protocol::Http1)
        .await
        .expect_err("the old certificate isn't there any more");
    // As a CA bundle in the time between.
    for trusted in [second.0.clone(), format!("{}{}", first.0, second.0)] {
        let mut new = Connection::open(server.address, &trusted, Protocol::Http1)
            .await
            .expect("the new certificate");
        assert_eq!(new.review(&review_of("a:1")).await.expect("an answer").status, 200);
    }
}

#[tokio::test]
async fn a_pair_that_is_no_use_changes_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let (first, second, expired) = (pair(2100), pair(2101), pair(2021));
    publish(directory.path(), "1", (&first.0, &first.1));
    let server = running(directory.path(), &first.0).await;
    let mut old = server.connect(Protocol::Http1).await;
    for (number, (name, certificate, key)) in [
        ("garbage", "nonsense", "nonsense"),
        ("mismatch", second.0.as_str(), first.1.as_str()),
        ("no key", second.0.as_str(), ""),
        ("half", &second.0[..second.0.len() / 2], second.1.as_str()),
        ("expired", expired.0.as_str(), expired.1.as_str()),
    ]
    .into_iter()
    .enumerate()
    {
        publish(directory.path(), name, (certificate, key));
        #[expect(clippy::cast_precision_loss, reason = "it is small")]
        server.until(REFUSED, (number + 1) as f64).await;
        let mut new = server.connect(Protocol::Http1).await;
        for connection in [&mut old, &mut new] {
            let answer = connection.review(&review_of("a:1")).await.expect("an answer");
            assert_eq!(answer.status, 200, "{name}");
        }
    }
    assert_eq!(server.count("certificate_expiry_timestamp_seconds"), Some(START_OF_2100));

    std::fs::remove_file(directory.path().join("..data")).expect("a link");
    server.until(REFUSED, 6.0).await;
    server.connect(Protocol::Http1).await;

    // It needs no restart.
    publish(directory.path(), "2", (&second.0, &second.1));
    server.until(LOADED, 1.0).await;
    Connection::open(server.address, &second.0, Protocol::Http1)
        .await
        .expect("the new certificate");
    assert_eq!(server.count(REFUSED), Some(6.0), "each was counted once");
}

#[tokio::test]
async fn a_server_with_an_expired_certificate_recovers() {
    let directory = tempfile::tempdir().expect("a directory");
    let (expired, good) = (pair(2021), pair(2100));
    publish(directory.path(), "1", (&expired.0, &expired.1));
    let server = running(directory.path(), &expired.0).await;
    Connection::open(server.address, &expired.0, Protocol::Http1)
        .await
        .expect_err("no client takes it");
    let metric = server.count("certificate_expiry_timestamp_seconds").expect("it is told");
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    assert!(metric < now.as_secs_f64());
    publish(directory.path(), "2", (&good.0, &good.1));
    server.until(LOADED, 1.0).await;
    let mut new =
        Connection::open(server.address, &good.0, Protocol::Http1).await.expect("a connection");
    assert_eq!(new.review(&review_of("a:1")).await.expect("an answer").status, 200);
}

#[tokio::test]
async fn connections_go_on_through_many_changes() {
    let directory = tempfile::tempdir().expect("a directory");
    let pairs: Vec<_> = (0..5).map(|number| pair(2100 + number)).collect();
    let all: String = pairs.iter().map(|(certificate, _)| certificate.as_str()).collect();
    publish(directory.path(), "0", (&pairs[0].0, &pairs[0].1));
    let server = running(directory.path(), &all).await;
    let (stop, mut stopped) = tokio::sync::watch::channel(false);
    let mut kept = server.connect(Protocol::Http1).await;
    let client = tokio::spawn(async move {
        let mut count = 0_u32;
        while !*stopped.borrow_and_update() {
            let answer = kept.review(&review_of("a:1")).await.expect("the connection goes on");
            assert_eq!(answer.status, 200);
            count += 1;
        }
        count
    });
    for (number, (certificate, key)) in pairs.iter().enumerate().skip(1) {
        publish(directory.path(), &number.to_string(), (certificate, key));
        #[expect(clippy::cast_precision_loss, reason = "it is small")]
        server.until(LOADED, number as f64).await;
        server.connect(Protocol::Http1).await;
    }
    stop.send(true).expect("the client waits for it");
    assert!(client.await.expect("no request failed") > 0);
    assert_eq!(server.count(REFUSED), Some(0.0));
}
