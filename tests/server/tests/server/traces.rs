//! Reviews that belong to a trace.

use crd_conv::ResourceType;
use crd_conv::server::Conversion;
use crd_conv_server_tests::{Gate, Protocol, Running, logged, post, review_of};
use hyper::StatusCode;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider};
use tower::ServiceExt;
use tracing::instrument::WithSubscriber;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::layer::SubscriberExt;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

fn traced(body: &str) -> hyper::Request<http_body_util::Full<hyper::body::Bytes>> {
    let mut request = post("/convert", body);
    let header = format!("00-{TRACE}-{PARENT}-01").parse().expect("a header");
    request.headers_mut().insert("traceparent", header);
    request
}

#[tokio::test]
async fn the_log_names_the_trace_of_a_failed_review() {
    let server = Running::start(|server| server).await;
    let mut connection = server.connect(Protocol::Http1).await;
    // The converter panics on another thread than the one that logs it.
    for address in ["refused", "panic"] {
        let answer = connection.send(traced(&review_of(address))).await.expect("an answer");
        assert_eq!(answer.status, StatusCode::OK);
    }
    let answer = connection.send(traced(&review_of("a:1"))).await.expect("an answer");
    assert_eq!(answer.status, StatusCode::OK);
    let text = logged();
    let span = format!("review{{trace_id=\"{TRACE}\"}}: crd_conv::server");
    let lines: Vec<_> = text.lines().filter(|line| line.contains(&span)).collect();
    assert_eq!(lines.iter().filter(|line| line.contains(" WARN ")).count(), 2, "{text}");
    assert_eq!(lines.iter().filter(|line| line.contains(" INFO ")).count(), 0, "{text}");
}

#[tokio::test]
async fn a_review_is_a_part_of_its_open_telemetry_trace() {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("webhook"));
    let propagator = TraceContextPropagator::new();
    let conversion = Conversion::new([ResourceType::of::<Gate>()]).span(move |head| {
        let span = tracing::info_span!("review", otel.kind = "server");
        let _ = span.set_parent(propagator.extract(&HeaderExtractor(&head.headers)));
        span
    });
    let answer = conversion
        .oneshot(traced(&review_of("a:1")))
        .with_subscriber(tracing_subscriber::registry().with(layer))
        .await;
    assert_eq!(answer.expect("it can't fail").status(), StatusCode::OK);
    let spans = exporter.get_finished_spans().expect("spans");
    let [span] = &*spans else { panic!("{spans:#?}") };
    assert_eq!(span.name, "review");
    assert_eq!(span.span_context.trace_id().to_string(), TRACE);
    assert_eq!(span.parent_span_id.to_string(), PARENT);
}
