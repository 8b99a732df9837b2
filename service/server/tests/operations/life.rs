//! Start, readiness, drain and shutdown.

use std::time::Duration;

use dicepoker_testkit::Signal;
use tokio_stream::StreamExt;
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::server::{PATIENCE, command, get, score, start};

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

fn is(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

#[test]
fn a_faulty_configuration_exits_with_64_and_names_every_fault() {
    let output = command()
        .args(["--address", "nowhere", "--max-calls", "0"])
        .env("DICEPOKER_LOG_FORMAT", "xml")
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(64));
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    for part in ["3 faults", "--address", "max-calls", "DICEPOKER_LOG_FORMAT"] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
}

#[test]
fn a_valid_configuration_is_checked_and_printed_without_serving() {
    let check = command().arg("--check-config").output().expect("runs");
    assert_eq!(check.status.code(), Some(0));
    let print = command().args(["--print-config", "--max-calls=7"]).output().expect("runs");
    assert!(String::from_utf8_lossy(&print.stdout).contains("max-calls = 7 # --max-calls"));
}

#[test]
fn a_port_in_use_is_an_error_that_names_it() {
    let first = start(&[]);
    let address = first.address.to_string();
    let second =
        command().args(["--solve-at-start", "none", "--address", &address]).output().expect("runs");
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&second.stderr).contains(&address));
}

#[tokio::test]
async fn the_service_is_not_ready_before_its_tables_are_made() {
    // The largest ruleset takes a build without optimisation long enough to observe.
    let flags = ["--solve-at-start", "dice-poker-15", "--admin-address", "127.0.0.1:0"];
    let server = start(&flags);
    let mut health = HealthClient::new(server.channel().await);
    let mut watch = health.watch(of("")).await.expect("watched").into_inner();
    let alive = health.check(of("liveness")).await.expect("answered").into_inner();
    assert_eq!(alive, is(ServingStatus::Serving));
    assert_eq!(get(server.admin(), "/livez").await.0, 200);
    if watch.next().await.expect("a status").expect("no error") == is(ServingStatus::Serving) {
        server.logged(&["ruleset solved", "dice-poker-15"]);
    }
    let listening = server.log().iter().filter(|line| line.contains("\"listening\"")).count();
    assert_eq!(listening, 1, "the address is logged once");
}

#[tokio::test]
async fn the_admin_page_reports_liveness_and_readiness() {
    let server = start(&["--admin-address", "127.0.0.1:0", "--drain-wait-seconds", "60"]);
    server.logged(&["ready"]);
    let admin = server.admin();
    assert_eq!(get(admin, "/livez").await, (200, "alive\n".to_owned()));
    assert_eq!(get(admin, "/readyz").await, (200, "ready\n".to_owned()));
    assert_eq!(get(admin, "/secrets").await.0, 404);
    server.signal(Signal::TERM);
    server.logged(&["draining"]);
    assert_eq!(get(admin, "/readyz").await, (503, "draining\n".to_owned()));
    assert_eq!(get(admin, "/livez").await.0, 200);
}

#[tokio::test]
async fn probes_are_answered_beside_many_silent_connections() {
    let server = start(&["--admin-address", "127.0.0.1:0"]);
    let admin = server.admin();
    let mut silent = Vec::new();
    let probe = async {
        for _ in 0..5 * 64 {
            silent.push(tokio::net::TcpStream::connect(admin).await.expect("connects"));
        }
        get(admin, "/livez").await
    };
    // If the probe had to wait for them, it would take 5 × 5 s.
    let probe = tokio::time::timeout(PATIENCE, probe).await;
    assert_eq!(probe.expect("answered in time").0, 200);
    // The probe replaces an older connection.
    let mut end = [0; 1];
    let read = tokio::io::AsyncReadExt::read(&mut silent[0], &mut end);
    let read = tokio::time::timeout(PATIENCE, read).await.expect("closed");
    assert!(!matches!(read, Ok(1..)), "closed without a response: {read:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn it_serves_while_health_reports_not_serving_before_the_drain() {
    let server = start(&["--drain-wait-seconds", "4", "--drain-seconds", "60"]);
    let channel = server.channel().await;
    let mut health = HealthClient::new(channel);
    let mut watch = health.watch(of("")).await.expect("watched").into_inner();
    while watch.next().await.expect("a status").expect("no error") != is(ServingStatus::Serving) {}

    server.signal(Signal::TERM);
    let next = watch.next().await.expect("a status").expect("no error");
    assert_eq!(next, is(ServingStatus::NotServing));
    let mut late = server.client().await;
    late.score(score()).await.expect("still served");
    let alive = health.check(of("liveness")).await.expect("answered").into_inner();
    assert_eq!(alive, is(ServingStatus::Serving));
    let end = watch.next().await.expect("a status").expect_err("the watch ends");
    assert_eq!(end.code(), Code::Unavailable);
    assert!(tokio::task::block_in_place(|| server.ended()).0.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_open_health_watch_does_not_delay_the_drain() {
    // Longer than a test waits for the shutdown, so that a delay fails it.
    let server = start(&["--drain-seconds", "3600"]);
    server.logged(&["ready"]);
    let mut health = HealthClient::new(server.channel().await);
    let mut watch = health.watch(of("")).await.expect("watched").into_inner();
    let reading = tokio::spawn(async move { while let Some(Ok(_)) = watch.next().await {} });
    server.signal(Signal::TERM);
    let (status, _) = tokio::task::block_in_place(|| server.ended());
    assert_eq!(status.code(), Some(0));
    reading.await.expect("no panic");
}

#[tokio::test]
async fn unresponsive_clients_are_disconnected_at_the_end_of_the_drain() {
    let server = start(&["--drain-seconds", "0.5"]);
    server.logged(&["ready"]);
    let _silent = tokio::net::TcpStream::connect(server.address).await.expect("connects");
    tokio::time::sleep(Duration::from_millis(50)).await;
    server.signal(Signal::TERM);
    let (status, _) = server.ended();
    assert_eq!(status.code(), Some(0));
    server.logged(&["calls cut"]);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    // Longer than a test waits for the shutdown, so that a delay fails it.
    let server = start(&["--drain-wait-seconds", "3600"]);
    server.logged(&["ready"]);
    server.signal(Signal::TERM);
    server.logged(&["draining"]);
    server.signal(Signal::INT);
    let (status, _) = server.ended();
    assert_eq!(status.code(), Some(130));
}
