//! One connection, from its first byte to its end: it ends when its client ends it, when it is too old,
//! when the service drains, or when the client does not read.

use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use rand::RngExt;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::body::Body;
use tower::Service;
use tracing::debug;

use super::stack::Stack;
use super::wire::{PREFACE, Wire, first_bytes};
use crate::config::Config;
use crate::limits::unread::Unread;
use crate::runtime::Load;
use crate::tls::Tls;

/// HTTP/2 flow control: bytes that a client may send before the server reads them, on a stream and on a connection.
/// Small enough that thousands of hostile connections fit into memory.
const STREAM_WINDOW: u32 = 64 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;

/// Most bytes of responses that wait for a slow client, on a stream.
const SEND_BUFFER: usize = 64 << 10;

/// How long the responses of a connection are held back before its first GOAWAY. Client libraries fail calls
/// that they have begun and not sent when they read one; a client that waits for responses has few of these.
const PAUSE: Duration = Duration::from_millis(20);

/// Time from the first GOAWAY to the PING that asks which calls the client has sent.
const NOTICE: Duration = Duration::from_millis(250);

/// How long a connection has when the service drains to send its first bytes.
const GREETING: Duration = Duration::from_secs(1);

/// How far the age of a connection varies, as a share of it: connections made together, after a restart,
/// must not all reconnect together.
const JITTER: f64 = 0.1;

type Io = Wire<Either<TcpStream, TlsStream<TcpStream>>>;

/// How all connections are served.
pub(super) struct Connections {
    http1: auto::Builder<TokioExecutor>,
    http2: auto::Builder<TokioExecutor>,
    stack: Stack,
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
            http1: http1(config),
            http2: http2(config),
            stack,
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

    /// Serves a connection to its end, on the worker of this load.
    pub(super) async fn serve(&self, stream: TcpStream, peer: SocketAddr, load: Load) {
        let _open = self.open.token();
        let greeted = tokio::select! {
            greeted = timeout(self.handshake, self.greet(stream)) => greeted,
            () = self.drained() => return,
        };
        let ended = match greeted {
            Ok(Ok((io, http))) => self.converse(io, http, peer, load).await,
            Ok(Err(reason)) => Err(format!("no handshake: {reason}")),
            Err(_) => Err("no handshake in time".to_owned()),
        };
        if let Err(reason) = ended {
            debug!(%peer, reason, "connection ended");
        }
    }

    /// Waits until the service drains, and then as long as a connection without a call is waited for.
    async fn drained(&self) {
        self.drain.cancelled().await;
        sleep(GREETING).await;
    }

    /// Reads as many bytes as distinguish the versions of HTTP.
    async fn greet(&self, stream: TcpStream) -> io::Result<(Io, &auto::Builder<TokioExecutor>)> {
        // A silent connection takes no more memory than this.
        stream.readable().await?;
        let mut io = match &self.tls {
            None => Either::Left(stream),
            Some(tls) => Either::Right(tls.acceptor().accept(stream).await?),
        };
        let first = first_bytes(&mut io).await?;
        let http = if first == PREFACE { &self.http2 } else { &self.http1 };
        Ok((Wire::new(io, first, self.stall), http))
    }

    /// Serves the calls of a connection. After a GOAWAY it still serves those that its client sent before it
    /// read that. hyper asks by a PING which these are, but clients send the reply ahead of calls that they have
    /// begun, so a GOAWAY of ours, and time to send these, come before.
    async fn converse(
        &self,
        io: Io,
        http: &auto::Builder<TokioExecutor>,
        peer: SocketAddr,
        load: Load,
    ) -> Result<(), String> {
        let (unread, notice) = (Unread::default(), io.notice());
        let calls = RefCell::new(self.stack.calls(peer.ip(), load, unread.clone()));
        // Called when headers arrive, not when their task runs: so admission sees the calls that wait.
        let service = service_fn(move |request: http::Request<Incoming>| {
            calls.borrow_mut().call(request.map(Body::new))
        });
        let mut connection = pin!(http.serve_connection(TokioIo::new(io), service));
        let vary =
            |age: Duration| age.mul_f64(rand::rng().random_range(1.0 - JITTER..=1.0 + JITTER));
        let age = self.age.map_or(Duration::MAX, vary);
        let grace = tokio::select! {
            biased;
            ended = connection.as_mut() => return ended.map_err(|reason| reason.to_string()),
            () = self.drain.cancelled() => Duration::MAX,
            () = unread.overdue() => self.grace,
            () = sleep(age) => self.grace,
        };
        if std::ptr::eq(http, &self.http2) {
            sleep(PAUSE).await;
            notice.store(true, Relaxed);
            if let Ok(ended) = timeout(NOTICE, connection.as_mut()).await {
                return ended.map_err(|reason| reason.to_string());
            }
        }
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            ended = connection => ended.map_err(|reason| reason.to_string()),
            () = sleep(grace) => Err("calls outlasted the connection".to_owned()),
        }
    }
}

fn http1(config: &Config) -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new()).http1_only();
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(config.handshake_seconds)
        .max_buf_size((config.max_header_kib as usize).max(8) << 10);
    http
}

fn http2(config: &Config) -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new()).http2_only();
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
