//! A service process to test, and calls to it.

use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use dicepoker_proto::v1 as pb;
use tokio::time::timeout;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

pub(crate) use dicepoker_testkit::{Client, PATIENCE, Server};

const PROGRAM: &str = env!("CARGO_BIN_EXE_dicepoker-server");

/// Starts a service with these flags that solves nothing at start, on a free port.
pub(crate) fn start(flags: &[&str]) -> Server {
    start_at("127.0.0.1:0", flags)
}

/// Starts a service with these flags that solves nothing at start, at `address`.
pub(crate) fn start_at(address: &str, flags: &[&str]) -> Server {
    let usual = ["--address", address, "--solve-at-start", "none"];
    Server::start(PROGRAM, &[&usual, flags].concat())
}

/// The program, with nothing of this process's environment.
pub(crate) fn command() -> Command {
    dicepoker_testkit::command(PROGRAM)
}

/// A number from the environment, for longer runs by hand.
pub(crate) fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Raises the limit on open sockets of this process to the maximum.
pub(crate) fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("raised");
}

/// A request that every service answers in microseconds.
pub(crate) fn score() -> pb::ScoreRequest {
    pb::ScoreRequest {
        ruleset: "dice-poker-13".to_owned(),
        dice: vec![1, 3, 2, 4, 4],
        ..Default::default()
    }
}

/// Calls until the service has responded, like a client that retries calls which the service did not
/// process: those on a closing connection, and those with UNAVAILABLE.
pub(crate) async fn score_retrying(client: &mut Client) -> Result<(), Status> {
    let mut last = Ok(());
    for _ in 0..400 {
        let answer = timeout(PATIENCE, client.score(score())).await;
        match answer.expect("a response, or an error") {
            Ok(_) => return Ok(()),
            Err(status) if never_served(&status) => last = Err(status),
            Err(status) => return Err(status),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    last
}

/// tonic's client reports CANCELLED or UNKNOWN for a call that its connection did not send, and INTERNAL for
/// one after the last that a closing connection serves (GOAWAY).
fn never_served(status: &Status) -> bool {
    let mut source = std::error::Error::source(status);
    match status.code() {
        Code::Unavailable => true,
        Code::Cancelled | Code::Unknown => source.is_some(),
        _ => {
            while let Some(error) = source {
                if let Some(h2) = error.downcast_ref::<h2::Error>() {
                    return h2.is_go_away() && h2.reason() == Some(h2::Reason::NO_ERROR);
                }
                source = error.source();
            }
            false
        }
    }
}

/// The response of the admin page: status code and body.
pub(crate) async fn get(address: SocketAddr, path: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
    let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), body.to_owned())
}

/// Whether health reports SERVING.
pub(crate) async fn is_well(server: &Server) -> bool {
    let mut health = HealthClient::new(server.channel().await);
    health.check(HealthCheckRequest { service: String::new() }).await.is_ok()
}
