//! Hostile clients: other clients are served meanwhile.

use std::time::Duration;

use dicepoker_proto::v1 as pb;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::raw::{DATA, END_HEADERS, END_STREAM, HEADERS, Raw, SCORE, SETTINGS, call, frame};
use crate::server::{PATIENCE, number, raise_open_files, score, start};

/// Pseudo-random bytes, the same in every run.
pub(crate) fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let step = |state: &mut u64| {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state as u8
    };
    (0..length).map(|_| step(&mut state)).collect()
}

#[tokio::test]
async fn random_bytes_end_only_their_connection() {
    let server = start(&[]);
    let mut client = server.client().await;
    for seed in 1..40 {
        let mut stream = TcpStream::connect(server.address).await.expect("connects");
        let _ = stream.write_all(&noise(seed, 2000)).await;
        let mut raw = Raw::hello(server.address).await;
        let kind = seed as u8 % 12;
        let _ = raw.send(&frame(kind, noise(seed, 1)[0], 1, &noise(seed, 300))).await;
        let _ = raw.send(&noise(seed, 3000)).await;
        client.score(score()).await.expect("served");
    }
}

#[tokio::test]
async fn random_messages_fail_only_their_call() {
    let server = start(&[]);
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[]);
    for (seed, stream) in (1..40).zip((1..).step_by(2)) {
        let body = noise(seed, 200);
        let message = [&[0, 0, 0, 0, 200][..], &body].concat();
        raw.send(&frame(HEADERS, END_HEADERS, stream, &block)).await.expect("sent");
        raw.send(&frame(DATA, END_STREAM, stream, &message)).await.expect("sent");
        assert!(raw.wait_for(HEADERS, PATIENCE).await.is_some(), "answered");
    }
    server.client().await.score(score()).await.expect("served");
}

#[tokio::test]
async fn deep_nesting_fails_only_its_call() {
    let server = start(&[]);
    let mut client = server.client().await;
    for depth in [10, 45, 60, 200] {
        let mut value = Value { kind: Some(Kind::BoolValue(true)) };
        for _ in 0..depth {
            value = Value { kind: Some(Kind::ListValue(ListValue { values: vec![value] })) };
        }
        let options = Struct { fields: [("deep".to_owned(), value)].into() };
        let request = pb::ScoreRequest { options: Some(options), ..score() };
        client.score(request).await.expect_err("no option is like that");
    }
    client.score(score()).await.expect("served");
}

#[tokio::test]
async fn clients_with_endless_headers_are_disconnected_and_delay_no_others() {
    let flags = ["--keepalive-seconds", "0.2", "--keepalive-timeout-seconds", "2"];
    let server = start(&flags);
    let mut client = server.client().await;
    let mut slow = Vec::new();
    for _ in 0..100 {
        let mut raw = Raw::hello(server.address).await;
        let block = call(SCORE, &[]);
        // The header block never ends, so no other frame is valid on this connection.
        let begun = frame(HEADERS, 0, 1, &block[..20]);
        let _ = raw.send(&begun).await;
        slow.push(raw);
    }
    for _ in 0..50 {
        client.score(score()).await.expect("served");
    }
    for mut raw in slow {
        assert!(raw.is_closed_within(PATIENCE / 2).await);
    }
    client.score(score()).await.expect("served");
}

/// Bytes of memory that an idle connection may take.
const IDLE_CONNECTION: u64 = 48 << 10;

/// 1,000 connections, or as many as `DICEPOKER_TEST_CONNECTIONS` says.
#[tokio::test]
async fn many_idle_connections_take_bounded_memory_and_others_are_served() {
    raise_open_files();
    let server = start(&[]);
    let mut client = server.client().await;
    client.score(score()).await.expect("served");
    let before = server.memory();
    let many = number("DICEPOKER_TEST_CONNECTIONS", 1_000);
    let mut idle = Vec::new();
    for _ in 0..many {
        let mut raw = Raw::hello(server.address).await;
        raw.wait_for(SETTINGS, PATIENCE).await.expect("greeted");
        idle.push(raw);
    }
    for _ in 0..50 {
        client.score(score()).await.expect("served");
    }
    let each = server.memory().saturating_sub(before) / many;
    println!("{many} idle connections: {each} bytes each");
    assert!(each < IDLE_CONNECTION, "{each} bytes a connection");
    drop(idle);
    tokio::time::sleep(Duration::from_millis(50)).await;
    client.score(score()).await.expect("served");
}
