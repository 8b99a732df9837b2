//! Observes each call from its headers to the end of its response, for metrics, traces and the access log. A
//! trace continues that of the caller. With traces, the response carries the trace id.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use bytes::Bytes;
use dicepoker_proto::code_name;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use http_body::{Frame, SizeHint};
use opentelemetry::global;
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::TraceContextExt;
use pin_project_lite::pin_project;
use rand::RngExt;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::layer::layer_fn;
use tower::{Layer, Service};
use tracing::{Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::calls::{Calls, is_server_error};
use super::method::Methods;
use super::ruleset::RulesetLabel;
use crate::error::Reason;

/// The target of the spans of calls, which alone become traces.
pub(super) const SPANS: &str = "dicepoker_server::call";

/// The response header with the id of the call's trace.
const TRACE_ID: HeaderName = HeaderName::from_static("trace-id");

/// The target of the lines of the access log.
const ACCESS: &str = "dicepoker_server::access";

/// Observes calls.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    methods: Methods,
    metrics: Option<Calls>,
    traces: bool,
    access: f64,
}

impl Observer {
    pub(super) fn new(metrics: Option<Calls>, traces: bool, access: f64) -> Self {
        Self { methods: Methods::new(), metrics, traces, access }
    }

    /// Observes the calls of a connection from `peer`.
    pub(crate) fn layer<S>(self, peer: IpAddr) -> impl Layer<S, Service = Observe<S>> {
        layer_fn(move |inner| Observe { inner, observer: self.clone(), peer })
    }

    fn observation(&self, peer: IpAddr, path: &str, headers: &HeaderMap) -> Option<Observation> {
        let access =
            self.access > 0.0 && (self.access >= 1.0 || rand::rng().random_bool(self.access));
        if self.metrics.is_none() && !self.traces && !access {
            return None;
        }
        let method = self.methods.find(path);
        let span = if self.traces { begin_span(method, headers) } else { Span::none() };
        let trace = if self.traces || access { trace_of(&span, headers) } else { String::new() };
        Some(Observation {
            method,
            begin: Instant::now(),
            code: None,
            ruleset: RulesetLabel::default(),
            reason: None,
            span,
            trace,
            metrics: self.metrics.clone(),
            access: access.then_some(peer),
        })
    }
}

/// A span that continues the caller's, if the caller sent one.
fn begin_span(method: &'static str, headers: &HeaderMap) -> Span {
    let span = tracing::info_span!(
        target: SPANS,
        "call",
        otel.name = method,
        otel.kind = "server",
        otel.status_code = field::Empty,
        rpc.system.name = "grpc",
        rpc.method = method,
        rpc.status_code = field::Empty,
        error.type = field::Empty,
        dicepoker.ruleset = field::Empty,
    );
    let caller = global::get_text_map_propagator(|known| known.extract(&Headers(headers)));
    // Fails only without a tracer.
    let _ = span.set_parent(caller);
    span
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

/// The id of the trace: that of the span, else the caller's; empty if there is none.
fn trace_of(span: &Span, headers: &HeaderMap) -> String {
    if !span.is_none() {
        let context = span.context();
        let id = context.span().span_context().trace_id();
        if id != opentelemetry::TraceId::INVALID {
            return id.to_string();
        }
    }
    // version-trace-parent-flags
    let parent = headers.get("traceparent").and_then(|value| value.to_str().ok());
    let id = parent.and_then(|parent| parent.split('-').nth(1));
    let sound = |id: &&str| id.len() == 32 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
    id.filter(sound).unwrap_or_default().to_owned()
}

/// The observation of a call so far. Dropping it records the call, however it ended.
#[derive(Debug)]
struct Observation {
    method: &'static str,
    begin: Instant,
    code: Option<Code>,
    ruleset: RulesetLabel,
    reason: Option<&'static str>,
    span: Span,
    /// The id of its trace; empty if it has none or none is recorded.
    trace: String,
    metrics: Option<Calls>,
    /// The peer, if the call gets an access line.
    access: Option<IpAddr>,
}

impl Observation {
    /// Runs `poll`, which polls this call, within its span.
    fn poll<T>(&self, poll: impl FnOnce() -> T) -> T {
        let _entered = self.span.enter();
        poll()
    }

    fn responded<B>(&mut self, response: &mut Response<B>) {
        if !self.span.is_none()
            && let Ok(trace) = HeaderValue::from_str(&self.trace)
        {
            response.headers_mut().insert(TRACE_ID, trace);
        }
        self.reason = response.extensions().get().map(|Reason(reason)| *reason);
        self.read_code(response.headers());
    }

    fn read_code(&mut self, headers: &HeaderMap) {
        if let Some(code) = headers.get("grpc-status") {
            self.code = Some(Code::from_bytes(code.as_bytes()));
        }
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        // hyper drops a call without a code when its caller has reset it or disconnected.
        let code = self.code.unwrap_or(Code::Cancelled);
        let took = self.begin.elapsed();
        let ruleset = self.ruleset.get();
        if let Some(metrics) = &self.metrics {
            metrics.ended(self.method, code, took);
            if let Some(ruleset) = ruleset {
                metrics.about(self.method, ruleset, took);
            }
            if let Some(reason) = self.reason {
                metrics.refused(reason);
            }
        }
        self.span.record("rpc.status_code", code_name(code));
        if is_server_error(code) {
            self.span.record("error.type", code_name(code));
            self.span.record("otel.status_code", "ERROR");
        }
        if let Some(ruleset) = ruleset {
            self.span.record("dicepoker.ruleset", ruleset);
        }
        if let Some(peer) = self.access {
            let _entered = self.span.enter();
            tracing::info!(
                target: ACCESS,
                method = self.method,
                status = code_name(code),
                seconds = took.as_secs_f64(),
                ruleset,
                reason = self.reason,
                peer = %peer,
                trace_id = self.trace,
                "call"
            );
        }
    }
}

/// A service whose calls are observed.
#[derive(Debug)]
pub(crate) struct Observe<S> {
    inner: S,
    observer: Observer,
    peer: IpAddr,
}

impl<S> Service<Request<Body>> for Observe<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ObservedCall<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let (path, headers) = (request.uri().path(), request.headers());
        let observation = self.observer.observation(self.peer, path, headers);
        if let Some(observation) = &observation {
            request.extensions_mut().insert(observation.ruleset.clone());
        }
        ObservedCall { call: self.inner.call(request), observation }
    }
}

pin_project! {
    /// A call that is observed.
    pub(crate) struct ObservedCall<F> {
        #[pin]
        call: F,
        observation: Option<Observation>,
    }
}

impl<F> Future for ObservedCall<F>
where
    F: Future<Output = Result<Response<Body>, Infallible>>,
{
    type Output = Result<Response<Body>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let Some(observation) = this.observation.as_mut() else { return this.call.poll(cx) };
        let call = this.call;
        let mut response = ready!(observation.poll(|| call.poll(cx)))?;
        observation.responded(&mut response);
        let observation = this.observation.take();
        let observed = |body| Body::new(Observed { body, observation });
        Poll::Ready(Ok(response.map(observed)))
    }
}

pin_project! {
    /// A response that is observed to its end.
    struct Observed {
        #[pin]
        body: Body,
        observation: Option<Observation>,
    }
}

impl http_body::Body for Observed {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = self.project();
        let Some(observation) = this.observation.as_mut() else { return this.body.poll_frame(cx) };
        let body = this.body;
        let frame = observation.poll(|| body.poll_frame(cx));
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(trailers) = frame.trailers_ref()
        {
            observation.read_code(trailers);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
