//! Conversions on a server that is there already.

use axum::Router;
use axum::routing::get;
use crd_conv::ResourceType;
use crd_conv::server::{CertificateError, Conversion, Server, ServerError};
use crd_conv_server_tests::{Gate, Protocol, Running, certificate, post, review_of};
use http_body_util::BodyExt;
use hyper::{Request, StatusCode};
use tower::ServiceExt;

#[tokio::test]
async fn a_conversion_is_one_line_beside_other_routes() {
    let conversion = Conversion::new([ResourceType::of::<Gate>()]);
    let app: Router = Router::new()
        .route("/other", get(|| async { "the author's own" }))
        .route_service("/convert", conversion.clone())
        .merge(conversion.probes());
    let answer =
        app.clone().oneshot(post("/convert", &review_of("a:1")).map(axum::body::Body::new)).await;
    let answer = answer.expect("it can't fail");
    assert_eq!(answer.status(), StatusCode::OK);
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    assert!(String::from_utf8_lossy(&body).contains(r#""host":"a""#));

    // Without axum.
    let answer = conversion.clone().oneshot(post("/anywhere", &review_of("a:1"))).await;
    assert_eq!(answer.expect("it can't fail").status(), StatusCode::OK);
    assert!(conversion.metrics().contains("crd_conv_reviews_total{result=\"converted\"} 2\n"));

    let ready = |app: Router| async {
        let request = Request::get("/readyz").body(axum::body::Body::empty()).expect("a request");
        app.oneshot(request).await.expect("it can't fail").status()
    };
    assert_eq!(ready(app.clone()).await, StatusCode::OK);
    conversion.withdraw();
    assert_eq!(ready(app.clone()).await, StatusCode::SERVICE_UNAVAILABLE);
    let answer =
        conversion.clone().oneshot(post("/", &review_of("a:1"))).await.expect("it can't fail");
    assert_eq!(answer.status(), StatusCode::OK);
    conversion.drain().await;
    let answer =
        conversion.clone().oneshot(post("/", &review_of("a:1"))).await.expect("it can't fail");
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn an_author_has_other_routes_on_the_same_server() {
    let server = Running::start(|server| {
        server.routes(Router::new().route("/validate", get(|| async { "the author's own" })))
    })
    .await;
    let mut connection = server.connect(Protocol::Http1).await;
    let answer = connection.get("/validate").await.expect("an answer");
    assert_eq!(answer.body, "the author's own");
    assert_eq!(connection.review(&review_of("a:1")).await.expect("an answer").status, 200);
}

#[tokio::test]
async fn what_keeps_a_server_from_starting_is_one_sentence() {
    let server = || Server::new([]).address(([127, 0, 0, 1], 0).into());
    let refused = |server: Server| async { server.bind().await.expect_err("it doesn't start") };
    let error = refused(server()).await;
    assert!(matches!(error, ServerError::NoCertificate), "{error}");

    let error = refused(server().certificate_files("/nowhere/tls.crt", "/nowhere/tls.key")).await;
    assert!(matches!(error, ServerError::Certificate(CertificateError::File(..))), "{error}");
    assert!(error.to_string().contains("/nowhere/tls.crt"), "{error}");
    let error = refused(server().certificate_pem("nonsense", "nonsense")).await;
    assert!(matches!(error, ServerError::Certificate(CertificateError::Certificate(_))), "{error}");

    for path in ["", "convert", "/healthz", "/convert/{id}", "/a b"] {
        let error = refused(server().path(path).self_signed(&certificate())).await;
        assert!(matches!(error, ServerError::Path(_)), "{error}");
        assert!(error.to_string().contains(&format!("`{path}`")), "{error}");
    }

    let taken = Running::start(|server| server).await;
    let error = refused(server().address(taken.address).self_signed(&certificate())).await;
    assert!(matches!(error, ServerError::Address(..)), "{error}");
}
