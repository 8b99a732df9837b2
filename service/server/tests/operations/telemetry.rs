//! Traces, metrics and log lines that the service exports to an OpenTelemetry collector; and access lines.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use dicepoker_testkit::Signal;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{SpanKind, TraceContextExt as _, Tracer as _, TracerProvider as _};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_proto::tonic::collector::logs::v1 as logs;
use opentelemetry_proto::tonic::collector::metrics::v1 as metrics;
use opentelemetry_proto::tonic::collector::trace::v1 as trace;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use rcgen::ExtendedKeyUsagePurpose;
use tonic::transport::{Identity, ServerTlsConfig};
use tonic::{Request, Response, Status};

use crate::server::{Server, score, start};
use crate::tls::{Authority, authority, signed};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

fn traced() -> Request<dicepoker_proto::v1::ScoreRequest> {
    let mut request = Request::new(score());
    let parent = format!("00-{TRACE}-{PARENT}-01");
    request.metadata_mut().insert("traceparent", parent.parse().expect("a header"));
    request
}

/// A collector that keeps what it receives.
#[derive(Clone, Debug, Default)]
struct Collector(Arc<Mutex<Collected>>);

#[derive(Debug, Default)]
struct Collected {
    spans: Vec<Span>,
    services: Vec<KeyValue>,
    metrics: Vec<String>,
    lines: Vec<(String, Vec<u8>)>,
}

#[tonic::async_trait]
impl trace::trace_service_server::TraceService for Collector {
    async fn export(
        &self,
        request: Request<trace::ExportTraceServiceRequest>,
    ) -> Result<Response<trace::ExportTraceServiceResponse>, Status> {
        let mut kept = self.0.lock().expect("no panic");
        for resource in request.into_inner().resource_spans {
            kept.services.extend(resource.resource.into_iter().flat_map(|r| r.attributes));
            kept.spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl metrics::metrics_service_server::MetricsService for Collector {
    async fn export(
        &self,
        request: Request<metrics::ExportMetricsServiceRequest>,
    ) -> Result<Response<metrics::ExportMetricsServiceResponse>, Status> {
        let resources = request.into_inner().resource_metrics.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_metrics);
        let names = scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name);
        self.0.lock().expect("no panic").metrics.extend(names);
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl logs::logs_service_server::LogsService for Collector {
    async fn export(
        &self,
        request: Request<logs::ExportLogsServiceRequest>,
    ) -> Result<Response<logs::ExportLogsServiceResponse>, Status> {
        let resources = request.into_inner().resource_logs.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_logs);
        let lines = scopes.flat_map(|scope| scope.log_records).map(|record| {
            let body = record.body.and_then(|body| body.value);
            let text = match body {
                Some(Value::StringValue(text)) => text,
                other => format!("{other:?}"),
            };
            (text, record.trace_id)
        });
        self.0.lock().expect("no panic").lines.extend(lines);
        Ok(Response::new(Default::default()))
    }
}

impl Collector {
    async fn start(&self) -> SocketAddr {
        self.serve(tonic::transport::Server::builder()).await
    }

    /// Starts with a certificate for localhost.
    async fn start_encrypted(&self, authority: &Authority) -> SocketAddr {
        let pair = signed(authority, "localhost", ExtendedKeyUsagePurpose::ServerAuth, 2999);
        let tls = ServerTlsConfig::new().identity(Identity::from_pem(pair.cert, pair.key));
        self.serve(tonic::transport::Server::builder().tls_config(tls).expect("sound")).await
    }

    async fn serve(&self, mut server: tonic::transport::Server) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let address = listener.local_addr().expect("bound");
        let server = server
            .add_service(trace::trace_service_server::TraceServiceServer::new(self.clone()))
            .add_service(metrics::metrics_service_server::MetricsServiceServer::new(self.clone()))
            .add_service(logs::logs_service_server::LogsServiceServer::new(self.clone()))
            .serve_with_incoming(tokio_stream::wrappers::TcpListenerStream::new(listener));
        tokio::spawn(server);
        address
    }
}

fn text<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_gets_the_callers_trace_the_metrics_and_the_log() {
    let collector = Collector::default();
    let endpoint = format!("http://{}", collector.start().await);
    let server = start(&["--otlp-endpoint", &endpoint, "--access-log", "1"]);
    server.logged(&["ready"]);
    let mut client = server.client().await;
    let served = client.score(traced()).await.expect("served");
    assert_eq!(served.metadata().get("trace-id").expect("a trace id"), TRACE);
    let unknown = dicepoker_proto::v1::ScoreRequest { ruleset: "whist".to_owned(), ..score() };
    let refused = client.score(unknown).await.expect_err("unknown");
    let begun_here =
        refused.metadata().get("trace-id").expect("a trace id").to_str().expect("text");
    server.signal(Signal::TERM);
    let (status, _) = tokio::task::block_in_place(|| server.ended());
    assert!(status.success(), "what is left is sent before the end");

    let kept = collector.0.lock().expect("no panic");
    assert_eq!(text(&kept.services, "service.name"), Some("dicepoker"));
    assert_eq!(kept.spans.len(), 2, "{:?}", kept.spans);
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let span = kept.spans.iter().find(|span| hex(&span.trace_id) == TRACE).expect("the trace");
    assert_eq!(hex(&span.parent_span_id), PARENT);
    assert!(kept.spans.iter().any(|span| hex(&span.trace_id) == begun_here), "{begun_here}");
    assert_eq!(span.name, "dicepoker.v1.DicePokerService/Score");
    assert_eq!(span.kind, 2, "SPAN_KIND_SERVER");
    assert_eq!(text(&span.attributes, "rpc.system.name"), Some("grpc"));
    assert_eq!(text(&span.attributes, "rpc.method"), Some("dicepoker.v1.DicePokerService/Score"));
    assert_eq!(text(&span.attributes, "rpc.status_code"), Some("OK"));
    assert_eq!(text(&span.attributes, "dicepoker.ruleset"), Some("dice-poker-13"));
    for name in ["rpc.server.call.duration", "dicepoker.call.duration", "dicepoker.build.info"] {
        assert!(kept.metrics.iter().any(|metric| metric == name), "{name}: {:?}", kept.metrics);
    }
    assert!(kept.lines.iter().any(|(line, _)| line == "ready"), "{:?}", kept.lines);
    let call = kept.lines.iter().find(|(line, id)| line == "call" && hex(id) == TRACE);
    assert!(call.is_some(), "the access line has the trace: {:?}", kept.lines);
}

/// A call by a client that traces its calls too and exports its spans to `endpoint`.
async fn traced_by_its_client(server: &Server, endpoint: &str) {
    let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint);
    let provider = SdkTracerProvider::builder()
        .with_resource(Resource::builder().with_service_name("player").build())
        .with_batch_exporter(exporter.build().expect("an exporter"))
        .build();
    let tracer = provider.tracer("test");
    let span = tracer.span_builder("a turn").with_kind(SpanKind::Client).start(&tracer);
    let context = opentelemetry::Context::current().with_span(span);
    let mut headers = HashMap::new();
    TraceContextPropagator::new().inject_context(&context, &mut headers);
    let mut request = Request::new(score());
    let parent = headers["traceparent"].parse().expect("a header");
    request.metadata_mut().insert("traceparent", parent);
    server.client().await.score(request).await.expect("served");
    context.span().end();
    tokio::task::block_in_place(|| provider.shutdown()).expect("exported");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_and_service_export_spans_of_one_trace() {
    let collector = Collector::default();
    let endpoint = format!("http://{}", collector.start().await);
    let server = start(&["--otlp-endpoint", &endpoint]);
    traced_by_its_client(&server, &endpoint).await;
    server.signal(Signal::TERM);
    assert!(tokio::task::block_in_place(|| server.ended()).0.success());

    let kept = collector.0.lock().expect("no panic");
    let named = |name| kept.spans.iter().find(|span| span.name == name).expect("exported");
    let (theirs, ours) = (named("a turn"), named("dicepoker.v1.DicePokerService/Score"));
    assert_eq!(ours.trace_id, theirs.trace_id);
    assert_eq!(ours.parent_span_id, theirs.span_id);
    assert_eq!((theirs.kind, ours.kind), (3, 2), "SPAN_KIND_CLIENT, SPAN_KIND_SERVER");
    let services: Vec<_> = kept.services.iter().filter(|key| key.key == "service.name").collect();
    assert_eq!(services.len(), 2, "{services:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn export_needs_a_trusted_certificate_of_the_collector() {
    let (ours, other) = (authority(), authority());
    let folder = tempfile::tempdir().expect("a folder");
    let trusted = folder.path().join("authorities.pem");
    std::fs::write(&trusted, ours.pem()).expect("written");
    let trusted = trusted.to_str().expect("UTF-8");
    for (authority, exports) in [(&ours, true), (&other, false)] {
        let collector = Collector::default();
        let port = collector.start_encrypted(authority).await.port();
        let endpoint = format!("https://localhost:{port}");
        let server = start(&["--otlp-endpoint", &endpoint, "--otlp-ca", trusted]);
        let mut client = server.client().await;
        client.score(score()).await.expect("served");
        drop(client);
        server.signal(Signal::TERM);
        let (status, _) = tokio::task::block_in_place(|| server.ended());
        assert!(status.success());
        let kept = collector.0.lock().expect("no panic");
        assert_eq!(kept.spans.len(), usize::from(exports), "{:?}", kept.spans);
        assert_eq!(kept.metrics.is_empty(), !exports, "{:?}", kept.metrics);
        assert_eq!(kept.lines.is_empty(), !exports, "{:?}", kept.lines);
    }
}

#[tokio::test]
async fn an_unreachable_collector_disturbs_no_call() {
    let server = start(&["--otlp-endpoint", "http://127.0.0.1:9"]);
    let mut client = server.client().await;
    client.score(score()).await.expect("served");
    drop(client);
    server.signal(Signal::TERM);
    assert!(server.ended().0.success());
}

#[tokio::test]
async fn access_lines_are_written_with_the_setting_and_have_the_trace() {
    let silent = start(&[]);
    silent.client().await.score(traced()).await.expect("served");
    let server = start(&["--access-log", "1"]);
    server.client().await.score(traced()).await.expect("served");
    let line = server.logged(&["dicepoker_server::access"]);
    for part in [
        "\"method\":\"dicepoker.v1.DicePokerService/Score\"",
        "\"status\":\"OK\"",
        "\"ruleset\":\"dice-poker-13\"",
        "\"peer\":\"127.0.0.1\"",
        &format!("\"trace_id\":\"{TRACE}\""),
        "\"seconds\":",
    ] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    assert!(!silent.log().iter().any(|line| line.contains("dicepoker_server::access")));
}
