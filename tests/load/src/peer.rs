//! One connection: sends requests as HTTP/2 frames, as many at a time as the server allows, and matches
//! its responses.

use std::collections::{HashMap, VecDeque};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

use bytes::{BufMut, Bytes, BytesMut};
use futures_core::Stream;
use h2::Codec;
use h2::frame::{Data, Frame, Headers, Ping, Pseudo, Settings, StreamId, WindowUpdate};
use http::{HeaderMap, HeaderValue, Method, Uri};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tonic::Code;

use crate::drive::Call;

/// The connection preface of HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The initial flow-control window of HTTP/2.
const FIRST_WINDOW: i64 = 65_535;

/// Bytes of responses that the server may send on a connection: more than one measurement has.
const ANSWERS: u32 = (1 << 31) - 1 - FIRST_WINDOW as u32;

/// How long a call may wait for the server's stream limit before its caller gives up.
const DEADLINE: Duration = Duration::from_millis(100);

/// A call that was answered.
#[derive(Clone, Copy, Debug)]
pub struct Answered {
    /// When it was due, since the start.
    pub due: Duration,
    /// By how much it was sent too late.
    pub late: Duration,
    /// From when it was due to its response.
    pub took: Duration,
    /// The answer's code.
    pub code: Code,
}

/// A request that can be sent any number of times.
#[derive(Debug)]
pub(crate) struct Request {
    uri: Uri,
    message: Bytes,
}

impl Request {
    pub(crate) fn new(call: &Call, authority: &str) -> io::Result<Self> {
        let uri =
            Uri::builder().scheme("http").authority(authority).path_and_query(call.path.clone());
        let mut message = BytesMut::new();
        message.put_u8(0);
        message.put_u32(u32::try_from(call.body.len()).map_err(io::Error::other)?);
        message.put_slice(&call.body);
        Ok(Self { uri: uri.build().map_err(io::Error::other)?, message: message.freeze() })
    }
}

/// A call that is to be made, or was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingCall {
    pub(crate) request: usize,
    pub(crate) due: Duration,
    pub(crate) begun: Duration,
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Peer {
    codec: Codec<Socket, Bytes>,
    /// Calls not sent yet because of the server's stream limit.
    pub(crate) backlog: VecDeque<PendingCall>,
    sent: HashMap<StreamId, PendingCall>,
    next: StreamId,
    most: usize,
    /// Bytes that may be sent.
    window: i64,
    fields: HeaderMap,
}

impl Peer {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.write_all(PREFACE)?;
        stream.set_nonblocking(true)?;
        let mut codec = Codec::new(Socket(stream));
        let mut settings = Settings::default();
        settings.set_enable_push(false);
        put(&mut codec, settings)?;
        put(&mut codec, WindowUpdate::new(StreamId::zero(), ANSWERS))?;
        let fields = [
            ("te", HeaderValue::from_static("trailers")),
            ("content-type", HeaderValue::from_static("application/grpc")),
            ("user-agent", HeaderValue::from_static("dicepoker-load")),
        ];
        let fields = fields.map(|(name, value)| (http::HeaderName::from_static(name), value));
        Ok(Self {
            codec,
            backlog: VecDeque::new(),
            sent: HashMap::new(),
            next: StreamId::from(1),
            most: usize::MAX,
            window: FIRST_WINDOW,
            fields: fields.into_iter().collect(),
        })
    }

    /// Drops calls that were due longer ago than a deadline, as callers with one do; the server
    /// does not receive them.
    pub(crate) fn give_up(&mut self, now: Duration, answered: &mut Vec<Answered>) {
        while let Some(PendingCall { due, begun, .. }) = self.backlog.front().copied()
            && now - due > DEADLINE
        {
            self.backlog.pop_front();
            let (late, took) = (begun - due, now - due);
            answered.push(Answered { due, late, took, code: Code::DeadlineExceeded });
        }
    }

    /// Sends what is queued, as far as the server accepts it.
    pub(crate) fn send(&mut self, requests: &[Request]) -> io::Result<()> {
        let cx = &mut Context::from_waker(Waker::noop());
        while let Some(call) = self.backlog.front() {
            let Request { uri, message } = &requests[call.request];
            let room = self.sent.len() < self.most && self.window >= message.len() as i64;
            if !room || self.codec.poll_ready(cx)?.is_pending() {
                break;
            }
            let pseudo = Pseudo::request(Method::POST, uri.clone(), None);
            put(&mut self.codec, Headers::new(self.next, pseudo, self.fields.clone()))?;
            // The rest may fit when the headers are sent.
            while self.codec.poll_ready(cx)?.is_pending() {}
            let mut data = Data::new(self.next, message.clone());
            data.set_end_stream(true);
            put(&mut self.codec, data)?;
            self.window -= message.len() as i64;
            self.sent.extend(self.backlog.pop_front().map(|call| (self.next, call)));
            self.next = self.next.next_id().map_err(|_| io::Error::other("out of streams"))?;
        }
        match self.codec.flush(cx) {
            Poll::Ready(flushed) => flushed,
            Poll::Pending => Ok(()),
        }
    }

    /// Reads frames.
    pub(crate) fn receive(
        &mut self,
        begin: Instant,
        answered: &mut Vec<Answered>,
    ) -> io::Result<()> {
        let cx = &mut Context::from_waker(Waker::noop());
        while let Poll::Ready(frame) = Pin::new(&mut self.codec).poll_next(cx) {
            let frame = frame.ok_or_else(|| io::Error::other("the server closed a connection"))?;
            match frame.map_err(|error| io::Error::other(format!("{error:?}")))? {
                Frame::Headers(headers) if headers.is_end_stream() => {
                    let status = headers.fields().get("grpc-status");
                    let code = status.map_or(Code::Unknown, |s| Code::from_bytes(s.as_bytes()));
                    self.answered(headers.stream_id(), code, begin, answered);
                }
                // A reset after a complete response means nothing.
                Frame::Reset(reset) => {
                    self.answered(reset.stream_id(), Code::Cancelled, begin, answered);
                }
                Frame::WindowUpdate(update) if update.stream_id().is_zero() => {
                    self.window += i64::from(update.size_increment());
                }
                Frame::Settings(settings) if !settings.is_ack() => {
                    if let Some(most) = settings.max_concurrent_streams() {
                        self.most = most as usize;
                    }
                    put(&mut self.codec, Settings::ack())?;
                }
                Frame::Ping(ping) if !ping.is_ack() => {
                    put(&mut self.codec, Ping::pong(ping.into_payload()))?;
                }
                Frame::GoAway(bye) => return Err(io::Error::other(format!("{bye:?}"))),
                _ => {}
            }
        }
        Ok(())
    }

    fn answered(&mut self, id: StreamId, code: Code, begin: Instant, all: &mut Vec<Answered>) {
        if let Some(PendingCall { due, begun, .. }) = self.sent.remove(&id) {
            all.push(Answered { due, late: begun - due, took: begin.elapsed() - due, code });
        }
    }
}

/// Queues a frame.
fn put(codec: &mut Codec<Socket, Bytes>, frame: impl Into<Frame<Bytes>>) -> io::Result<()> {
    while codec.poll_ready(&mut Context::from_waker(Waker::noop()))?.is_pending() {}
    codec.buffer(frame.into()).map_err(|error| io::Error::other(error.to_string()))
}

/// A socket that is polled: its readiness wakes no task.
#[derive(Debug)]
struct Socket(TcpStream);

fn now<T>(result: io::Result<T>) -> Poll<io::Result<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Poll::Pending,
        result => Poll::Ready(result),
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(now(self.0.read(buffer.initialize_unfilled())))?;
        buffer.advance(read);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        now(self.0.write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
