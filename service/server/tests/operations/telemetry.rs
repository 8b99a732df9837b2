//! What the service tells: a page that Prometheus would take, traces, metrics and log lines that an
//! OpenTelemetry collector would take, and access lines.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::logs::v1 as logs;
use opentelemetry_proto::tonic::collector::metrics::v1 as metrics;
use opentelemetry_proto::tonic::collector::trace::v1 as trace;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::Span;
use rustix::process::Signal;
use tonic::{Request, Response, Status};

use crate::server::{Server, get, score};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

fn traced() -> Request<dicepoker_proto::v1::ScoreRequest> {
    let mut request = Request::new(score());
    let parent = format!("00-{TRACE}-{PARENT}-01");
    request.metadata_mut().insert("traceparent", parent.parse().expect("a header"));
    request
}

#[tokio::test]
async fn the_page_has_calls_by_method_code_and_ruleset_in_fine_buckets() {
    let server = Server::start(&["--admin-address", "127.0.0.1:0", "--rate-per-second", "3"]);
    let mut client = server.client().await;
    for _ in 0..3 {
        client.score(score()).await.expect("served");
    }
    client.score(score()).await.expect_err("too many");
    let (status, page) = get(server.admin(), "/metrics").await;
    assert_eq!(status, 200);
    let has = |parts: &[&str], value: &str| {
        let found = page.lines().any(|line| {
            parts.iter().all(|part| line.contains(part)) && line.ends_with(&format!(" {value}"))
        });
        assert!(found, "{parts:?} {value} is not in\n{page}");
    };
    let method = "rpc_method=\"dicepoker.v1.DicePokerService/Score\"";
    let count = "rpc_server_call_duration_seconds_count";
    let system = "rpc_system_name=\"grpc\"";
    has(&[count, method, system, "rpc_status_code=\"OK\""], "3");
    has(&[count, method, system, "rpc_status_code=\"RESOURCE_EXHAUSTED\""], "1");
    let fine = |line: &str| line.starts_with("rpc_server_call_duration_seconds_bucket");
    for bound in ["le=\"0.00001\"", "le=\"0.00002\""] {
        assert!(page.lines().any(|line| fine(line) && line.contains(bound)), "{page}");
    }
    has(&["dicepoker_calls_total", method, "dicepoker_ruleset=\"dice-poker-13\""], "3");
    has(&["dicepoker_calls_refused_total", "reason=\"RATE_LIMITED\""], "1");
    has(&["dicepoker_connections_open"], "1");
    has(&["dicepoker_calls_active"], "0");
    has(&["dicepoker_long_work_waiting"], "0");
    has(&["dicepoker_build_info", "version="], "1");
}

#[tokio::test]
async fn the_page_is_sound_as_prometheus_checks_it() {
    let server = Server::start(&["--admin-address", "127.0.0.1:0"]);
    let mut client = server.client().await;
    client.score(score()).await.expect("served");
    let (_, page) = get(server.admin(), "/metrics").await;
    check(&page);
}

#[tokio::test]
async fn what_callers_make_up_becomes_no_metric() {
    let server = Server::start(&["--admin-address", "127.0.0.1:0"]);
    let mut client = tonic::client::Grpc::new(server.channel().await);
    for name in ["Cheat", "Cheat2"] {
        client.ready().await.expect("ready");
        let path = format!("/dicepoker.v1.DicePokerService/{name}").parse().expect("a path");
        let codec = tonic_prost::ProstCodec::<(), ()>::default();
        client.unary(Request::new(()), path, codec).await.expect_err("there is none");
    }
    let (_, page) = get(server.admin(), "/metrics").await;
    assert!(page.contains("rpc_method=\"_OTHER\""), "{page}");
    assert!(!page.contains("Cheat"), "{page}");
}

/// What `promtool check metrics` looks at: every family told of once, with a help text and a type,
/// before its samples; sound names; counters ending in `_total`; whole histograms.
fn check(page: &str) {
    let mut types: HashMap<&str, &str> = HashMap::new();
    let mut helped = HashSet::new();
    let mut samples = HashSet::new();
    for line in page.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, text) = help.split_once(' ').expect("a help text");
            assert!(helped.insert(name), "{name} has two help texts");
            assert!(!text.trim().is_empty(), "{name}");
            continue;
        }
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a type");
            assert!(types.insert(name, kind).is_none(), "{name} has two types");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{name}");
            continue;
        }
        let (series, value) = line.rsplit_once(' ').expect("a value");
        assert!(value.parse::<f64>().is_ok(), "{line}");
        assert!(samples.insert(series), "{series} is there twice");
        let name = series.split('{').next().expect("a name");
        let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.chars().all(sound), "{name}");
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| {
            name.strip_suffix(end).filter(|family| types.get(family) == Some(&"histogram"))
        });
        let family = family.unwrap_or(name);
        assert!(types.contains_key(family), "{name} has no type");
        assert!(helped.contains(family), "{name} has no help text");
        if let Some(labels) = series.strip_suffix('}').and_then(|s| s.strip_prefix(family)) {
            let infinite = labels.contains("le=\"+Inf\"");
            assert!(!infinite || types[family] == "histogram", "{series}");
        }
    }
    for (family, _) in types.iter().filter(|(_, kind)| **kind == "histogram") {
        for end in ["_sum", "_count", "_bucket"] {
            let name = format!("{family}{end}");
            assert!(samples.iter().any(|sample| sample.starts_with(&name)), "{name} is missing");
        }
    }
}

/// A collector that keeps what it gets.
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
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let address = listener.local_addr().expect("bound");
        let server = tonic::transport::Server::builder()
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
    let mut server = Server::start(&["--otlp-endpoint", &endpoint, "--access-log", "1"]);
    server.logged(&["ready"]);
    let mut client = server.client().await;
    client.score(traced()).await.expect("served");
    let unknown = dicepoker_proto::v1::ScoreRequest { ruleset: "whist".to_owned(), ..score() };
    client.score(unknown).await.expect_err("unknown");
    server.signal(Signal::TERM);
    let (status, _) = tokio::task::block_in_place(|| server.ended());
    assert!(status.success(), "what is left is sent before the end");

    let kept = collector.0.lock().expect("no panic");
    assert_eq!(text(&kept.services, "service.name"), Some("dicepoker"));
    assert_eq!(kept.spans.len(), 2, "{:?}", kept.spans);
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let span = kept.spans.iter().find(|span| hex(&span.trace_id) == TRACE).expect("the trace");
    assert_eq!(hex(&span.parent_span_id), PARENT);
    assert_eq!(span.name, "dicepoker.v1.DicePokerService/Score");
    assert_eq!(span.kind, 2, "SPAN_KIND_SERVER");
    assert_eq!(text(&span.attributes, "rpc.system.name"), Some("grpc"));
    assert_eq!(text(&span.attributes, "rpc.method"), Some("dicepoker.v1.DicePokerService/Score"));
    assert_eq!(text(&span.attributes, "rpc.status_code"), Some("OK"));
    assert_eq!(text(&span.attributes, "dicepoker.ruleset"), Some("dice-poker-13"));
    for name in ["rpc.server.call.duration", "dicepoker.calls", "dicepoker.build.info"] {
        assert!(kept.metrics.iter().any(|metric| metric == name), "{name}: {:?}", kept.metrics);
    }
    assert!(kept.lines.iter().any(|(line, _)| line == "ready"), "{:?}", kept.lines);
    let call = kept.lines.iter().find(|(line, id)| line == "call" && hex(id) == TRACE);
    assert!(call.is_some(), "the access line has the trace: {:?}", kept.lines);
}

#[tokio::test]
async fn a_collector_that_is_not_there_disturbs_nobody() {
    let mut server = Server::start(&["--otlp-endpoint", "http://127.0.0.1:9"]);
    let mut client = server.client().await;
    client.score(score()).await.expect("served");
    drop(client);
    server.signal(Signal::TERM);
    assert!(server.ended().0.success());
}

#[tokio::test]
async fn access_lines_are_written_where_asked_for_and_tell_the_trace() {
    let silent = Server::start(&[]);
    silent.client().await.score(traced()).await.expect("served");
    let server = Server::start(&["--access-log", "1"]);
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
