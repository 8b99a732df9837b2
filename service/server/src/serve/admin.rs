//! The admin page over plain HTTP on a port of its own: liveness, readiness and metrics.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::health::Phase;
use crate::telemetry::Page;

/// Limit on connections. One more replaces the oldest, so that probes are answered however many connections
/// send nothing.
const CONNECTIONS: usize = 64;

/// Timeout of a request's headers.
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves until the process ends: probes need a response during the drain, too.
pub(super) async fn serve(
    listener: TcpListener,
    phase: watch::Receiver<Phase>,
    page: Option<Page>,
) {
    let mut open: VecDeque<JoinHandle<()>> = VecDeque::with_capacity(CONNECTIONS);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        open.retain(|connection| !connection.is_finished());
        if open.len() == CONNECTIONS
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
            // Frees its memory first, and lets the other connections run.
            let _ = oldest.await;
        }
        open.push_back(tokio::spawn(converse(stream, phase.clone(), page.clone())));
    }
}

async fn converse(stream: TcpStream, phase: watch::Receiver<Phase>, page: Option<Page>) {
    let answer = service_fn(|request| {
        let response = answer(&request, *phase.borrow(), page.as_ref());
        async { Ok::<_, Infallible>(response) }
    });
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(stream), answer)
        .await;
}

fn answer(request: &Request<Incoming>, phase: Phase, page: Option<&Page>) -> Response<Full<Bytes>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return text(StatusCode::METHOD_NOT_ALLOWED, "GET only\n");
    }
    match (request.uri().path(), phase) {
        ("/livez", _) => text(StatusCode::OK, "alive\n"),
        ("/readyz", Phase::Ready) => text(StatusCode::OK, "ready\n"),
        ("/readyz", Phase::Starting) => text(StatusCode::SERVICE_UNAVAILABLE, "starting\n"),
        ("/readyz", Phase::Draining) => text(StatusCode::SERVICE_UNAVAILABLE, "draining\n"),
        ("/metrics", _) => match page.map(Page::text) {
            Some(Ok(metrics)) => typed(StatusCode::OK, metrics, Page::CONTENT_TYPE),
            _ => text(StatusCode::INTERNAL_SERVER_ERROR, "the metrics cannot be encoded\n"),
        },
        _ => text(StatusCode::NOT_FOUND, "unknown path; valid are /metrics, /livez and /readyz\n"),
    }
}

fn text(status: StatusCode, body: &'static str) -> Response<Full<Bytes>> {
    typed(status, body, "text/plain; charset=utf-8")
}

fn typed(status: StatusCode, body: impl Into<Bytes>, kind: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}
