//! One connection, from its first byte to its end: it ends when its peer ends it, when it is too
//! old, when the service drains, or when its peer keeps us waiting.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use rand::RngExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::debug;

use super::AnyError;
use super::direct::Direct;
use super::executor::{OnWorker, Refusing};
use super::patience::Patience;
use super::share::Share;
use super::stack::Stack;
use super::web::Web;
use crate::config::Config;
use crate::runtime::Load;
use crate::tls::Tls;

/// HTTP/2 flow control: what a peer may send before we read it, on a stream and on a connection.
/// Small enough that thousands of hostile connections fit into memory.
const STREAM_WINDOW: u32 = 64 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;

/// Most bytes of responses that wait for a slow peer, a stream.
const SEND_BUFFER: usize = 64 << 10;

/// How long a connection may take to become one when the service drains: to say something, and to
/// shake hands over TLS.
const GREETING: Duration = Duration::from_secs(1);

/// How far the age of a connection is scattered, as a share of it: connections made together,
/// after a restart, shall not all come back together.
const JITTER: f64 = 0.1;

/// How all connections are served.
pub(super) struct Connections {
    http: auto::Builder<OnWorker>,
    stack: Stack,
    web: Option<Web>,
    tls: Option<Tls>,
    places: Arc<Semaphore>,
    handshake: Duration,
    stall: Duration,
    age: Option<Duration>,
    grace: Duration,
    drain: CancellationToken,
    open: TaskTracker,
}

impl Connections {
    pub(super) fn new(
        config: &Config,
        stack: Stack,
        tls: Option<Tls>,
        drain: CancellationToken,
        open: TaskTracker,
    ) -> Self {
        Self {
            http: http(config),
            stack,
            web: config.grpc_web.then(|| Web::new(&config.cors_origins)),
            tls,
            places: Arc::new(Semaphore::new(config.max_connections.min(Semaphore::MAX_PERMITS))),
            handshake: config.handshake_seconds,
            stall: config.keepalive_timeout_seconds,
            age: Some(config.connection_age_seconds).filter(|age| !age.is_zero()),
            grace: config.connection_grace_seconds,
            drain,
            open,
        }
    }

    /// A place for one more connection, if there is room.
    pub(super) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Connections that are open.
    pub(super) fn open(&self) -> usize {
        self.open.len()
    }

    /// Serves a connection to its end, on a worker of this load.
    pub(super) async fn serve(&self, stream: TcpStream, peer: SocketAddr, load: Load) {
        let _open = self.open.token();
        tokio::select! {
            said = timeout(self.handshake, stream.readable()) => {
                if !matches!(said, Ok(Ok(()))) {
                    return debug!(%peer, "connection ended: nothing was said");
                }
            }
            () = self.drained() => return,
        }
        let served = match &self.tls {
            None => self.drive(stream, peer, load).await,
            Some(tls) => {
                let accepted = tokio::select! {
                    accepted = timeout(self.handshake, tls.acceptor().accept(stream)) => accepted,
                    () = self.drained() => return,
                };
                match accepted {
                    Ok(Ok(stream)) => self.drive(stream, peer, load).await,
                    Ok(Err(reason)) => Err(format!("no TLS: {reason}")),
                    Err(_) => Err("no TLS in time".to_owned()),
                }
            }
        };
        if let Err(reason) = served {
            debug!(%peer, reason, "connection ended");
        }
    }

    /// Waits until the service drains, and then as long as whoever has not greeted us is waited for: it
    /// has no call.
    async fn drained(&self) {
        self.drain.cancelled().await;
        sleep(GREETING).await;
    }

    async fn drive<T>(&self, io: T, peer: SocketAddr, load: Load) -> Result<(), String>
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let io = TokioIo::new(Share::new(Patience::new(io, self.handshake, self.stall)));
        let calls = self.stack.for_peer(peer.ip(), load);
        match &self.web {
            None => self.converse(io, Direct::new(calls)).await,
            Some(web) => self.converse(io, Direct::new(web.serve(calls))).await,
        }
    }

    async fn converse<I, S, B>(&self, io: I, service: S) -> Result<(), String>
    where
        I: Read + Write + Send + Unpin + 'static,
        S: Service<Request<Incoming>, Response = Response<B>> + Send,
        S::Future: Send + 'static,
        S::Error: Into<AnyError>,
        B: Body<Data: Send> + Send + 'static,
        B::Error: Into<AnyError>,
    {
        let mut connection = pin!(Refusing::new(self.http.serve_connection(io, service)));
        let age = self.age.map_or(Duration::MAX, scatter);
        tokio::select! {
            // What it has said already is heard before it is told to go.
            biased;
            ended = connection.as_mut() => return ended.map_err(|reason| reason.to_string()),
            () = sleep(age) => {
                connection.as_mut().connection().graceful_shutdown();
                tokio::select! {
                    ended = connection.as_mut() => return ended.map_err(|e| e.to_string()),
                    () = sleep(self.grace) => return Err("calls outlasted its age".to_owned()),
                    () = self.drain.cancelled() => {}
                }
            }
            () = self.drain.cancelled() => connection.as_mut().connection().graceful_shutdown(),
        }
        connection.await.map_err(|reason| reason.to_string())
    }
}

fn http(config: &Config) -> auto::Builder<OnWorker> {
    let mut http = auto::Builder::new(OnWorker);
    if config.grpc_web {
        http.http1()
            .timer(TokioTimer::new())
            .header_read_timeout(config.handshake_seconds)
            .max_buf_size((config.max_header_kib as usize).max(8) << 10);
    } else {
        http = http.http2_only();
    }
    let keepalive = Some(config.keepalive_seconds).filter(|interval| !interval.is_zero());
    http.http2()
        .timer(TokioTimer::new())
        .auto_date_header(false)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER)
        .max_concurrent_streams(config.max_calls_per_connection)
        .max_header_list_size(config.max_header_kib << 10)
        .max_pending_accept_reset_streams(config.max_pending_resets)
        .max_local_error_reset_streams(config.max_local_resets)
        .keep_alive_interval(keepalive)
        .keep_alive_timeout(config.keepalive_timeout_seconds);
    http
}

fn scatter(age: Duration) -> Duration {
    age.mul_f64(rand::rng().random_range(1.0 - JITTER..=1.0 + JITTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_scattered_by_a_tenth() {
        let age = Duration::from_secs(100);
        let ages: Vec<_> = (0..100).map(|_| scatter(age)).collect();
        assert!(ages.iter().all(|a| (90.0..=110.0).contains(&a.as_secs_f64())));
        assert!(ages.iter().any(|a| *a != ages[0]));
    }
}
