//! A minimal client of HTTP/2 frames: making a call costs a fraction of serving it, so that one
//! core can offer more than another one can serve. It polls its sockets in a loop instead of
//! waiting for them, which is precise and uses the whole core.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::drive::{Call, Outcome, pause};
use crate::peer::{Answered, Peer, PendingCall, Request};

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
                        self.peers[peer].backlog.push_back(PendingCall {
                            request,
                            due,
                            begun: now,
                        });
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use bytes::Bytes;
    use h2::server::Builder;
    use http::uri::PathAndQuery;
    use http::{HeaderMap, HeaderValue, Response};
    use tonic::Code;

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
