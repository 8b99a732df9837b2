//! The effect of heavy or hostile clients on others: the latency of Score calls at a modest rate
//! alone, and beside each of them, as ratios of the same run.

use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use dicepoker_proto::v1 as proto;
use prost::Message;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::task::JoinSet;

use crate::drive::{Call, Connections};
use crate::scenario;
use crate::server::{self, mebibytes};

/// Score calls a second.
const RATE: f64 = 500.0;

/// Simulations at a time.
const SIMULATIONS: usize = 4;

/// Idle connections.
const IDLE: usize = 2_000;

/// Concurrent connections that send noise, or close at once.
const NOISY: usize = 8;

/// The connection preface of HTTP/2.
const HELLO: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// Measures `program` on `core`, and prints the ratios.
pub async fn run(program: &Path, core: usize, length: Duration) -> io::Result<()> {
    let settings = [("DICEPOKER_WORKERS", "1"), ("DICEPOKER_LONG_WORK_NICE", "10")];
    let server = server::start_on(core, program, &settings);
    let address = server.address;
    let connections = Connections::open(&server.url(), 4).await.map_err(other)?;
    let score = scenario::plain_score();
    let measure = async || connections.offer(&[score.clone()].into(), RATE, length).await;
    let mut results = Vec::new();
    for what in ["simulations", "idle connections", "noise"] {
        let alone = measure().await;
        let before = mebibytes(server.memory());
        let mut others = JoinSet::new();
        let mut noisy = None;
        match what {
            "simulations" => {
                for _ in 0..SIMULATIONS {
                    let theirs = Connections::open(&server.url(), 1).await.map_err(other)?;
                    let call = simulation();
                    others.spawn(async move { while theirs.call(&call).await.is_ok() {} });
                }
            }
            "idle connections" => {
                for _ in 0..IDLE {
                    let mut stream = TcpStream::connect(address).await?;
                    stream.write_all(HELLO).await?;
                    others.spawn(async move {
                        let _stream = stream;
                        pending().await
                    });
                }
            }
            _ => noisy = Some(noise_of_its_own(address)?),
        }
        let beside = measure().await;
        let memory = mebibytes(server.memory()) - before;
        drop((others, noisy));
        let [alone_p, beside_p] = [&alone, &beside]
            .map(|outcome| [0.5, 0.99].map(|quantile| outcome.good.value_at_quantile(quantile)));
        results.push(json!({
            "beside": what,
            "alone_p50_p99_micros": alone_p,
            "beside_p50_p99_micros": beside_p,
            "p50_against_alone": beside_p[0] as f64 / alone_p[0].max(1) as f64,
            "p99_against_alone": beside_p[1] as f64 / alone_p[1].max(1) as f64,
            "codes": beside.codes,
            "memory_mib_more": memory,
        }));
    }
    server::stop(&server);
    println!("{:#}", json!(results));
    Ok(())
}

/// Noisy clients in a process with a lower priority, so that they do not delay the measuring
/// client. Dropping it ends it.
fn noise_of_its_own(address: SocketAddr) -> io::Result<Child> {
    let mut command = Command::new("nice");
    command.args(["-n", "19"]).arg(std::env::current_exe()?).args(["noise", &address.to_string()]);
    command.kill_on_drop(true).spawn()
}

/// Makes noise for a minute at most.
pub async fn make_noise(address: SocketAddr) {
    let mut clients: JoinSet<()> = (0..NOISY).map(|_| noise(address)).collect();
    let _ = tokio::time::timeout(Duration::from_secs(60), clients.join_next()).await;
}

/// Opens new connections that send the preface, then random bytes, until they are closed.
async fn noise(address: SocketAddr) {
    let bytes: Vec<u8> =
        (0..4096_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    loop {
        let Ok(mut stream) = TcpStream::connect(address).await else { return };
        let _ = stream.write_all(HELLO).await;
        while stream.write_all(&bytes).await.is_ok() {}
    }
}

/// A simulation of many games, of which only the last message counts.
fn simulation() -> Call {
    let request = proto::SimulateRequest {
        ruleset: "dice-poker-13".to_owned(),
        players: vec![proto::SimulatedPlayer::default()],
        games: 100_000,
        seed: Some(1),
        ..Default::default()
    };
    Call {
        path: http::uri::PathAndQuery::from_static("/dicepoker.v1.DicePokerService/Simulate"),
        body: request.encode_to_vec().into(),
    }
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
