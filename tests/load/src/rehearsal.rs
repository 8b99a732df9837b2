//! A rollout rehearsed: three replicas on loopback addresses behind the project's balancing client,
//! under load, replaced one by one like a rolling update with maxUnavailable 0 and maxSurge 1: a
//! new one is ready before an old one stops. No call may fail. Then one replica is killed: calls in
//! flight there are lost, and retries must hide that.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dicepoker_client::{Client, Position, Retries, SuggestQuery};
use tonic::Code;

use crate::drive::{self, Outcome};
use crate::server;

const REPLICAS: u8 = 3;

/// The settings in Kubernetes, but shorter: clients that watch health notice at once.
const SETTINGS: [(&str, &str); 2] =
    [("DICEPOKER_DRAIN_WAIT_SECONDS", "0.5"), ("DICEPOKER_DRAIN_SECONDS", "10")];

/// Callers of the closed loop that finds the capacity of the replicas.
const CALLERS: usize = 32;

/// The highest rate, whatever the replicas can do.
const MOST: f64 = 5000.0;

/// A stage of the rehearsal: what happens to the replicas, and the retries of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Replace,
    Kill,
    KillWithoutRetries,
}

/// Rehearses `times` times. An error if any call failed that should not have.
pub async fn run(program: &Path, times: u32, rate: Option<f64>) -> io::Result<()> {
    let port = TcpListener::bind("127.0.0.2:0")?.local_addr()?.port();
    let mut lost = 0;
    println!("| # | stage | offered/s | calls | failed | p50, µs | p99 | p99.9 | worst |");
    println!("|--:|---|--:|--:|--:|--:|--:|--:|--:|");
    for number in 1..=times {
        for stage in [Stage::Replace, Stage::Kill, Stage::KillWithoutRetries] {
            let (rate, outcome) = rehearse(program, port, stage, rate).await?;
            println!(
                "| {number} | {stage:?} | {rate:.0} | {} | {} | {} | {} | {} | {} |",
                outcome.calls(),
                outcome.failed(),
                outcome.micros(0.5),
                outcome.micros(0.99),
                outcome.micros(0.999),
                outcome.latency.max()
            );
            if outcome.failed() > 0 {
                eprintln!("{stage:?}: {:?}", outcome.codes);
            }
            if stage != Stage::KillWithoutRetries {
                lost += outcome.failed();
            }
        }
    }
    match lost {
        0 => {
            println!("\nNo call failed.");
            Ok(())
        }
        lost => Err(io::Error::other(format!("{lost} calls failed"))),
    }
}

async fn rehearse(
    program: &Path,
    port: u16,
    stage: Stage,
    rate: Option<f64>,
) -> io::Result<(f64, Outcome)> {
    // The addresses of all replicas, as DNS would return them one after the other.
    let addresses: Vec<SocketAddr> = (2..2 + 2 * REPLICAS)
        .map(|last| SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), port))
        .collect();
    let mut free = addresses.iter().copied();
    let mut replicas = VecDeque::new();
    for address in free.by_ref().take(REPLICAS.into()) {
        replicas.push_back(server::start_at(program, address, &SETTINGS));
    }
    let retries =
        if stage == Stage::KillWithoutRetries { Retries::none() } else { Retries::default() };
    let target: Vec<String> = addresses.iter().map(|address| format!("http://{address}")).collect();
    let client =
        Client::builder().retries(retries).connect(target.join(",")).await.map_err(other)?;
    // Until the client has found all three.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let rate = match rate {
        Some(rate) => rate,
        None => (capacity(&client).await / 2.0).min(MOST),
    };

    let (stop, stopped) = tokio::sync::watch::channel(false);
    let load = {
        let client = Arc::new(client);
        // Bounded also if the replicas never start.
        let most = Duration::from_secs(60);
        tokio::spawn(drive::open_loop_until(rate, most, stopped, move |turn| {
            let client = Arc::clone(&client);
            async move { one(&client, turn).await }
        }))
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    match stage {
        Stage::Replace => {
            for address in free {
                replicas.push_back(server::start_at(program, address, &SETTINGS));
                // Like minReadySeconds: the new one serves before the old one stops.
                tokio::time::sleep(Duration::from_secs(1)).await;
                if let Some(old) = replicas.pop_front() {
                    server::stop(&old);
                }
            }
        }
        Stage::Kill | Stage::KillWithoutRetries => {
            // Dropping a server kills it.
            drop(replicas.pop_front());
        }
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let _ = stop.send(true);
    let outcome = load.await.map_err(other)?;
    for replica in replicas {
        server::stop(&replica);
    }
    Ok((rate, outcome))
}

/// The capacity of the replicas, in calls a second.
async fn capacity(client: &Client) -> f64 {
    const LENGTH: Duration = Duration::from_secs(2);
    let begin = std::time::Instant::now();
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let client = client.clone();
            tokio::spawn(async move {
                let mut calls = 0;
                while begin.elapsed() < LENGTH {
                    one(&client, caller + calls * CALLERS).await;
                    calls += 1;
                }
                calls
            })
        })
        .collect();
    let mut calls = 0;
    for caller in callers {
        calls += caller.await.unwrap_or(0);
    }
    calls as f64 / begin.elapsed().as_secs_f64()
}

/// Two requests of three are Score, one is Suggest.
async fn one(client: &Client, turn: usize) -> Code {
    let die = |place: usize| ((turn / 6usize.pow(place as u32)) % 6 + 1) as u32;
    let dice = [die(0), die(1), die(2), die(3), die(4)];
    let answer = if turn % 3 == 2 {
        let position = Position::new(dice, (turn % 2) as u32 + 1);
        client.suggest("yahtzee", SuggestQuery::from(position).top(3)).await.map(drop)
    } else {
        client.score("dice-poker-13", dice).await.map(drop)
    };
    answer.map_or_else(|error| error.code(), |()| Code::Ok)
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
