//! Requests that are no gRPC calls: each gets an HTTP response with the reason.

use bytes::Bytes;
use http::{Request, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::raw::{SCORE, message};
use crate::server::{Server, score, start};

/// The response over HTTP/2 to a request with the message of a Score call, and its body.
async fn response_to(server: &Server, request: http::request::Builder) -> (Response<()>, Vec<u8>) {
    let stream = tokio::net::TcpStream::connect(server.address).await.expect("connects");
    let (client, connection) = h2::client::handshake(stream).await.expect("speaks HTTP/2");
    tokio::spawn(connection);
    let mut client = client.ready().await.expect("ready");
    let (response, mut send) =
        client.send_request(request.body(()).expect("a request"), false).expect("sent");
    send.send_data(Bytes::from(message(&score())), true).expect("sent");
    let (head, mut body) = response.await.expect("answered").into_parts();
    let mut text = Vec::new();
    while let Some(chunk) = body.data().await {
        text.extend(chunk.expect("whole"));
    }
    (Response::from_parts(head, ()), text)
}

fn post(server: &Server) -> http::request::Builder {
    Request::post(format!("{}{SCORE}", server.url()))
}

#[tokio::test]
async fn only_content_types_of_grpc_are_processed() {
    let (plain, web) = (start(&[]), start(&["--grpc-web"]));
    for kind in ["application/grpc", "application/grpc+proto", "Application/gRPC; a=b"] {
        for server in [&plain, &web] {
            let request = post(server).header("content-type", kind);
            let (response, body) = response_to(server, request).await;
            assert_eq!(response.status(), 200, "{kind}");
            assert!(body.len() > 5, "{kind}: a message");
        }
    }
    let others =
        ["application/json", "text/plain", "application/grpc+json", "application/grpcx", ""];
    let not_here = ["application/grpc-web", "application/grpc-web-text+proto"];
    let wrong = others.map(|kind| (&plain, kind)).into_iter();
    let wrong = wrong.chain(others.map(|kind| (&web, kind)));
    for (server, kind) in wrong.chain(not_here.map(|kind| (&plain, kind))) {
        let (response, body) = response_to(server, post(server).header("content-type", kind)).await;
        assert_eq!(response.status(), 415, "{kind}");
        assert!(!response.headers().contains_key("grpc-status"), "{kind}: no gRPC response");
        assert!(String::from_utf8_lossy(&body).contains("must be application/grpc"), "{kind}");
    }
    for server in [&plain, &web] {
        assert_eq!(response_to(server, post(server)).await.0.status(), 415, "no content type");
    }
}

#[tokio::test]
async fn methods_other_than_post_are_not_allowed() {
    let (plain, web) = (start(&[]), start(&["--grpc-web"]));
    for server in [&plain, &web] {
        for request in [Request::get(server.url()), Request::get(server.url() + SCORE)] {
            let request = request.header("content-type", "application/grpc");
            let (response, body) = response_to(server, request).await;
            assert_eq!(response.status(), 405);
            assert_eq!(response.headers()["allow"], "POST");
            assert!(!body.is_empty());
        }
    }
}

#[tokio::test]
async fn http_1_requests_get_an_explanation() {
    let requests = [
        "GET / HTTP/1.1\r\nhost: test\r\n\r\n".to_owned(),
        "GET / HTTP/1.0\r\n\r\n".to_owned(),
        format!(
            "POST {SCORE} HTTP/1.1\r\nhost: test\r\ncontent-type: application/grpc\r\n\
             content-length: 5\r\n\r\n\0\0\0\0\0"
        ),
    ];
    for flags in [&[][..], &["--grpc-web"]] {
        let server = start(flags);
        for request in &requests {
            let mut stream =
                tokio::net::TcpStream::connect(server.address).await.expect("connects");
            stream.write_all(request.as_bytes()).await.expect("sent");
            let mut response = String::new();
            stream.read_to_string(&mut response).await.expect("answered and closed");
            let (head, body) = response.split_once("\r\n\r\n").expect("a head");
            assert_eq!(head.split(' ').nth(1), Some("505"), "{request}: {head}");
            assert!(body.contains("HTTP/2") && body.contains("grpcurl"), "{body}");
        }
    }
}

#[tokio::test]
async fn a_malformed_timeout_is_refused() {
    let server = start(&[]);
    for timeout in ["123456789S", "1s", "S", "", "-1S"] {
        let request = post(&server)
            .header("content-type", "application/grpc")
            .header("grpc-timeout", timeout);
        let (response, _) = response_to(&server, request).await;
        assert_eq!(response.status(), 400, "{timeout:?}");
        let status = Status::from_header_map(response.headers()).expect("a status");
        assert_eq!(status.code(), Code::InvalidArgument, "{timeout:?}: {status:?}");
        let details = status.get_error_details();
        assert_eq!(details.error_info().expect("a reason").reason, "TIMEOUT_MALFORMED");
    }
}

/// The response over HTTP/1.1 to a request that is written by hand, whole.
async fn response_over_http_1(server: &Server, request: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(server.address).await.expect("connects");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.expect("answered and closed");
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test]
async fn the_page_is_served_only_with_its_setting() {
    let request = "GET / HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n";
    let server = start(&["--web"]);
    let page = response_over_http_1(&server, request).await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
    assert!(page.contains("<title>dicepoker</title>"), "{page}");
    let (response, body) =
        response_to(&server, post(&server).header("content-type", "application/grpc")).await;
    assert_eq!(response.status(), 200);
    assert!(body.len() > 5, "calls are served beside it");
    let mut call = message(&score());
    let head = format!(
        "POST {SCORE} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\
         content-type: application/grpc-web+proto\r\ncontent-length: {}\r\n\r\n",
        call.len()
    );
    let mut whole = head.into_bytes();
    whole.append(&mut call);
    let mut stream = tokio::net::TcpStream::connect(server.address).await.expect("connects");
    stream.write_all(&whole).await.expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("answered and closed");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("grpc-status:0"), "{answer}");

    let without = response_over_http_1(&start(&["--grpc-web"]), request).await;
    assert!(!without.contains("<title>"), "{without}");
}
