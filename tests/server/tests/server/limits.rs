//! Clients that take their time, and many at once.

use std::time::Duration;

use crd_conv::server::Limits;
use crd_conv_server_tests::{Door, Protocol, Running, review_of, tls};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn running(change: impl FnOnce(&mut Limits)) -> Running {
    let mut limits = Limits::default();
    change(&mut limits);
    Running::start(|server| server.limits(limits)).await
}

#[tokio::test]
async fn a_client_without_a_handshake_is_dropped() {
    let server = running(|limits| limits.handshake = Duration::from_millis(100)).await;
    let mut silent = TcpStream::connect(server.address).await.expect("a connection");
    let mut wrong = TcpStream::connect(server.address).await.expect("a connection");
    wrong.write_all(b"GET / HTTP/1.1\r\n\r\n").await.expect("the server reads");
    let mut rest = Vec::new();
    assert_eq!(silent.read_to_end(&mut rest).await.expect("an end"), 0);
    // An alert of TLS, perhaps, and the end.
    let _ = wrong.read_to_end(&mut rest).await;
    server.until(r#"dropped_connections_total{reason="handshake"}"#, 2.0).await;
    server.until("connections", 0.0).await;
}

#[tokio::test]
async fn a_client_with_a_slow_head_is_dropped_and_an_idle_one_is_not() {
    let server = running(|limits| limits.head = Duration::from_millis(100)).await;
    let mut idle = server.connect(Protocol::Http1).await;
    assert_eq!(idle.review(&review_of("a:1")).await.expect("an answer").status, 200);

    let slow = tls(server.address, &server.authority, Protocol::Http1).await.expect("a connection");
    let (mut reads, mut writes) = tokio::io::split(slow);
    let drips = tokio::spawn(async move {
        writes.write_all(b"POST /convert HTTP/1.1\r\n").await?;
        loop {
            writes.write_all(b"x: y\r\n").await?;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        #[expect(unreachable_code, reason = "it says the type")]
        std::io::Result::Ok(())
    });
    let mut rest = Vec::new();
    let _ = reads.read_to_end(&mut rest).await;
    assert_eq!(rest, [0_u8; 0], "no answer");
    drips.await.expect("no panic").expect_err("nobody reads");
    server.until(r#"dropped_connections_total{reason="head"}"#, 1.0).await;

    // A head had as much time twice, and this one has begun nothing.
    tokio::time::sleep(Duration::from_millis(250)).await;
    let answer = idle.review(&review_of("a:1")).await.expect("the connection is still good");
    assert_eq!(answer.status, 200);
    assert_eq!(server.count(r#"dropped_connections_total{reason="head"}"#), Some(1.0));
}

#[tokio::test]
async fn a_connection_without_requests_is_closed_in_the_end() {
    let server = running(|limits| limits.idle = Duration::from_millis(100)).await;
    let mut fresh = server.connect(Protocol::Http1).await;
    let mut used = server.connect(Protocol::Http1).await;
    let mut other = server.connect(Protocol::Http2).await;
    for connection in [&mut used, &mut other] {
        assert_eq!(connection.review(&review_of("a:1")).await.expect("an answer").status, 200);
    }
    for connection in [&mut fresh, &mut used, &mut other] {
        connection.closed().await;
    }
    server.until("connections", 0.0).await;
}

#[tokio::test]
async fn a_connection_too_many_waits_for_another_to_end() {
    let server = running(|limits| limits.connections = 1).await;
    let first = server.connect(Protocol::Http1).await;
    let address = server.address;
    let authority = server.authority.clone();
    let second = tokio::spawn(async move {
        let mut second =
            crd_conv_server_tests::Connection::open(address, &authority, Protocol::Http1)
                .await
                .expect("a connection");
        second.review(&review_of("a:1")).await
    });
    server.until("connections", 1.0).await;
    assert!(!second.is_finished());
    drop(first);
    assert_eq!(second.await.expect("no panic").expect("an answer").status, 200);
}

/// The test's runtime has one thread, which the server has too.
#[tokio::test]
async fn only_small_reviews_without_converters_need_no_thread_of_their_own() {
    let server = running(|limits| {
        limits.conversions = 1;
        limits.time = Duration::from_millis(500);
    })
    .await;
    let door = Door::of("limits, the only thread");
    let mut first = server.connect(Protocol::Http1).await;
    let stuck = tokio::spawn(async move {
        first.review(&review_of("wait limits, the only thread")).await.expect("an answer").status
    });
    door.has_come(1).await;

    let mut connection = server.connect(Protocol::Http1).await;
    let mut status_of =
        async |review: &str| connection.review(review).await.expect("an answer").status.as_u16();
    let without_converters =
        |padding: &str| review_of(padding).replace("example.com/v1\"", "example.com/v2\"");
    assert_eq!(status_of(&without_converters("small")).await, 200);
    assert_eq!(status_of("not JSON").await, 400);
    assert_eq!(status_of(&without_converters(&"large".repeat(4000))).await, 429);
    assert_eq!(status_of(&review_of("a:1")).await, 429, "it needs a converter");
    assert_eq!(stuck.await.expect("no panic"), 504);
    door.open();
    server.until("overdue_conversions", 0.0).await;
    assert_eq!(status_of(&review_of("a:1")).await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_at_once_are_all_answered_in_the_end() {
    let server = running(|limits| {
        limits.requests = 32;
        limits.conversions = 4;
    })
    .await;
    let door = Door::of("limits, many");
    let mut clients = Vec::new();
    for _ in 0..200 {
        let mut connection = server.connect(Protocol::Http1).await;
        clients.push(tokio::spawn(async move {
            let mut sent_away = 0;
            loop {
                let answer = connection.review(&review_of("wait limits, many")).await;
                let answer = answer.expect("an answer, whatever it says");
                if answer.status == 200 {
                    assert_eq!(answer.json()["response"]["result"]["status"], "Success");
                    return sent_away;
                }
                assert_eq!(answer.status, 429);
                assert_eq!(answer.header("retry-after"), Some("1"));
                sent_away += 1;
                // As the API server, which waits a second and tries ten times; here for a fraction of it.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }));
    }
    door.has_come(4).await;
    server.until("requests_under_way", 32.0).await;
    while server.count(r#"reviews_total{result="overloaded"}"#) < Some(168.0) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    door.open();
    let mut sent_away = 0;
    for client in clients {
        sent_away += client.await.expect("no panic");
    }
    assert!(sent_away >= 168);
    assert_eq!(server.count(r#"reviews_total{result="converted"}"#), Some(200.0));
    assert_eq!(server.count("requests_under_way"), Some(0.0));
}
