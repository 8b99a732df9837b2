//! With the feature `opentelemetry`, calls are children of the caller's current span.
#![cfg(feature = "opentelemetry")]

use std::sync::{Arc, Mutex};

use dicepoker_client::Client;
use dicepoker_testkit::InProcess;
use opentelemetry::trace::{FutureExt, TraceContextExt, Tracer, TracerProvider};
use opentelemetry_sdk::trace::SdkTracerProvider;

#[tokio::test]
async fn calls_carry_the_current_span() {
    let seen = Arc::new(Mutex::new(None));
    let requests = Arc::clone(&seen);
    let server = InProcess::with()
        .intercept(move |request| {
            *requests.lock().expect("sound") = request.metadata().get("traceparent").cloned();
            Ok(())
        })
        .start();
    let client = Client::connect(server.url()).await.expect("connects");
    let provider = SdkTracerProvider::builder().build();
    let span = provider.tracer("test").start("a turn");
    let context = opentelemetry::Context::current().with_span(span);
    let (trace, parent) = {
        let span = context.span();
        (span.span_context().trace_id(), span.span_context().span_id())
    };
    client.rulesets().with_context(context).await.expect("lists");
    let header = seen.lock().expect("sound").take().expect("a traceparent");
    assert_eq!(header.to_str().expect("ascii"), format!("00-{trace}-{parent}-01"));
}
