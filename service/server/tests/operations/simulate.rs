//! Simulations, the longest calls: they end with the service or with their callers, and do not delay other
//! calls.

use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use dicepoker_testkit::Signal;
use tokio::task::block_in_place;
use tokio_stream::StreamExt;
use tonic::{Code, Status, Streaming};
use tonic_types::StatusExt;

use crate::server::{Client, PATIENCE, Server, get, score, start};

/// More games than are played during a test.
const ENDLESS: u32 = u32::MAX;

/// The setting that allows so many games.
const NO_LIMIT: [&str; 2] = ["--simulate-games", "4294967295"];

fn request(games: u32) -> pb::SimulateRequest {
    pb::SimulateRequest {
        ruleset: "dice-poker-13".to_owned(),
        players: vec![pb::SimulatedPlayer::default()],
        games,
        seed: Some(1),
        ..Default::default()
    }
}

async fn simulate(client: &mut Client, games: u32) -> Streaming<pb::SimulateResponse> {
    client.simulate(request(games)).await.expect("begun").into_inner()
}

/// The error that ends a simulation early.
async fn end(stream: &mut Streaming<pb::SimulateResponse>) -> Status {
    loop {
        if let Err(status) = stream.next().await.expect("a stream does not end without a status") {
            return status;
        }
    }
}

/// Waits until the pool for long work runs so many pieces.
async fn running(server: &Server, wanted: u64) {
    let begin = Instant::now();
    loop {
        let (_, page) = get(server.admin(), "/metrics").await;
        let line = page.lines().find(|line| line.starts_with("dicepoker_long_work_running"));
        if line.is_some_and(|line| line.ends_with(&format!(" {wanted}"))) {
            return;
        }
        assert!(begin.elapsed() < PATIENCE, "{line:?}, not {wanted}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_simulation_finishes_before_the_shutdown() {
    let server = start(&["--drain-seconds", "60"]);
    let mut client = server.client().await;
    let mut short = simulate(&mut client, 50).await;
    server.signal(Signal::TERM);
    server.logged(&["draining"]);
    let mut last = None;
    while let Some(answer) = short.next().await {
        last = Some(answer.expect("played to the end"));
    }
    assert_eq!(last.expect("a result").games_played, 50);
    assert!(block_in_place(|| server.ended()).0.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_simulation_that_outlasts_the_drain_ends_with_an_error() {
    let server = start(&[&NO_LIMIT[..], &["--drain-seconds", "1"]].concat());
    let mut client = server.client().await;
    let mut endless = simulate(&mut client, ENDLESS).await;
    endless.next().await.expect("progress").expect("no error");
    server.signal(Signal::TERM);
    let end = end(&mut endless).await;
    assert_eq!(end.code(), Code::Unavailable, "{end:?}");
    assert_eq!(end.get_error_details().error_info().expect("a reason").reason, "STOPPING");
    let (status, _) = block_in_place(|| server.ended());
    assert_eq!(status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_simulation_ends_and_releases_its_place() {
    let flags = ["--long-work-threads", "1", "--admin-address", "127.0.0.1:0"];
    let server = start(&[&NO_LIMIT[..], &flags].concat());
    let mut client = server.client().await;
    let mut endless = simulate(&mut client, ENDLESS).await;
    endless.next().await.expect("progress").expect("no error");
    running(&server, 1).await;
    // The only thread of the pool is busy; calls that do not need it are served.
    for _ in 0..20 {
        client.score(score()).await.expect("served");
    }
    drop(endless);
    running(&server, 0).await;
    let mut next = simulate(&mut client, 10).await;
    let answer = next.next().await.expect("a result").expect("there is room again");
    assert_eq!(answer.games_played, 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_analysis_ends_and_releases_its_place() {
    let flags = ["--long-work-threads", "1", "--admin-address", "127.0.0.1:0"];
    let server = start(&[&NO_LIMIT[..], &flags].concat());
    let mut client = server.client().await;
    let pb::SimulateRequest { ruleset, games, seed, .. } = request(ENDLESS);
    let request = pb::AnalyzeRequest { ruleset, games, seed, ..Default::default() };
    let mut endless = client.analyze(request).await.expect("begun").into_inner();
    endless.next().await.expect("progress").expect("no error");
    running(&server, 1).await;
    drop(endless);
    running(&server, 0).await;
    let mut next = simulate(&mut client, 10).await;
    assert_eq!(next.next().await.expect("a result").expect("there is room again").games_played, 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_simulations_time_out_and_those_beyond_the_queue_are_rejected() {
    let flags = ["--long-work-threads", "1", "--long-work-queue", "1", "--max-call-seconds", "6"];
    let admin = ["--admin-address", "127.0.0.1:0", "--solve-at-start", "dice-poker-13"];
    let server = start(&[&NO_LIMIT[..], &flags, &admin].concat());
    server.logged(&["ready"]);
    let mut client = server.client().await;
    let mut first = simulate(&mut client, ENDLESS).await;
    running(&server, 1).await;
    let begun = first.next().await.expect("progress").expect("no error");
    let expected = begun.expected_games.expect("the time of a call does not allow all games");
    assert!((begun.games_played..ENDLESS).contains(&expected), "{begun:?}");
    let mut second = simulate(&mut client, ENDLESS).await;
    let refused = client.simulate(request(ENDLESS)).await.expect_err("there is no room");
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
    assert_eq!(refused.get_error_details().error_info().expect("a reason").reason, "OVERLOADED");
    for stream in [&mut first, &mut second] {
        let end = end(stream).await;
        assert_eq!(end.code(), Code::DeadlineExceeded, "{end:?}");
    }
    running(&server, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn short_work_does_not_wait_for_long_work() {
    let flags = ["--long-work-threads", "1", "--max-call-seconds", "0"];
    let server = start(&[&NO_LIMIT[..], &flags].concat());
    let mut client = server.client().await;
    let mut endless = [simulate(&mut client, ENDLESS).await, simulate(&mut client, ENDLESS).await];
    for stream in &mut endless {
        stream.next().await.expect("progress").expect("no error");
    }
    // Both would occupy the only thread of the pool for ever; a simulation and a solution take turns.
    let mut little = simulate(&mut client, 10).await;
    let answer = little.next().await.expect("a result").expect("no error");
    assert_eq!(answer.games_played, 10);
    let fields = [("upper_bonus_threshold".to_owned(), prost_types::Value::from(62.0))];
    let advice = pb::SuggestRequest {
        ruleset: "dice-poker-15".to_owned(),
        options: Some(prost_types::Struct { fields: fields.into() }),
        position: Some(pb::Position { rolls_left: 3, ..Default::default() }),
        ..Default::default()
    };
    client.suggest(advice).await.expect("solved in between");
    for stream in &mut endless {
        stream.next().await.expect("progress").expect("no error");
    }
}
