//! Limits on calls, callers and connections, over a real socket.

use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use dicepoker_testkit::Signal;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_stream::pending;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

use crate::raw::{
    DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PREFACE, RST_STREAM, Raw, SCORE, SETTINGS,
    call, frame, message,
};
use crate::server::{PATIENCE, is_well, score, start};

/// Begins a Score call whose message never arrives; the call lasts as long as the task.
fn hang(channel: Channel) -> tokio::task::JoinHandle<Result<(), Status>> {
    tokio::spawn(async move {
        let mut client = tonic::client::Grpc::new(channel);
        client.ready().await.expect("ready");
        let path = http::uri::PathAndQuery::from_static(SCORE);
        let codec = tonic_prost::ProstCodec::<pb::ScoreRequest, pb::ScoreResponse>::default();
        let request = Request::new(pending::<pb::ScoreRequest>());
        let answer = client.streaming(request, path, codec).await?;
        answer.into_inner().message().await.map(|_| ())
    })
}

/// A simulation that outlasts the test.
fn simulation() -> pb::SimulateRequest {
    pb::SimulateRequest {
        ruleset: "dice-poker-13".to_owned(),
        players: vec![pb::SimulatedPlayer::default()],
        games: 100_000,
        seed: Some(1),
        ..Default::default()
    }
}

fn pushback(status: &Status) -> u64 {
    let value = status.metadata().get("grpc-retry-pushback-ms").expect("a pushback");
    value.to_str().expect("text").parse().expect("a number")
}

#[tokio::test]
async fn a_callers_deadline_ends_its_call_with_deadline_exceeded() {
    let server = start(&[]);
    // tonic's client would end the call itself: this one leaves it to the service.
    let stream = TcpStream::connect(server.address).await.expect("connects");
    let (client, connection) = h2::client::handshake(stream).await.expect("speaks HTTP/2");
    tokio::spawn(connection);
    let mut client = client.ready().await.expect("ready");
    let request = http::Request::post(format!("{}{SCORE}", server.url()))
        .header("content-type", "application/grpc")
        .header("grpc-timeout", "150m")
        .body(())
        .expect("a request");
    let begin = Instant::now();
    let (response, _message_that_never_comes) = client.send_request(request, false).expect("sent");
    let response = response.await.expect("answered");
    assert!(begin.elapsed() >= Duration::from_millis(150));
    let status = Status::from_header_map(response.headers()).expect("a status");
    assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
    let details = status.get_error_details();
    assert_eq!(details.error_info().expect("a reason").reason, "TOO_LATE");
}

#[tokio::test]
async fn the_time_limit_of_the_service_ends_calls_without_a_deadline() {
    let server = start(&["--max-call-seconds", "0.2"]);
    let begin = Instant::now();
    let status = hang(server.channel().await).await.expect("no panic").expect_err("too late");
    assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
    assert!(begin.elapsed() < PATIENCE / 2);
}

#[tokio::test]
async fn a_call_whose_deadline_passes_in_the_queue_is_not_begun() {
    let server = start(&["--admin-address", "127.0.0.1:0"]);
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[("grpc-timeout", "1n")]);
    let body = frame(DATA, END_STREAM, 1, &message(&score()));
    raw.send(&[frame(HEADERS, END_HEADERS, 1, &block), body].concat()).await.expect("sent");
    let answer = raw.wait_for(HEADERS, PATIENCE).await.expect("answered");
    assert!(answer.flags & END_STREAM != 0, "refused without a body");
    let (_, page) = crate::server::get(server.admin(), "/metrics").await;
    assert!(page.contains("rpc_status_code=\"DEADLINE_EXCEEDED\""), "{page}");
    assert!(!page.contains("dicepoker_call_duration_seconds"), "its rules were looked up: {page}");
}

#[tokio::test]
async fn calls_beyond_the_limit_are_rejected_at_once_on_every_connection_but_health_checks_are_not()
{
    let server = start(&["--max-calls", "2", "--workers", "2"]);
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut client = server.client().await;
        held.push(client.simulate(simulation()).await.expect("a place"));
    }
    let mut client = server.client().await;
    let status = client.score(score()).await.expect_err("all places are taken");
    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
    let retry = status.get_error_details().retry_info().expect("a retry delay").retry_delay;
    assert_eq!(retry, Some(Duration::from_millis(100)));
    assert!((1..=1000).contains(&pushback(&status)));
    assert!(is_well(&server).await);

    drop(held);
    let begin = Instant::now();
    while client.score(score()).await.is_err() {
        assert!(begin.elapsed() < PATIENCE, "places are not released");
    }
}

#[tokio::test]
async fn a_caller_beyond_its_rate_gets_a_retry_delay() {
    let server = start(&["--rate-per-second", "1", "--rate-burst", "3"]);
    let mut client = server.client().await;
    for _ in 0..3 {
        client.score(score()).await.expect("within the burst");
    }
    // On a slow machine the rate allows a few more.
    let mut other_connection = server.client().await;
    let mut status = None;
    for _ in 0..100 {
        status = status.or(other_connection.score(score()).await.err());
    }
    let status = status.expect("too many");
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    assert!((1..=1001).contains(&pushback(&status)));
    assert!(is_well(&server).await);
}

#[tokio::test]
async fn connections_beyond_the_limit_are_closed_at_once() {
    let server = start(&["--max-connections", "2"]);
    let mut first = server.client().await;
    first.score(score()).await.expect("served");
    let mut second = Raw::hello(server.address).await;
    assert!(second.wait_for(SETTINGS, PATIENCE).await.is_some());
    let mut third = Raw::hello(server.address).await;
    assert!(third.is_closed_within(PATIENCE / 2).await);
    drop(second);
    first.score(score()).await.expect("served as before");
    let begin = Instant::now();
    while Raw::hello(server.address).await.wait_for(SETTINGS, PATIENCE).await.is_none() {
        assert!(begin.elapsed() < PATIENCE, "places are not released");
    }
}

#[tokio::test]
async fn a_burst_of_connections_waits_to_be_accepted() {
    let longest = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("a limit");
    let burst = longest.trim().parse::<usize>().expect("a number").min(500);
    let server = start(&[]);
    // The kernel drops what its queue has no room for: a client tries again after a second, and in vain.
    server.signal(Signal::STOP);
    let connect = |_| tokio::spawn(timeout(PATIENCE, TcpStream::connect(server.address)));
    let connects: Vec<_> = (0..burst).map(connect).collect();
    let mut connections = Vec::new();
    for connect in connects {
        let connected = connect.await.expect("no panic");
        connections.push(connected.expect("in the queue").expect("connected"));
    }
    server.signal(Signal::CONT);
    assert!(is_well(&server).await);
}

#[tokio::test]
async fn clients_receive_the_limit_on_concurrent_calls() {
    let server = start(&["--max-calls-per-connection", "7", "--max-header-kib", "3"]);
    let mut raw = Raw::hello(server.address).await;
    let settings = raw.wait_for(SETTINGS, PATIENCE).await.expect("settings").payload;
    let value = |id: u16| {
        let entry = settings.chunks(6).find(|entry| entry[..2] == id.to_be_bytes());
        entry.map(|entry| u32::from_be_bytes([entry[2], entry[3], entry[4], entry[5]]))
    };
    assert_eq!(value(3), Some(7), "SETTINGS_MAX_CONCURRENT_STREAMS");
    assert_eq!(value(6), Some(3 << 10), "SETTINGS_MAX_HEADER_LIST_SIZE");
}

#[tokio::test]
async fn calls_beyond_the_limit_of_a_connection_are_refused_as_not_processed() {
    let server = start(&["--max-calls-per-connection", "2"]);
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[]);
    for stream in [1, 3, 5] {
        raw.send(&frame(HEADERS, END_HEADERS, stream, &block)).await.expect("sent");
    }
    let reset = raw.wait_for(RST_STREAM, PATIENCE).await.expect("refused");
    const REFUSED_STREAM: [u8; 4] = 7_u32.to_be_bytes();
    assert_eq!(reset.payload, REFUSED_STREAM, "clients may try such a call again");
}

#[tokio::test]
async fn too_large_headers_fail_only_their_call() {
    let server = start(&["--max-header-kib", "1"]);
    let mut client = server.client().await;
    let mut request = Request::new(score());
    request.metadata_mut().insert("x-large", "x".repeat(4000).parse().expect("a header"));
    client.score(request).await.expect_err("too large");
    client.score(score()).await.expect("served as before");
}

#[tokio::test]
async fn silent_clients_are_disconnected() {
    let server = start(&["--handshake-seconds", "0.2"]);
    let stream = TcpStream::connect(server.address).await.expect("connects");
    assert!(Raw(stream).is_closed_within(PATIENCE / 2).await);
    let stream = TcpStream::connect(server.address).await.expect("connects");
    let mut slow = Raw(stream);
    slow.send(b"PRI * HTT").await.expect("sent");
    assert!(slow.is_closed_within(PATIENCE / 2).await, "half a preface");
}

#[tokio::test]
async fn vanished_clients_are_disconnected_and_idle_ones_are_not() {
    let flags = ["--keepalive-seconds", "0.1", "--keepalive-timeout-seconds", "2"];
    let server = start(&flags);
    let mut client = server.client().await;
    client.score(score()).await.expect("served");
    let mut half_open = Raw::hello(server.address).await;
    let begin = Instant::now();
    assert!(half_open.is_closed_within(PATIENCE / 2).await);
    assert!(begin.elapsed() > Duration::from_secs(2));
    let closed = |line: &String| line.contains("connection ended");
    assert!(!server.log().iter().any(closed), "quiet at the default level");
    client.score(score()).await.expect("idle, but alive");
}

#[tokio::test]
async fn clients_that_read_no_data_are_disconnected() {
    // It gets no PING, since it sends data all the time.
    let flags = ["--keepalive-seconds", "0", "--keepalive-timeout-seconds", "0.3"];
    let server = start(&[&flags[..], &["--admin-address", "127.0.0.1:0"]].concat());
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4 << 10).expect("set");
    let mut raw = Raw(socket.connect(server.address).await.expect("connects"));
    // Its windows are the largest that HTTP/2 allows, on streams and on the connection.
    const INITIAL_WINDOW_SIZE: [u8; 2] = 4_u16.to_be_bytes();
    const WINDOW_UPDATE: u8 = 8;
    let most = 0x7fff_ffff_u32.to_be_bytes();
    let settings = frame(SETTINGS, 0, 0, &[&INITIAL_WINDOW_SIZE[..], &most].concat());
    let window = frame(WINDOW_UPDATE, 0, 0, &0x7fff_0000_u32.to_be_bytes());
    raw.send(&[PREFACE, &settings, &window].concat()).await.expect("sent");
    let block = call("/dicepoker.v1.DicePokerService/ListRulesets", &[]);
    let ask = |stream| {
        let body = frame(DATA, END_STREAM, stream, &[0, 0, 0, 0, 0]);
        [frame(HEADERS, END_HEADERS, stream, &block), body].concat()
    };
    let begin = Instant::now();
    let mut streams = (1..).step_by(2);
    // It never reads, and its calls end with its connection.
    while raw.send(&ask(streams.next().expect("endless"))).await.is_ok() {
        assert!(begin.elapsed() < PATIENCE, "it is still served");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // The count of connections drops shortly after it is disconnected.
    loop {
        let (_, page) = crate::server::get(server.admin(), "/metrics").await;
        let open = page.lines().find(|line| line.starts_with("dicepoker_connections_open"));
        if open.is_some_and(|line| line.ends_with(" 0")) {
            return;
        }
        assert!(begin.elapsed() < PATIENCE, "{open:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn clients_that_do_not_read_their_responses_are_disconnected() {
    let flags = ["--max-calls", "4", "--max-call-seconds", "2"];
    let flags = [&flags[..], &["--connection-grace-seconds", "0.3"]].concat();
    let server = start(&flags);
    // Its window for responses is empty; it reads all other frames.
    const INITIAL_WINDOW_SIZE: [u8; 2] = 4_u16.to_be_bytes();
    let settings = frame(SETTINGS, 0, 0, &[&INITIAL_WINDOW_SIZE[..], &[0; 4]].concat());
    let mut raw = Raw(TcpStream::connect(server.address).await.expect("connects"));
    raw.send(&[PREFACE, &settings].concat()).await.expect("sent");
    let body = message(&score());
    let block = call(SCORE, &[]);
    for stream in [1, 3, 5, 7] {
        let head = frame(HEADERS, END_HEADERS, stream, &block);
        raw.send(&[head, frame(DATA, END_STREAM, stream, &body)].concat()).await.expect("sent");
    }
    // The headers of a response need no window: the calls have been served.
    for _ in 0..4 {
        assert!(raw.wait_for(HEADERS, PATIENCE).await.is_some());
    }
    let mut client = server.client().await;
    let status = client.score(score()).await.expect_err("all places are taken");
    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
    assert!(raw.wait_for(GOAWAY, PATIENCE).await.is_some(), "GOAWAY");
    assert!(raw.is_closed_within(PATIENCE / 2).await, "its calls end");
    let begin = Instant::now();
    while client.score(score()).await.is_err() {
        assert!(begin.elapsed() < PATIENCE, "places are not released");
    }
}

#[tokio::test]
async fn rejections_are_responses_of_headers_only() {
    let server = start(&[]);
    for path in ["/foo.Bar/Baz", "/grpc.health.v1.Health/Nope", "/dicepoker.v1.DicePokerService/No"]
    {
        let mut raw = Raw::hello(server.address).await;
        raw.send(&frame(HEADERS, END_HEADERS, 1, &call(path, &[]))).await.expect("sent");
        raw.send(&frame(DATA, END_STREAM, 1, &[0; 5])).await.expect("sent");
        let answer = raw.wait_for(HEADERS, PATIENCE).await.expect("an answer");
        assert!(answer.flags & END_STREAM != 0, "{path}: {answer:?}");
    }
}
