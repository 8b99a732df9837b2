//! More calls than the service can serve: accepted calls are answered, the others rejected with the right
//! code, health is reported throughout, and the server recovers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

use crate::server::{Client, PATIENCE, score, start};

/// Advice that takes long: at the start of a turn of the race.
fn advice() -> pb::SuggestRequest {
    let position = pb::Position { rolls_left: 2, dice: vec![1, 3, 2, 4, 4], ..Default::default() };
    pb::SuggestRequest {
        ruleset: "poquer-tradicional".to_owned(),
        position: Some(position),
        ..Default::default()
    }
}

/// Repeats calls until stopped, and counts the responses by code.
async fn flood(mut client: Client, stop: Arc<AtomicBool>) -> Vec<Result<(), Status>> {
    let mut answers = Vec::new();
    while !stop.load(Relaxed) {
        let answer = client.suggest(advice()).await.map(|_| ());
        if answer.is_err() {
            // A server that only rejects calls serves none.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        answers.push(answer);
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn excess_calls_are_rejected_and_the_service_recovers() {
    let flags = ["--workers", "1", "--max-wait-seconds", "0.001"];
    let server = start(&[&flags[..], &["--admin-address", "127.0.0.1:0"]].concat());
    let mut client = server.client().await;
    client.suggest(advice()).await.expect("served");
    let stop = Arc::new(AtomicBool::new(false));
    let mut floods = Vec::new();
    for _ in 0..4 {
        let client = server.client().await;
        floods.extend((0..64).map(|_| tokio::spawn(flood(client.clone(), Arc::clone(&stop)))));
    }
    let begin = Instant::now();
    let mut health = HealthClient::new(server.channel().await);
    let mut refused = 0;
    while refused < 3 {
        assert!(begin.elapsed() < PATIENCE, "{refused} refused");
        health.check(HealthCheckRequest::default()).await.expect("health is never refused");
        refused += usize::from(client.score(score()).await.is_err());
    }
    stop.store(true, Relaxed);
    let mut codes: HashMap<Code, usize> = HashMap::new();
    for flood in floods {
        for answer in flood.await.expect("no panic") {
            let Err(status) = answer else {
                *codes.entry(Code::Ok).or_default() += 1;
                continue;
            };
            *codes.entry(status.code()).or_default() += 1;
            let details = status.get_error_details();
            assert_eq!(details.error_info().expect("a reason").reason, "OVERLOADED", "{status:?}");
            let retry = details.retry_info().expect("a retry delay").retry_delay;
            assert_eq!(retry, Some(Duration::from_millis(100)));
            assert!(status.metadata().contains_key("grpc-retry-pushback-ms"), "{status:?}");
        }
    }
    assert_eq!(codes.len(), 2, "{codes:?}");
    assert!(codes.contains_key(&Code::Ok) && codes.contains_key(&Code::Unavailable), "{codes:?}");
    for _ in 0..100 {
        client.suggest(advice()).await.expect("one call at a time is never rejected");
    }
    let (_, page) = crate::server::get(server.admin(), "/metrics").await;
    let has =
        |parts: &[&str]| page.lines().any(|line| parts.iter().all(|part| line.contains(part)));
    assert!(has(&["dicepoker_calls_refused_total", "OVERLOADED"]), "{page}");
    assert!(has(&["dicepoker_calls_waiting{", "} 0"]), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_on_an_idle_service_is_served() {
    let server = start(&["--workers", "1", "--max-wait-seconds", "5"]);
    let client = server.client().await;
    let calls = (0..500).map(|_| {
        let mut client = client.clone();
        tokio::spawn(async move { client.suggest(advice()).await.map(|_| ()) })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.expect("no panic").expect("served");
    }
}
