//! Request messages that are too large, late, missing or endless: how their calls end, and that others are
//! served beside them.

use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use tokio::time::timeout;
use tonic::codec::CompressionEncoding;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

use crate::raw::{
    DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, RST_STREAM, Raw, SCORE, call, frame, message,
};
use crate::server::{PATIENCE, Server, is_well, score, score_retrying, start};

const HEALTH: &str = "/grpc.health.v1.Health/Check";

#[tokio::test]
async fn a_too_large_message_is_rejected_with_the_code_of_other_implementations() {
    let server = start(&["--max-request-kib", "1"]);
    let mut client = server.client().await;
    let request = pb::ScoreRequest { dice: vec![1; 2000], ..score() };
    let status = client.score(request).await.expect_err("too large");
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    client.score(score()).await.expect("the connection still serves");
}

#[tokio::test]
async fn too_large_messages_fail_only_their_calls() {
    let server = start(&["--max-request-kib", "1"]);
    let mut client = server.client().await;
    // More than `max-local-resets`, each in many frames.
    for _ in 0..1100 {
        let request = pb::ScoreRequest { dice: vec![1; 100 << 10], ..score() };
        let status = client.score(request).await.expect_err("too large");
        assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    }
    client.score(score()).await.expect("the connection still serves");
}

#[tokio::test]
async fn incomplete_messages_do_not_keep_others_from_being_served() {
    let server = start(&["--max-calls", "4", "--workers", "1"]);
    let mut client = server.client().await;
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[]);
    let body = message(&score());
    let (begin, end) = body.split_at(8);
    for stream in 0..10 {
        let stream = 2 * stream + 1;
        let body = frame(DATA, 0, stream, begin);
        raw.send(&[frame(HEADERS, END_HEADERS, stream, &block), body].concat())
            .await
            .expect("sent");
        // A call holds its place until the service finds its message incomplete.
        score_retrying(&mut client).await.expect("served");
        client.score(score()).await.expect("none of the places is taken");
    }
    raw.send(&frame(DATA, END_STREAM, 7, end)).await.expect("sent");
    let answer = raw.wait_for(HEADERS, PATIENCE).await.expect("answered");
    assert_eq!(answer.flags & END_STREAM, 0, "not refused: a message follows");
}

#[tokio::test]
async fn a_message_announced_as_too_large_is_rejected_before_it_arrives() {
    let server = start(&[]);
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[]);
    raw.send(&frame(HEADERS, END_HEADERS, 1, &block)).await.expect("sent");
    raw.send(&frame(DATA, 0, 1, &[0, 255, 255, 255, 255])).await.expect("sent");
    let answer = raw.wait_for(HEADERS, PATIENCE).await.expect("answered");
    let text = String::from_utf8_lossy(&answer.payload).into_owned();
    assert!(answer.flags & END_STREAM != 0, "a response at once, without a body: {text}");
}

/// The response to these bytes as the whole body of a call.
async fn answer_to(server: &Server, path: &str, body: &[u8]) -> Status {
    let stream = tokio::net::TcpStream::connect(server.address).await.expect("connects");
    let (client, connection) = h2::client::handshake(stream).await.expect("speaks HTTP/2");
    tokio::spawn(connection);
    let mut client = client.ready().await.expect("ready");
    let request = http::Request::post(format!("{}{path}", server.url()))
        .header("content-type", "application/grpc")
        .body(())
        .expect("a request");
    let (response, mut send) = client.send_request(request, false).expect("sent");
    send.send_data(bytes::Bytes::copy_from_slice(body), true).expect("sent");
    let response = response.await.expect("answered");
    Status::from_header_map(response.headers()).expect("refused without a body")
}

#[tokio::test]
async fn an_undecodable_message_is_an_error_of_the_caller() {
    let server = start(&["--admin-address", "127.0.0.1:0", "--access-log", "1"]);
    let bodies: [(&str, &[u8]); 7] = [
        ("bytes that are no message", &[0, 0, 0, 0, 3, 255, 255, 255]),
        ("a field of another type", &[0, 0, 0, 0, 2, 0x0a, 0x05]),
        ("an unknown flag", &[2, 0, 0, 0, 0]),
        ("a compressed message of no encoding", &[1, 0, 0, 0, 1, 0]),
        ("a prefix that ends too soon", &[0, 0, 0]),
        ("a message that ends too soon", &[0, 0, 0, 0, 9, 10]),
        ("no message", &[]),
    ];
    let health = "/grpc.health.v1.Health/Check";
    for (what, body) in bodies {
        for path in [SCORE, health] {
            let status = answer_to(&server, path, body).await;
            assert_eq!(status.code(), Code::InvalidArgument, "{what}: {status:?}");
            let details = status.get_error_details();
            let info = details.error_info().expect("a reason");
            let found = (info.domain.as_str(), info.reason.as_str());
            assert_eq!(found, ("dicepoker", "MESSAGE_UNREADABLE"), "{what}");
        }
    }
    let (_, page) = crate::server::get(server.admin(), "/metrics").await;
    let counted = |line: &&str| line.starts_with("rpc_server_call_duration_seconds_count");
    for line in page.lines().filter(counted) {
        assert!(line.contains("\"INVALID_ARGUMENT\"") && line.ends_with(" 7"), "{line}");
        assert!(!line.contains("error_type"), "no fault of the service: {line}");
    }
    assert_eq!(page.lines().filter(counted).count(), 2, "{page}");
    server.logged(&["dicepoker_server::access", "INVALID_ARGUMENT"]);
    assert!(!server.log().iter().any(|line| line.contains("\"ERROR\"")), "{:?}", server.log());
    server.client().await.score(score()).await.expect("others are served");
}

#[tokio::test]
async fn a_call_reset_before_its_message_arrives_counts_as_cancelled() {
    for (flags, path) in [
        (&["--admin-address", "127.0.0.1:0"][..], SCORE),
        (&["--admin-address", "127.0.0.1:0"], HEALTH),
        (&["--admin-address", "127.0.0.1:0", "--grpc-web"], SCORE),
    ] {
        let server = start(flags);
        let mut raw = Raw::hello(server.address).await;
        raw.send(&frame(HEADERS, END_HEADERS, 1, &call(path, &[]))).await.expect("sent");
        raw.send(&frame(DATA, 0, 1, &[0, 0, 0, 0, 9, 10])).await.expect("sent");
        // A call on another connection is answered when this one has begun.
        server.client().await.score(score()).await.expect("served");
        raw.send(&frame(RST_STREAM, 0, 1, &8_u32.to_be_bytes())).await.expect("sent");
        let begin = Instant::now();
        let ended = |line: &&str| {
            line.starts_with("rpc_server_call_duration_seconds_count") && !line.contains("\"OK\"")
        };
        loop {
            let (_, page) = crate::server::get(server.admin(), "/metrics").await;
            if let Some(line) = page.lines().find(ended) {
                assert!(line.contains("\"CANCELLED\""), "{flags:?} {path}: {line}");
                break;
            }
            assert!(begin.elapsed() < PATIENCE, "{page}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn compressed_messages_are_rejected() {
    // A small message cannot decompress into a large one.
    let server = start(&[]);
    let declined = |status: Status| {
        assert_eq!(status.code(), Code::Unimplemented, "{status:?}");
        let details = status.get_error_details();
        let info = details.error_info().expect("a reason");
        let found = (info.domain.as_str(), info.reason.as_str());
        assert_eq!(found, ("dicepoker", "ENCODING_UNSUPPORTED"));
        assert_eq!(
            status.metadata().get("grpc-accept-encoding").expect("valid encodings"),
            "identity"
        );
    };
    let mut client = server.client().await.send_compressed(CompressionEncoding::Gzip);
    declined(client.score(score()).await.expect_err("declined"));
    let mut health = HealthClient::new(server.channel().await);
    health = health.send_compressed(CompressionEncoding::Gzip);
    let request = HealthCheckRequest { service: String::new() };
    declined(health.check(request).await.expect_err("declined"));
}

#[tokio::test]
async fn an_unknown_method_has_a_reason() {
    let server = start(&[]);
    for path in ["/dicepoker.v1.DicePokerService/Cheat", "/dicepoker.v2.DicePokerService/Score"] {
        let status = answer_to(&server, path, &[0; 5]).await;
        assert_eq!(status.code(), Code::Unimplemented, "{status:?}");
        let details = status.get_error_details();
        let info = details.error_info().expect("a reason");
        assert_eq!((info.domain.as_str(), info.reason.as_str()), ("dicepoker", "METHOD_NOT_FOUND"));
    }
}

#[tokio::test]
async fn missing_messages_time_out() {
    let server = start(&[]);
    let missing_a_byte: &[u8] = &[0, 0, 0, 0, 3, 8, 1];
    let without_an_end: &[u8] = &[0, 0, 0, 0, 0];
    let mut calls = Vec::new();
    for (path, body) in
        [(SCORE, missing_a_byte), (HEALTH, missing_a_byte), (HEALTH, without_an_end)]
    {
        let mut raw = Raw::hello(server.address).await;
        let head = frame(HEADERS, END_HEADERS, 1, &call(path, &[]));
        raw.send(&[head, frame(DATA, 0, 1, body)].concat()).await.expect("sent");
        calls.push((raw, path, body));
    }
    for (mut raw, path, body) in calls {
        let answered = raw.wait_for(HEADERS, 2 * PATIENCE).await.is_some();
        assert!(answered, "{path} {body:?}");
    }
}

#[tokio::test]
async fn a_health_check_ends_at_its_deadline() {
    let server = start(&[]);
    let mut raw = Raw::hello(server.address).await;
    let head = call(HEALTH, &[("grpc-timeout", "50m")]);
    raw.send(&frame(HEADERS, END_HEADERS, 1, &head)).await.expect("sent");
    raw.send(&frame(DATA, 0, 1, &[0, 0, 0, 0, 0])).await.expect("sent");
    let begin = Instant::now();
    assert!(raw.wait_for(HEADERS, PATIENCE).await.is_some());
    assert!(begin.elapsed() < Duration::from_secs(9), "not by the timeout of messages");
}

#[tokio::test]
async fn half_sent_calls_hold_bounded_memory_and_complete_ones_are_served() {
    let server = start(&[]);
    let mut client = server.client().await;
    client.score(score()).await.expect("served");
    let before = server.memory();
    // Headers of 13 KiB and no message: 20 × 100 such calls hold more than the budget of 32 MiB.
    let value = "x".repeat(120);
    let headers = vec![("x-long", value.as_str()); 100];
    let blocks = [SCORE, HEALTH].map(|path| call(path, &headers));
    let mut half_sent = Vec::new();
    for connection in 0..20 {
        let mut raw = Raw::hello(server.address).await;
        for stream in 0..100 {
            let head = frame(HEADERS, END_HEADERS, 2 * stream + 1, &blocks[connection % 2]);
            raw.send(&head).await.expect("sent");
        }
        half_sent.push(raw);
    }
    let last = half_sent.last_mut().expect("20");
    let answer = last.wait_for(HEADERS, PATIENCE).await.expect("beyond the budget");
    assert!(answer.flags & END_STREAM != 0, "refused");
    let more = server.memory().saturating_sub(before) >> 20;
    println!("2,000 half-sent calls: {more} MiB more");
    assert!(more < 96, "{more} MiB more");
    for _ in 0..50 {
        client.score(score()).await.expect("its message arrives with its headers");
    }
    assert!(is_well(&server).await);
}

#[tokio::test]
async fn a_health_check_with_a_long_service_name_is_rejected() {
    let server = start(&[]);
    let mut health = HealthClient::new(server.channel().await);
    let request = HealthCheckRequest { service: "x".repeat(8 << 10) };
    let status = health.check(request).await.expect_err("no name is as long");
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
}

#[tokio::test]
async fn late_messages_of_rejected_calls_keep_the_connection() {
    const TOGETHER: u32 = 64;
    const ROUNDS: u32 = 20;
    let server = start(&["--rate-per-second", "1", "--rate-burst", "1"]);
    let mut client = server.client().await;
    client.score(score()).await.expect("the first call may");
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[]);
    let mut refused = 0;
    for round in 0..ROUNDS {
        let streams = (0..TOGETHER).map(|i| 2 * (round * TOGETHER + i) + 1);
        let headers = streams.clone().flat_map(|n| frame(HEADERS, END_HEADERS, n, &block));
        let begin = Instant::now();
        raw.send(&headers.collect::<Vec<_>>()).await.expect("sent");
        // Shortly after, as clients do whose messages are written by another task.
        tokio::time::sleep(Duration::from_millis(2)).await;
        let messages = streams.flat_map(|n| frame(DATA, END_STREAM, n, &[0; 5]));
        raw.send(&messages.collect::<Vec<_>>()).await.expect("the connection stays");
        // The server waits 100 ms for the messages: on a busy machine they may be later.
        let late = begin.elapsed() > Duration::from_millis(50);
        while refused < (round + 1) * TOGETHER {
            let answer = timeout(PATIENCE, raw.next()).await.expect("in time");
            let answer = answer.expect("the connection stays");
            assert!(answer.kind != GOAWAY && (late || answer.kind != RST_STREAM), "{answer:?}");
            refused += u32::from(answer.kind == HEADERS && answer.flags & END_STREAM != 0);
        }
    }
}

#[tokio::test]
async fn rejected_calls_need_no_message() {
    let server = start(&["--rate-per-second", "1", "--rate-burst", "1"]);
    let mut client = server.client().await;
    client.score(score()).await.expect("the first call may");
    let mut raw = Raw::hello(server.address).await;
    raw.send(&frame(HEADERS, END_HEADERS, 1, &call(SCORE, &[]))).await.expect("sent");
    assert!(raw.wait_for(HEADERS, PATIENCE).await.is_some(), "it is rejected too");
}
