//! Tokens, browsers and secrets.

use std::net::SocketAddr;
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

use crate::raw::{SCORE, message};
use crate::server::{PATIENCE, Server, score, start};

const TOKEN: &str = "a-token-that-nobody-guesses";

fn with(token: &str) -> Request<dicepoker_proto::v1::ScoreRequest> {
    let mut request = Request::new(score());
    let header = format!("Bearer {token}").parse().expect("a header");
    request.metadata_mut().insert("authorization", header);
    request
}

async fn reflects(server: &Server) -> Result<(), Code> {
    let mut client = ServerReflectionClient::new(server.channel().await);
    let answer = client.server_reflection_info(tokio_stream::empty()).await;
    answer.map(|_| ()).map_err(|status| status.code())
}

#[tokio::test]
async fn calls_need_a_token_probes_do_not_and_tokens_are_replaced_while_serving() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), format!("me {TOKEN}\n")).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    // At this level every library logs all details: none may log a token.
    let flags = ["--auth-tokens-file", path, "--reload-seconds", "0.1", "--log", "trace"];
    let server = start(&flags);
    let mut client = server.client().await;
    client.score(with(TOKEN)).await.expect("known");
    for wrong in ["", "a-token-that-nobody-guesseS", "another-token-of-somebody"] {
        let status = client.score(with(wrong)).await.expect_err("unknown");
        assert_eq!(status.code(), Code::Unauthenticated);
    }
    let none = client.score(score()).await.expect_err("none");
    assert_eq!(none.code(), Code::Unauthenticated);
    let mut health = HealthClient::new(server.channel().await);
    health.check(HealthCheckRequest::default()).await.expect("health needs none by default");
    assert_eq!(reflects(&server).await, Err(Code::Unauthenticated));

    let next = "the-token-of-next-month";
    std::fs::write(file.path(), format!("me {TOKEN}\nme {next}\n")).expect("written");
    let begin = Instant::now();
    while client.score(with(next)).await.is_err() {
        assert!(begin.elapsed() < PATIENCE, "the new token is not accepted");
    }
    client.score(with(TOKEN)).await.expect("both are valid meanwhile");
    std::fs::write(file.path(), format!("me {next}\n")).expect("written");
    while client.score(with(TOKEN)).await.is_ok() {
        assert!(begin.elapsed() < PATIENCE, "the old token is still accepted");
    }
    for line in server.log() {
        assert!(!line.contains(TOKEN) && !line.contains(next), "a secret in the log: {line}");
    }
}

#[tokio::test]
async fn the_setting_decides_which_services_need_no_token() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), format!("me {TOKEN}\n")).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    for (exempt, health, reflection) in
        [("nothing", false, false), ("health", true, false), ("health-and-reflection", true, true)]
    {
        let server = start(&["--auth-tokens-file", path, "--auth-exempt", exempt]);
        let mut client = HealthClient::new(server.channel().await);
        let checked = client.check(HealthCheckRequest::default()).await.map(|_| ());
        let refused = |free: bool| if free { Ok(()) } else { Err(Code::Unauthenticated) };
        assert_eq!(checked.map_err(|status| status.code()), refused(health), "{exempt}");
        assert_eq!(reflects(&server).await, refused(reflection), "{exempt}");
        server.client().await.score(score()).await.expect_err("a call always needs one");
    }
}

#[tokio::test]
async fn without_tokens_every_caller_may_call_and_reflect() {
    let server = start(&[]);
    assert_eq!(reflects(&server).await, Ok(()));
}

/// Sends one HTTP/1.1 request and returns the head of the answer and its body.
async fn http1(address: SocketAddr, head: &str, body: &[u8]) -> (String, Vec<u8>) {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
    let length = body.len();
    let head = format!("{head}host: test\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
    // A service that speaks HTTP/2 only may close at once.
    let _ = stream.write_all(&[head.as_bytes(), body].concat()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let body = answer.get(end + 4..).unwrap_or_default().to_vec();
    (String::from_utf8_lossy(&answer[..end]).to_lowercase(), body)
}

fn post(origin: &str) -> String {
    format!(
        "POST {SCORE} HTTP/1.1\r\norigin: {origin}\r\nx-grpc-web: 1\r\n\
         content-type: application/grpc-web+proto\r\n"
    )
}

#[tokio::test]
async fn browsers_are_served_with_the_setting_and_only_listed_origins_may_read() {
    let server = start(&["--grpc-web", "--cors-origins", "https://play.example"]);
    let (head, body) =
        http1(server.address, &post("https://play.example"), &message(&score())).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("access-control-allow-origin: https://play.example"), "{head}");
    let trailers = String::from_utf8_lossy(&body).into_owned();
    assert!(trailers.contains("grpc-status:0"), "{trailers}");

    let nonsense = [0, 0, 0, 0, 3, 255, 255, 255];
    let (head, _) = http1(server.address, &post("https://play.example"), &nonsense).await;
    assert!(head.contains("grpc-status: 3"), "for gRPC clients: {head}");

    let (head, _) = http1(server.address, &post("https://evil.example"), &message(&score())).await;
    assert!(!head.contains("access-control-allow-origin"), "{head}");

    let preflight = |origin: &str| {
        format!(
            "OPTIONS {SCORE} HTTP/1.1\r\norigin: {origin}\r\n\
             access-control-request-method: POST\r\n\
             access-control-request-headers: x-grpc-web,content-type\r\n"
        )
    };
    let (head, _) = http1(server.address, &preflight("https://play.example"), b"").await;
    assert!(head.contains("access-control-allow-origin: https://play.example"), "{head}");
    assert!(head.contains("x-grpc-web"), "{head}");
    let (head, _) = http1(server.address, &preflight("https://evil.example"), b"").await;
    assert!(!head.contains("access-control-allow-origin"), "{head}");

    server.client().await.score(score()).await.expect("gRPC clients are served as before");
}

#[tokio::test]
async fn browsers_are_not_served_without_the_setting() {
    let server = start(&[]);
    let (head, _) = http1(server.address, &post("https://play.example"), &message(&score())).await;
    assert!(!head.contains("200"), "{head}");
}
