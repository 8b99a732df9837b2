//! Score calls beside eight hostile clients of each kind: the calls are served and memory stays bounded. The
//! latency alone and beside them is printed, and checked where `DICEPOKER_TEST_CALLS` is set.
//!
//! The hostile clients run on threads with the lowest priority, so that the measuring one does not wait for a
//! processor that they occupy.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::hostile::noise;
use crate::raw::{
    DATA, END_HEADERS, END_STREAM, HEADERS, PREFACE, RST_STREAM, SCORE, SETTINGS, call, frame,
    message,
};
use crate::server::{Client, number, score, start};

/// Hostile clients at a time.
const CLIENTS: usize = 8;

/// Time from call to call of the measuring client.
const PAUSE: Duration = Duration::from_millis(2);

/// Limit on the median latency beside hostile clients, as a multiple of that alone.
const MOST: u32 = 3;

/// Hostile clients, until ended.
struct Hostile {
    stop: Arc<AtomicBool>,
    connections: Arc<AtomicUsize>,
    threads: Vec<JoinHandle<()>>,
}

/// What a hostile client does on each of its connections.
type Attack = fn(&mut TcpStream) -> std::io::Result<()>;

impl Hostile {
    fn start(server: SocketAddr, attack: Attack) -> Self {
        let (stop, connections) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let thread = |_| {
            let (stop, connections) = (Arc::clone(&stop), Arc::clone(&connections));
            std::thread::spawn(move || {
                rustix::process::nice(19).expect("a lower priority");
                while !stop.load(Relaxed) {
                    let Ok(mut stream) = TcpStream::connect(server) else { continue };
                    stream.set_read_timeout(Some(Duration::from_secs(1))).expect("set");
                    stream.set_write_timeout(Some(Duration::from_secs(1))).expect("set");
                    // The server may close the connection.
                    let _ = attack(&mut stream);
                    connections.fetch_add(1, Relaxed);
                }
            })
        };
        let threads = (0..CLIENTS).map(thread).collect();
        Self { stop, connections, threads }
    }

    /// Stops them, and returns how many connections they made.
    fn end(mut self) -> usize {
        self.stop.store(true, Relaxed);
        for thread in self.threads.drain(..) {
            thread.join().expect("no panic");
        }
        self.connections.load(Relaxed)
    }
}

fn hello(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all(&[PREFACE, &frame(SETTINGS, 0, 0, &[])].concat())
}

fn noise_on_connections(stream: &mut TcpStream) -> std::io::Result<()> {
    hello(stream)?;
    let noise = noise(7, 4096);
    loop {
        stream.write_all(&noise)?;
    }
}

/// Begins and resets more calls than the server allows a connection.
fn resets(stream: &mut TcpStream) -> std::io::Result<()> {
    hello(stream)?;
    let block = call(SCORE, &[]);
    let pair = |id| {
        let reset = frame(RST_STREAM, 0, id, &8_u32.to_be_bytes());
        [frame(HEADERS, END_HEADERS, id, &block), reset].concat()
    };
    stream.write_all(&(1..1001).step_by(2).flat_map(pair).collect::<Vec<u8>>())?;
    read_to_end(stream)
}

/// Fifty calls on a connection with this body.
fn calls(stream: &mut TcpStream, body: &[u8]) -> std::io::Result<()> {
    hello(stream)?;
    let block = call(SCORE, &[]);
    let mut answer = [0; 4096];
    for id in (1..101).step_by(2) {
        let head = frame(HEADERS, END_HEADERS, id, &block);
        stream.write_all(&[head, frame(DATA, END_STREAM, id, body)].concat())?;
        if stream.read(&mut answer)? == 0 {
            break;
        }
    }
    Ok(())
}

fn large_messages_announced(stream: &mut TcpStream) -> std::io::Result<()> {
    calls(stream, &[0, 255, 255, 255, 255, 1, 2, 3])
}

fn undecodable_messages(stream: &mut TcpStream) -> std::io::Result<()> {
    calls(stream, &[&[0, 0, 0, 0, 200][..], &noise(9, 200)].concat())
}

/// Messages nested as deeply as prost decodes: 100 levels.
fn deeply_nested_messages(stream: &mut TcpStream) -> std::io::Result<()> {
    use prost_types::value::Kind;
    use prost_types::{ListValue, Struct, Value};
    let mut value = Value { kind: Some(Kind::BoolValue(true)) };
    for _ in 0..48 {
        value = Value { kind: Some(Kind::ListValue(ListValue { values: vec![value] })) };
    }
    let options = Some(Struct { fields: [("deep".to_owned(), value)].into() });
    let request = dicepoker_proto::v1::ScoreRequest { options, ..score() };
    calls(stream, &message(&request))
}

/// As many calls as a connection may have, of which half a message arrives.
fn half_sent_messages(stream: &mut TcpStream) -> std::io::Result<()> {
    hello(stream)?;
    let block = call(SCORE, &[]);
    let half = |id| {
        let body = frame(DATA, 0, id, &[0, 0, 0, 4, 0, 1, 2, 3]);
        [frame(HEADERS, END_HEADERS, id, &block), body].concat()
    };
    stream.write_all(&(1..201).step_by(2).flat_map(half).collect::<Vec<u8>>())?;
    read_to_end(stream)
}

/// Connections that send nothing, or no more than the preface.
fn silence(stream: &mut TcpStream) -> std::io::Result<()> {
    let server = stream.peer_addr()?;
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(TcpStream::connect(server)?);
        let mut greeted = TcpStream::connect(server)?;
        hello(&mut greeted)?;
        silent.push(greeted);
    }
    read_to_end(stream)
}

fn read_to_end(stream: &mut TcpStream) -> std::io::Result<()> {
    let mut answer = [0; 4096];
    while stream.read(&mut answer)? > 0 {}
    Ok(())
}

/// The median and the 99th percentile of the latency of so many calls.
async fn latency(client: &mut Client, calls: usize) -> [Duration; 2] {
    let mut took = Vec::with_capacity(calls);
    for _ in 0..calls {
        tokio::time::sleep(PAUSE).await;
        let begin = Instant::now();
        client.score(score()).await.expect("others are served");
        took.push(begin.elapsed());
    }
    took.sort_unstable();
    [took[calls / 2], took[calls * 99 / 100]]
}

/// 100 calls beside each kind, or as many as `DICEPOKER_TEST_CALLS` says.
#[tokio::test]
async fn others_are_served_beside_hostile_clients() {
    // A slow machine must not refuse the calls.
    let server = start(&["--workers", "1", "--max-wait-seconds", "1"]);
    let mut client = server.client().await;
    let calls = number("DICEPOKER_TEST_CALLS", 0) as usize;
    let (checked, calls) = (calls > 0, if calls > 0 { calls } else { 100 });
    let attacks: [(&str, Attack); 7] = [
        ("noise", noise_on_connections),
        ("resets", resets),
        ("announced large messages", large_messages_announced),
        ("undecodable messages", undecodable_messages),
        ("deeply nested messages", deeply_nested_messages),
        ("half-sent messages", half_sent_messages),
        ("silence", silence),
    ];
    latency(&mut client, 50).await;
    let memory = server.memory();
    for (name, attack) in attacks {
        let alone = latency(&mut client, calls).await;
        let (hostile, begin) = (Hostile::start(server.address, attack), Instant::now());
        let beside = latency(&mut client, calls).await;
        let rate = hostile.end() as f64 / begin.elapsed().as_secs_f64();
        let [p50, p99] = [0, 1].map(|i| beside[i].as_secs_f64() / alone[i].as_secs_f64());
        println!(
            "{name}: {rate:.0} connections a second, p50 {p50:.1} x ({:.0?} to {:.0?}), p99 {p99:.1} x \
             ({:.0?} to {:.0?})",
            alone[0], beside[0], alone[1], beside[1]
        );
        assert!(
            !checked || beside[0] <= MOST * alone[0],
            "{name}: {alone:?} alone, {beside:?} beside"
        );
        let more = server.memory().saturating_sub(memory) >> 20;
        assert!(more < 64, "{name}: {more} MiB more");
    }
}
