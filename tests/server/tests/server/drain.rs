//! How a server goes without a request that fails.

use std::time::Duration;

use crd_conv_server_tests::{Connection, Door, Protocol, Running, review_of};

#[tokio::test]
async fn while_it_withdraws_it_answers_and_is_not_ready() {
    let mut server = Running::start(|server| server.withdrawal(Duration::from_secs(3600))).await;
    let mut open = server.connect(Protocol::Http1).await;
    assert_eq!(open.review(&review_of("a:1")).await.expect("an answer").header("connection"), None);
    let mut probes = Connection::plain(server.probes).await.expect("a connection");
    assert_eq!(probes.get("/readyz").await.expect("an answer").status, 200);

    server.stop();
    until_not_ready(&mut probes).await;
    assert_eq!(probes.get("/healthz").await.expect("an answer").status, 200, "it isn't dead");
    let answer = open.review(&review_of("a:1")).await.expect("an answer");
    assert_eq!((answer.status.as_u16(), answer.header("connection")), (200, Some("close")));
    open.closed().await;

    // Kubernetes may send clients for a while.
    for protocol in [Protocol::Http1, Protocol::Http2] {
        let mut new = server.connect(protocol).await;
        let answer = new.review(&review_of("a:1")).await.expect("an answer");
        assert_eq!(answer.status, 200);
        let leaves = (protocol == Protocol::Http1).then_some("close");
        assert_eq!(answer.header("connection"), leaves);
    }
}

#[tokio::test]
async fn requests_under_way_end_and_others_are_sent_away() {
    let mut server = Running::start(|server| server).await;
    let door = Door::of("drain");
    let mut under_way = Vec::new();
    for protocol in [Protocol::Http1, Protocol::Http2, Protocol::Http1] {
        let mut connection = server.connect(protocol).await;
        under_way.push(tokio::spawn(async move {
            (connection.review(&review_of("wait drain")).await, connection)
        }));
    }
    let mut idle = server.connect(Protocol::Http1).await;
    assert_eq!(idle.review(&review_of("a:1")).await.expect("an answer").status, 200);
    door.has_come(3).await;

    server.stop();
    // Who is told first depends on the threads.
    while server
        .connect(Protocol::Http1)
        .await
        .review(&review_of("a:1"))
        .await
        .expect("an answer")
        .status
        == 200
    {}
    // Also one that Kubernetes sends here still: the API server doesn't connect again to a port that nobody listens at.
    let mut new = server.connect(Protocol::Http1).await;
    for connection in [&mut idle, &mut new] {
        let answer = connection.review(&review_of("a:1")).await.expect("an answer");
        assert_eq!(answer.status, 503);
        assert_eq!(answer.header("retry-after"), Some("1"));
        assert_eq!(answer.header("connection"), Some("close"));
        connection.closed().await;
    }
    let mut probes = Connection::plain(server.probes).await.expect("probes go on");
    assert_eq!(probes.get("/readyz").await.expect("an answer").status, 503);

    door.open();
    for request in under_way {
        let (answer, mut connection) = request.await.expect("no panic");
        let answer = answer.expect("an answer");
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["response"]["result"]["status"], "Success");
        connection.closed().await;
    }
    server.stopped().await;
}

#[tokio::test]
async fn what_takes_longer_than_the_limit_is_given_up() {
    let mut server = Running::start(|server| server.drain_limit(Duration::from_millis(100))).await;
    let door = Door::of("drain, limit");
    let mut connection = server.connect(Protocol::Http1).await;
    let request =
        tokio::spawn(async move { connection.review(&review_of("wait drain, limit")).await });
    door.has_come(1).await;
    server.stop();
    server.stopped().await;
    request.await.expect("no panic").expect_err("nobody answers");
    // For the runtime's end.
    door.open();
}

#[tokio::test]
async fn a_request_that_comes_at_the_end_is_answered_and_not_cut_off() {
    let mut server = Running::start(|server| server).await;
    let mut connection = server.connect(Protocol::Http1).await;
    assert_eq!(connection.review(&review_of("a:1")).await.expect("an answer").status, 200);
    server.stop();
    let mut probes = Connection::plain(server.probes).await.expect("a connection");
    until_not_ready(&mut probes).await;
    // Nothing is under way, so nothing but the connections keeps the server.
    let answer = connection.review(&review_of("a:1")).await.expect("an answer");
    assert_eq!(answer.header("connection"), Some("close"));
    server.stopped().await;
}

#[tokio::test]
async fn without_connections_it_ends_at_once() {
    let mut server = Running::start(|server| server).await;
    server.connect(Protocol::Http1).await.review(&review_of("a:1")).await.expect("an answer");
    server.until("connections", 0.0).await;
    let start = std::time::Instant::now();
    server.stop();
    server.stopped().await;
    assert!(start.elapsed() < Duration::from_millis(900), "{:?}", start.elapsed());
}

#[tokio::test]
async fn idle_connections_keep_it_for_a_moment() {
    let mut server = Running::start(|server| server).await;
    let mut idle = server.connect(Protocol::Http1).await;
    let mut other = server.connect(Protocol::Http2).await;
    for connection in [&mut idle, &mut other] {
        assert_eq!(connection.review(&review_of("a:1")).await.expect("an answer").status, 200);
    }
    server.stop();
    server.stopped().await;
    idle.closed().await;
    other.closed().await;
}

async fn until_not_ready(probes: &mut Connection) {
    while probes.get("/readyz").await.expect("an answer").status == 200 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
