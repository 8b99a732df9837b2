//! The service as a process: when it reports ready, what health and reflection report, and how it
//! ends.

use std::process::{Command, Stdio};
use std::time::Duration;

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{PATIENCE, Rules, Server, Signal, card, roll};
use tokio_stream::StreamExt;
use tonic::Code;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::{v1, v1alpha};

use crate::{PROGRAM, server};

const SERVICE: &str = "dicepoker.v1.DicePokerService";

/// The statuses that the health service reports of `service`, from now until `wanted`.
async fn health_until(
    channel: Channel,
    service: &str,
    wanted: ServingStatus,
) -> Vec<ServingStatus> {
    let request = HealthCheckRequest { service: service.to_owned() };
    let mut client = HealthClient::new(channel);
    let mut actual = client.watch(request).await.expect("a watch").into_inner();
    let mut seen = Vec::new();
    while seen.last() != Some(&wanted) {
        let next = tokio::time::timeout(PATIENCE, actual.next()).await.expect("a change in time");
        seen.push(next.expect("more").expect("a status").status());
    }
    seen
}

#[tokio::test]
async fn health_is_serving_once_the_tables_are_made() {
    let server = Server::start(PROGRAM, &[]);
    for service in ["", SERVICE] {
        let channel = server.channel().await;
        let seen = health_until(channel, service, ServingStatus::Serving).await;
        // An early watch gets NOT_SERVING first; a late one only the current status.
        assert!(
            seen == [ServingStatus::Serving]
                || seen == [ServingStatus::NotServing, ServingStatus::Serving],
            "\"{service}\": {seen:?}"
        );
    }
    server.logged(&["\"ready\""]);
    let mut client = HealthClient::new(server.channel().await);
    let request = HealthCheckRequest { service: "no.such.Service".to_owned() };
    assert_eq!(client.check(request).await.expect_err("unknown").code(), Code::NotFound);
}

#[tokio::test]
async fn sigterm_ends_it_cleanly_even_with_an_open_health_watch() {
    let server = Server::start(PROGRAM, &["--drain-seconds", "1"]);
    let request = HealthCheckRequest { service: SERVICE.to_owned() };
    let mut health = HealthClient::new(server.channel().await);
    let mut watch = health.watch(request).await.expect("a watch").into_inner();
    let first = watch.next().await.expect("a status").expect("a status");
    assert!(matches!(first.status(), ServingStatus::NotServing | ServingStatus::Serving));
    server.signal(Signal::TERM);
    let (status, _) = server.ended();
    assert_eq!(status.code(), Some(0), "{status}");
    // The last status of the watch, if there is one, is NOT_SERVING.
    let mut last = None;
    while let Ok(Some(Ok(status))) = tokio::time::timeout(PATIENCE, watch.next()).await {
        last = Some(status.status());
    }
    assert!(matches!(last, None | Some(ServingStatus::NotServing)), "{last:?}");
}

#[test]
fn an_interrupt_ends_it_cleanly() {
    let server = Server::start(PROGRAM, &["--drain-seconds", "1"]);
    server.signal(Signal::INT);
    assert_eq!(server.ended().0.code(), Some(0));
}

#[test]
fn invalid_flags_are_rejected() {
    let table: [&[&str]; 6] = [
        &["--address", "nowhere"],
        &["--address", "127.0.0.1:70000"],
        &["--no-such-flag"],
        &["--drain-seconds", "soon"],
        &["--drain-seconds=-1"],
        &["--log-format", "poem"],
    ];
    for flags in table {
        let ended = Command::new(PROGRAM).args(flags).stderr(Stdio::piped()).output();
        let ended = ended.expect("it ran");
        assert_eq!(ended.status.code(), Some(64), "{flags:?}");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        let flag = flags[0].split('=').next().unwrap_or_default();
        assert!(said.contains(flag), "{flags:?} says why: {said}");
    }
}

#[tokio::test]
async fn an_address_in_use_is_an_error() {
    let server = server();
    let address = server.address.to_string();
    let flags = ["--address", &address];
    let ended = Command::new(PROGRAM).args(flags).stderr(Stdio::piped()).output().expect("ran");
    assert!(ended.status.code().is_some_and(|code| code > 0), "{}", ended.status);
    // The first process still serves.
    let mut client = server.client().await;
    Rules::of("yacht").score(&mut client, &[1; 5], card("")).await.expect("scores");
}

/// Every service and every type that tools need to print requests, responses and error details.
const SERVICES: [&str; 2] = [SERVICE, "grpc.health.v1.Health"];
const SYMBOLS: [&str; 8] = [
    SERVICE,
    "dicepoker.v1.DicePokerService.Suggest",
    "dicepoker.v1.Position",
    "grpc.health.v1.Health",
    "google.rpc.BadRequest",
    "google.rpc.ErrorInfo",
    "google.rpc.PreconditionFailure",
    "google.protobuf.Struct",
];

macro_rules! reflection_test {
    ($name:ident, $version:ident) => {
        #[tokio::test]
        async fn $name() {
            use $version::server_reflection_client::ServerReflectionClient;
            use $version::server_reflection_request::MessageRequest;
            use $version::server_reflection_response::MessageResponse;

            let server = server();
            let mut client = ServerReflectionClient::new(server.channel().await);
            let unknown = MessageRequest::FileContainingSymbol("no.such.Symbol".to_owned());
            let mut requested = vec![unknown, MessageRequest::ListServices(String::new())];
            requested.extend(SYMBOLS.map(|s| MessageRequest::FileContainingSymbol(s.to_owned())));
            let requests: Vec<_> = requested
                .into_iter()
                .map(|message| $version::ServerReflectionRequest {
                    host: String::new(),
                    message_request: Some(message),
                })
                .collect();
            let answers = client.server_reflection_info(tokio_stream::iter(requests)).await;
            let mut answers = answers.expect("a stream").into_inner();
            let first = answers.next().await.expect("more").expect("an answer");
            assert!(
                matches!(&first.message_response, Some(MessageResponse::ErrorResponse(error))
                    if error.error_code == tonic::Code::NotFound as i32),
                "{first:?}"
            );
            let first = answers.next().await.expect("more").expect("an answer");
            let Some(MessageResponse::ListServicesResponse(list)) = first.message_response else {
                panic!("no list: {first:?}");
            };
            let names: Vec<&str> = list.service.iter().map(|s| s.name.as_str()).collect();
            assert!(SERVICES.iter().all(|service| names.contains(service)), "{names:?}");
            for symbol in SYMBOLS {
                let answer = answers.next().await.expect("more").expect("an answer");
                let found = answer.message_response;
                assert!(
                    matches!(&found, Some(MessageResponse::FileDescriptorResponse(file))
                        if !file.file_descriptor_proto.is_empty()),
                    "{symbol}: {found:?}"
                );
            }
        }
    };
}

reflection_test!(reflection_v1_answers_every_request_of_a_stream, v1);
reflection_test!(reflection_v1alpha_answers_every_request_of_a_stream, v1alpha);

/// Solving takes longer than the deadline of these calls, and continues without them.
#[tokio::test]
async fn solving_continues_after_a_callers_deadline() {
    let server = Server::start(PROGRAM, &["--solve-at-start", "none"]);
    server.logged(&["\"ready\""]);
    let mut client = server.client().await;
    for _ in 0..2000 {
        let mut request = tonic::Request::new(pb::SuggestRequest {
            ruleset: "dice-poker-15".to_owned(),
            position: Some(roll(&[1, 1, 6, 6, 6], 2, card(""))),
            ..Default::default()
        });
        request.set_timeout(Duration::from_millis(50));
        match client.suggest(request).await {
            Ok(_) => return,
            // The client's own clock may be the first.
            Err(status) => {
                assert!(
                    matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled),
                    "{status}"
                );
            }
        }
    }
    panic!("it is never solved");
}
