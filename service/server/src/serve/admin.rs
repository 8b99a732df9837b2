//! The page for operators, over plain HTTP on a port of its own: whether the process lives,
//! whether it is ready, and its metrics.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
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

/// Connections at a time: probes and scrapers are few. One more takes the place of the oldest, so
/// that a probe has its answer however many connections say nothing.
const CONNECTIONS: usize = 64;

/// How long a client may take to send its request.
const PATIENCE: Duration = Duration::from_secs(5);

/// The listener of the page.
#[derive(Debug)]
pub(super) struct Admin(TcpListener);

impl Admin {
    pub(super) fn bind(address: SocketAddr) -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind(address).map_err(|reason| {
            std::io::Error::new(reason.kind(), format!("cannot listen on {address}: {reason}"))
        })?;
        listener.set_nonblocking(true)?;
        Ok(Self(TcpListener::from_std(listener)?))
    }

    pub(super) fn address(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }

    /// Serves until the process ends: probes must have an answer also while it drains.
    pub(super) async fn serve(self, phase: watch::Receiver<Phase>, page: Option<Page>) {
        let mut open: VecDeque<JoinHandle<()>> = VecDeque::with_capacity(CONNECTIONS);
        loop {
            let Ok((stream, _)) = self.0.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            open.retain(|connection| !connection.is_finished());
            if open.len() == CONNECTIONS
                && let Some(oldest) = open.pop_front()
            {
                oldest.abort();
                // Its memory is free before there is more; and those that came meanwhile are looked at.
                let _ = oldest.await;
            }
            open.push_back(tokio::spawn(converse(stream, phase.clone(), page.clone())));
        }
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
            _ => text(StatusCode::INTERNAL_SERVER_ERROR, "the metrics cannot be shown\n"),
        },
        _ => text(StatusCode::NOT_FOUND, "there are /metrics, /livez and /readyz\n"),
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
