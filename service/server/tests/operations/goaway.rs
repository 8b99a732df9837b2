//! The end of a connection: the server answers every call that its client sent before it could know the last one.

use std::time::{Duration, Instant};

use dicepoker_testkit::{Server, Signal};
use tokio::task::block_in_place;
use tokio::time::timeout;

use crate::raw::{
    ACK, DATA, END_HEADERS, END_STREAM, Frame, GOAWAY, HEADERS, PING, Raw, SCORE, call, frame,
    message,
};
use crate::server::{PATIENCE, score, score_retrying, start};

const TOKEN: &str = "a-token-that-nobody-guesses";

const WINDOW_UPDATE: u8 = 8;

/// The last stream of a GOAWAY that comes before the last call is known.
const ANY: u32 = 0x7fff_ffff;

/// A connection in a loop of calls, and what the server said.
struct Caller {
    raw: Raw,
    /// Identifiers of the calls that were sent are odd numbers up to this.
    last: u32,
    answered: u32,
    goaways: Vec<u32>,
}

impl Caller {
    async fn connect(server: &Server) -> Self {
        let mut raw = Raw::hello(server.address).await;
        // Room for all responses, so that the client need not make any.
        let room = frame(WINDOW_UPDATE, 0, 0, &(1_u32 << 30).to_be_bytes());
        raw.send(&room).await.expect("sent");
        Self { raw, last: 0, answered: 0, goaways: Vec::new() }
    }

    async fn send(&mut self) {
        self.last = if self.last == 0 { 1 } else { self.last + 2 };
        let headers = call(SCORE, &[("authorization", &format!("Bearer {TOKEN}"))]);
        let headers = frame(HEADERS, END_HEADERS, self.last, &headers);
        let body = frame(DATA, END_STREAM, self.last, &message(&score()));
        self.raw.send(&[headers, body].concat()).await.expect("sent");
    }

    /// The next frame; `None` at the end of the connection.
    async fn next(&mut self) -> Option<Frame> {
        let frame = timeout(PATIENCE, self.raw.next()).await.expect("in time")?;
        match frame.kind {
            HEADERS if frame.flags & END_STREAM != 0 => self.answered += 1,
            GOAWAY => {
                let last = frame.payload[..4].try_into().expect("a stream");
                self.goaways.push(u32::from_be_bytes(last));
            }
            _ => {}
        }
        Some(frame)
    }

    /// One call after the other until the server asks by a PING which ones were sent.
    async fn call_until_asked(&mut self) -> Frame {
        loop {
            self.send().await;
            let before = self.answered;
            while self.answered == before {
                let frame = self.next().await.expect("open while calls may arrive");
                if frame.kind == PING && frame.flags & ACK == 0 {
                    return frame;
                }
            }
        }
    }

    /// Calls until the server names the last call: all are answered.
    async fn call_to_the_end(mut self) {
        let ping = self.call_until_asked().await;
        assert_eq!(self.goaways, [ANY, ANY], "our own, and one that hyper sends with its PING");
        // A client that has not read the PING yet.
        for _ in 0..3 {
            self.send().await;
        }
        self.raw.send(&frame(PING, ACK, 0, &ping.payload)).await.expect("sent");
        while self.next().await.is_some() {}
        assert_eq!(self.goaways, [ANY, ANY, self.last]);
        assert_eq!(self.answered, self.last.div_ceil(2), "calls answered");
        assert!(self.answered > 4, "calls before the PING");
    }
}

#[tokio::test]
async fn calls_at_the_age_of_a_connection_are_answered() {
    let server = start(&["--connection-age-seconds", "0.2"]);
    Caller::connect(&server).await.call_to_the_end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_during_a_reload_and_a_drain_are_answered() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), format!("me {TOKEN}\n")).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    let server = start(&["--auth-tokens-file", path, "--drain-seconds", "60"]);
    let mut caller = Caller::connect(&server).await;
    server.signal(Signal::HUP);
    server.logged(&["reloaded"]);
    for call in 1..=100 {
        caller.send().await;
        while caller.answered < call {
            caller.next().await.expect("open");
        }
    }
    assert!(caller.goaways.is_empty(), "a reload ends no connection");
    server.signal(Signal::TERM);
    caller.call_to_the_end().await;
    let (status, _) = block_in_place(|| server.ended());
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn an_old_connection_gets_goaway_and_its_calls_their_grace_period() {
    let flags = ["--connection-age-seconds", "0.2", "--connection-grace-seconds", "2"];
    let server = start(&flags);
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[]);
    raw.send(&frame(HEADERS, END_HEADERS, 1, &block)).await.expect("sent");
    let begin = Instant::now();
    raw.wait_for(GOAWAY, PATIENCE).await.expect("GOAWAY");
    let goaway = begin.elapsed();
    assert!(raw.is_closed_within(PATIENCE / 2).await);
    assert!(begin.elapsed() - goaway > Duration::from_millis(200), "its call had no grace period");
    // A client library opens another connection without losing a call.
    let mut client = server.client().await;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(1) {
        score_retrying(&mut client).await.expect("served");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
