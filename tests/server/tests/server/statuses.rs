//! Each row of the table of statuses.

use std::time::Duration;

use crd_conv::server::{Limits, Server};
use crd_conv_server_tests::{Door, Protocol, Running, object, post, review, review_of, tls};
use hyper::{Method, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn limits(change: impl FnOnce(&mut Limits)) -> impl FnOnce(Server) -> Server {
    let mut limits = Limits::default();
    change(&mut limits);
    |server| server.limits(limits)
}

#[tokio::test]
async fn a_review_is_200_also_if_it_failed() {
    let server = Running::start(|server| server).await;
    for protocol in [Protocol::Http1, Protocol::Http2] {
        let mut connection = server.connect(protocol).await;
        let answer = connection.review(&review_of("db:5432")).await.expect("an answer");
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("connection"), None);
        let converted = &answer.json()["response"]["convertedObjects"][0];
        assert_eq!(converted["spec"]["host"], "db");
        assert_eq!(converted["apiVersion"], "example.com/v2");

        for (address, reason) in [("nowhere", "isn't `host:port`"), ("panic now", "panicked: ")] {
            let answer = connection.review(&review_of(address)).await.expect("an answer");
            assert_eq!(answer.status, StatusCode::OK);
            let result = &answer.json()["response"]["result"];
            assert_eq!(result["status"], "Failed");
            let message = result["message"].as_str().expect("a message");
            assert!(message.contains(reason) && message.contains("`default/g`"), "{message}");
        }
    }
}

/// No value of an object gets here: it takes a converter that panics with something that panics in turn.
#[tokio::test]
async fn what_no_review_tells_of_is_500_and_the_next_review_goes_on() {
    let server = Running::start(|server| server).await;
    let mut connection = server.connect(Protocol::Http1).await;
    for _ in 0..3 {
        let answer = connection.review(&review_of("panic twice")).await.expect("an answer");
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(answer.header("retry-after"), None);
        let answer = connection.review(&review_of("db:5432")).await.expect("an answer");
        assert_eq!(answer.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn what_is_no_review_has_a_status_of_its_own() {
    let mut limits = Limits::default();
    limits.body_bytes = 4096;
    let server = Running::start(|server| server.limits(limits).path("/crdconvert")).await;
    let good = review_of("db:5432");
    let other = |from: &str, to: &str| {
        assert!(good.contains(from));
        good.replacen(from, to, 1)
    };
    let padded = review(&[object("g", &json!({ "address": "a:1", "padding": "x".repeat(8192) }))]);
    let plain = |body: &str| post("/crdconvert", body);
    let typed = |body: &str, header: &'static str, value: &'static str| {
        let mut request = plain(body);
        request.headers_mut().insert(header, value.parse().expect("a value"));
        request
    };
    let mut get = plain("");
    *get.method_mut() = Method::GET;
    let cases = [
        (plain(&good), 200, "converted"),
        (typed(&good, "content-type", "Application/JSON; charset=utf-8"), 200, "converted"),
        (plain(""), 400, "malformed"),
        (plain("nonsense"), 400, "malformed"),
        (plain(&good[..60]), 400, "malformed"),
        (plain(&other(r#""uid":"u-1","#, "")), 400, "malformed"),
        (plain(&other("ConversionReview", "AdmissionReview")), 422, "other_kind"),
        (plain(&other("k8s.io/v1", "k8s.io/v2")), 422, "unknown_version"),
        (get, 405, "method"),
        (plain(&padded), 413, "too_large"),
        (typed(&good, "content-type", "text/plain"), 415, "media_type"),
        (typed(&good, "content-encoding", "gzip"), 415, "media_type"),
    ];
    for (number, (request, status, result)) in cases.into_iter().enumerate() {
        let counter = format!(r#"reviews_total{{result="{result}"}}"#);
        let before = server.count(&counter).expect("all results are there from the start");
        let mut connection = server.connect(Protocol::Http1).await;
        let answer = connection.send(request).await.expect("an answer");
        assert_eq!(answer.status, status, "{number} {answer:?}");
        assert_eq!(server.count(&counter), Some(before + 1.0), "{number}");
        assert_eq!(answer.header("retry-after"), None, "{number}: asking again helps nobody");
        assert_eq!(answer.header("connection"), (status == 413).then_some("close"), "{number}");
        assert_eq!(answer.header("allow"), (status == 405).then_some("POST"), "{number}");
        if status != 200 {
            assert_eq!(answer.header("content-type"), Some("application/json"));
            let said = answer.json();
            assert_eq!((&said["kind"], &said["apiVersion"]), (&json!("Status"), &json!("v1")));
            assert_eq!((&said["status"], &said["code"]), (&json!("Failure"), &json!(status)));
            let message = said["message"].as_str().expect("a message");
            assert!(message.contains(' ') && !message.contains('\n'), "one sentence: {message}");
        }
    }
    let mut connection = server.connect(Protocol::Http1).await;
    let answer = connection.send(post("/convert", &good)).await.expect("an answer");
    assert_eq!(answer.status, 404, "the path is another one");
}

#[tokio::test]
async fn too_many_requests_are_sent_away_for_now() {
    let server = Running::start(limits(|limits| limits.requests = 1)).await;
    let door = Door::of("statuses, requests");
    let mut first = server.connect(Protocol::Http1).await;
    let first =
        tokio::spawn(async move { first.review(&review_of("wait statuses, requests")).await });
    door.has_come(1).await;
    let mut second = server.connect(Protocol::Http1).await;
    let answer = second.review(&review_of("a:1")).await.expect("an answer");
    assert_eq!(answer.status, 429);
    assert_eq!(answer.header("retry-after"), Some("1"));
    door.open();
    assert_eq!(first.await.expect("no panic").expect("an answer").status, 200);
    let answer = second.review(&review_of("a:1")).await.expect("the connection is still good");
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn what_has_no_room_in_memory_is_sent_away_for_now() {
    let server = Running::start(limits(|limits| limits.buffered_bytes = 2000)).await;
    let door = Door::of("statuses, room");
    let mut first = server.connect(Protocol::Http1).await;
    let first = tokio::spawn(async move { first.review(&review_of("wait statuses, room")).await });
    door.has_come(1).await;
    let large = review(&[object("g", &json!({ "address": "a:1", "padding": "x".repeat(1600) }))]);
    let mut second = server.connect(Protocol::Http1).await;
    let answer = second.review(&large).await.expect("an answer");
    assert_eq!(answer.status, 429);
    assert_eq!(answer.header("retry-after"), Some("1"));
    let answer = server.connect(Protocol::Http1).await.review(&review_of("a:1")).await;
    assert_eq!(answer.expect("an answer").status, 200, "a small one has room beside the first");
    door.open();
    assert_eq!(first.await.expect("no panic").expect("an answer").status, 200);
    let answer = server.connect(Protocol::Http1).await.review(&large).await.expect("an answer");
    assert_eq!(answer.status, 200, "the room is free again");
}

#[tokio::test]
async fn a_conversion_that_takes_too_long_is_given_up() {
    let server = Running::start(limits(|limits| {
        limits.time = Duration::from_millis(100);
        limits.conversions = 1;
    }))
    .await;
    let door = Door::of("statuses, time");
    let mut connection = server.connect(Protocol::Http1).await;
    let answer = connection.review(&review_of("wait statuses, time")).await.expect("an answer");
    assert_eq!(answer.status, 504);
    assert_eq!(answer.header("retry-after"), None);

    // It still runs, and nothing else can.
    assert_eq!(server.count("overdue_conversions"), Some(1.0));
    let health = connection.get("/healthz").await.expect("an answer");
    assert_eq!(health.status, 503, "only a restart helps if this lasts");
    let answer = connection.review(&review_of("a:1")).await.expect("an answer");
    assert_eq!(answer.status, 429, "nothing was done of it, so it may come again");
    assert_eq!(answer.header("retry-after"), Some("1"));

    door.open();
    server.until("overdue_conversions", 0.0).await;
    assert_eq!(connection.get("/healthz").await.expect("an answer").status, 200);
    let answer = connection.review(&review_of("a:1")).await.expect("an answer");
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn a_body_that_takes_too_long_is_given_up() {
    let server = Running::start(limits(|limits| limits.time = Duration::from_millis(100))).await;
    let mut stream =
        tls(server.address, &server.authority, Protocol::Http1).await.expect("a connection");
    stream
        .write_all(b"POST /convert HTTP/1.1\r\nhost: w\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"kind\"")
        .await
        .expect("the server reads");
    let mut answer = String::new();
    // Up to the end of the connection.
    stream.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_nothing_behind() {
    let server = Running::start(|server| server).await;
    let mut stream =
        tls(server.address, &server.authority, Protocol::Http1).await.expect("a connection");
    stream
        .write_all(b"POST /convert HTTP/1.1\r\nhost: w\r\ncontent-length: 100\r\n\r\n{\"kind\"")
        .await
        .expect("the server reads");
    server.until("requests_under_way", 1.0).await;
    drop(stream);
    server.until("requests_under_way", 0.0).await;
    server.until("connections", 0.0).await;
    let answer = server.connect(Protocol::Http1).await.review(&review_of("a:1")).await;
    assert_eq!(answer.expect("an answer").status, 200);
}
