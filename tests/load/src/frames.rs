//! A minimal client of HTTP/2 frames: making a call costs a fraction of serving it, so that one
//! core can offer more than another one can serve. It polls its sockets in a loop instead of
//! waiting for them, which is precise and uses the whole core.

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
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tonic::Code;

use crate::drive::{Call, Outcome, pause};

/// The connection preface of HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The initial flow-control window of HTTP/2.
const FIRST_WINDOW: i64 = 65_535;

/// Bytes of responses that the server may send on a connection: more than one measurement has.
const ANSWERS: u32 = (1 << 31) - 1 - FIRST_WINDOW as u32;

/// How long a call may wait for the server's stream limit before its caller gives up.
const DEADLINE: Duration = Duration::from_millis(100);

/// Timeout of the last responses.
const PATIENCE: Duration = Duration::from_secs(30);

/// A constant rate of calls for some time.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Calls a second.
    pub rate: f64,
    /// For how long.
    pub length: Duration,
}

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

/// The outcome of those calls; `took` is an argument, since only the caller knows when they
/// started.
pub fn outcome(answered: &[Answered], took: Duration) -> Outcome {
    let mut outcome = Outcome::new();
    for one in answered {
        outcome.record(one.took, one.late, one.code);
    }
    outcome.took = took;
    outcome
}

/// Connections to one server.
#[derive(Debug)]
pub struct Peers {
    peers: Vec<Peer>,
    authority: String,
}

impl Peers {
    /// Opens `count` connections to `address`.
    pub fn open(address: SocketAddr, count: usize) -> io::Result<Self> {
        let peers = (0..count).map(|_| Peer::open(address)).collect::<io::Result<_>>()?;
        Ok(Self { peers, authority: address.to_string() })
    }

    /// Makes `calls` in turn, `callers` at a time, for `length`.
    pub fn closed_loop(
        &mut self,
        calls: &[Call],
        callers: usize,
        length: Duration,
    ) -> io::Result<Vec<Answered>> {
        self.drive(calls, |now, under_way| match () {
            () if now >= length => Next::Never,
            () if under_way < callers => Next::Due(now),
            () => Next::Later,
        })
    }

    /// Makes `calls` in turn at random moments (Poisson), in one phase after the other.
    pub fn open_loop(&mut self, calls: &[Call], phases: &[Phase]) -> io::Result<Vec<Answered>> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut phases = phases.iter();
        let mut phase = phases.next();
        let mut phase_end = phase.map_or(Duration::ZERO, |phase| phase.length);
        let mut due = Duration::ZERO;
        self.drive(calls, |now, _| {
            while let Some(Phase { rate, .. }) = phase {
                if due < phase_end {
                    if due > now {
                        return Next::Later;
                    }
                    let this = due;
                    due += pause(&mut random, *rate);
                    return Next::Due(this);
                }
                due = phase_end;
                phase = phases.next();
                phase_end += phase.map_or(Duration::ZERO, |phase| phase.length);
            }
            Next::Never
        })
    }

    /// Makes the calls that `next` returns, given the time since the start and the number in
    /// flight.
    fn drive(
        &mut self,
        calls: &[Call],
        mut next: impl FnMut(Duration, usize) -> Next,
    ) -> io::Result<Vec<Answered>> {
        let requests = calls.iter().map(|call| Request::new(call, &self.authority));
        let requests: Vec<_> = requests.collect::<io::Result<_>>()?;
        let begin = Instant::now();
        let mut answered = Vec::new();
        let mut made = 0;
        let mut patience = None;
        loop {
            let now = begin.elapsed();
            loop {
                match next(now, made - answered.len()) {
                    Next::Due(due) => {
                        let (request, peer) = (made % requests.len(), made % self.peers.len());
                        self.peers[peer].backlog.push_back(Asked { request, due, begun: now });
                        made += 1;
                    }
                    Next::Later => break,
                    Next::Never => {
                        patience.get_or_insert(now + PATIENCE);
                        break;
                    }
                }
            }
            for peer in &mut self.peers {
                peer.give_up(begin.elapsed(), &mut answered);
                peer.send(&requests)?;
                peer.receive(begin, &mut answered)?;
            }
            match patience {
                Some(_) if made == answered.len() => return Ok(answered),
                Some(end) if now >= end => {
                    let missing = made - answered.len();
                    return Err(io::Error::other(format!("{missing} calls were never answered")));
                }
                _ => {}
            }
        }
    }
}

/// When the next call is to be made.
enum Next {
    /// Now; it was due then.
    Due(Duration),
    Later,
    Never,
}

/// A request that can be sent any number of times.
#[derive(Debug)]
struct Request {
    uri: Uri,
    message: Bytes,
}

impl Request {
    fn new(call: &Call, authority: &str) -> io::Result<Self> {
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
struct Asked {
    request: usize,
    due: Duration,
    begun: Duration,
}

/// One connection.
#[derive(Debug)]
struct Peer {
    codec: Codec<Socket, Bytes>,
    /// Calls not sent yet because of the server's stream limit.
    backlog: VecDeque<Asked>,
    sent: HashMap<StreamId, Asked>,
    next: StreamId,
    most: usize,
    /// Bytes that may be sent.
    window: i64,
    fields: HeaderMap,
}

impl Peer {
    fn open(address: SocketAddr) -> io::Result<Self> {
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
    fn give_up(&mut self, now: Duration, answered: &mut Vec<Answered>) {
        while let Some(Asked { due, begun, .. }) = self.backlog.front().copied()
            && now - due > DEADLINE
        {
            self.backlog.pop_front();
            let (late, took) = (begun - due, now - due);
            answered.push(Answered { due, late, took, code: Code::DeadlineExceeded });
        }
    }

    /// Sends what is queued, as far as the server accepts it.
    fn send(&mut self, requests: &[Request]) -> io::Result<()> {
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
    fn receive(&mut self, begin: Instant, answered: &mut Vec<Answered>) -> io::Result<()> {
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
        if let Some(Asked { due, begun, .. }) = self.sent.remove(&id) {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use h2::server::Builder;
    use http::Response;
    use http::uri::PathAndQuery;

    use super::*;

    /// A server that accepts four concurrent calls on a connection, answers every third one
    /// UNAVAILABLE, and goes away after `most`; with its count of responses.
    fn server(most: usize) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        let answered = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&answered);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                listener.set_nonblocking(true).expect("set");
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, Arc::clone(&count), most));
                }
            });
        });
        (address, answered)
    }

    async fn serve(stream: tokio::net::TcpStream, count: Arc<AtomicUsize>, most: usize) {
        let mut builder = Builder::new();
        let handshake = builder.max_concurrent_streams(4).handshake::<_, Bytes>(stream);
        let mut connection = handshake.await.expect("HTTP/2");
        while let Some(call) = connection.accept().await {
            let Ok((request, mut answer)) = call else { return };
            assert_eq!(request.uri().path(), "/game/Play");
            let number = count.fetch_add(1, Relaxed);
            if number >= most {
                return;
            }
            tokio::spawn(async move {
                let mut message = request.into_body();
                let read = message.data().await.expect("a message").expect("whole");
                assert_eq!(&read[..], [0, 0, 0, 0, 3, 1, 2, 3]);
                let _ = message.flow_control().release_capacity(read.len());
                let status =
                    |code| HeaderMap::from_iter([("grpc-status".parse().expect("a name"), code)]);
                let mut head = Response::new(());
                if number % 3 == 2 {
                    *head.headers_mut() = status(HeaderValue::from_static("14"));
                    answer.send_response(head, true).expect("sent");
                } else {
                    let mut body = answer.send_response(head, false).expect("sent");
                    body.send_data(Bytes::from_static(&[0; 5]), false).expect("sent");
                    body.send_trailers(status(HeaderValue::from_static("0"))).expect("sent");
                }
            });
        }
    }

    fn calls() -> [Call; 1] {
        let path = PathAndQuery::from_static("/game/Play");
        [Call { path, body: Bytes::from_static(&[1, 2, 3]) }]
    }

    #[test]
    fn callers_of_a_closed_loop_wait_for_their_answers() {
        let (address, answered) = server(usize::MAX);
        let mut peers = Peers::open(address, 2).expect("connected");
        let all = peers.closed_loop(&calls(), 3, Duration::from_millis(100)).expect("answered");
        assert_eq!(all.len(), answered.load(Relaxed));
        let refused = all.iter().filter(|one| one.code == Code::Unavailable).count();
        assert_eq!(refused, all.len() / 3, "of {}", all.len());
        let outcome = outcome(&all, Duration::from_millis(100));
        assert_eq!(outcome.good.len() as usize, all.len() - refused);
    }

    #[test]
    fn calls_of_an_open_loop_are_due_whether_or_not_others_are_answered() {
        let (address, _) = server(usize::MAX);
        let mut peers = Peers::open(address, 1).expect("connected");
        let phase = |rate, millis| Phase { rate, length: Duration::from_millis(millis) };
        let phases = [phase(20_000.0, 50), phase(2_000.0, 100)];
        let all = peers.open_loop(&calls(), &phases).expect("answered");
        // Four are in flight; the others wait, and that counts.
        let first = all.iter().filter(|one| one.due < phases[0].length).count();
        assert!((800..1200).contains(&first), "{first} of 1000");
        assert!((120..280).contains(&(all.len() - first)), "{} of 200", all.len() - first);
        assert!(all.iter().all(|one| one.due <= phases[0].length + phases[1].length));
    }

    #[test]
    fn a_server_that_goes_away_is_an_error() {
        let (address, _) = server(10);
        let mut peers = Peers::open(address, 1).expect("connected");
        assert!(peers.closed_loop(&calls(), 1, Duration::from_secs(5)).is_err());
    }
}
