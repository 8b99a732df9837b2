//! Stopping and restarting while clients call: no call is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;
use dicepoker_testkit::Signal;
use tokio::sync::mpsc;
use tokio::task::block_in_place;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

use crate::raw::{Raw, SCORE, message};
use crate::server::{PATIENCE, number, score, score_retrying, start, start_at};
use crate::tls::{Files, authority};

/// A Score call whose message arrives when the test sends it into the returned channel.
fn slow_call(
    channel: Channel,
) -> (mpsc::UnboundedSender<pb::ScoreRequest>, tokio::task::JoinHandle<Result<(), Status>>) {
    let (send, messages) = mpsc::unbounded_channel();
    let call = tokio::spawn(async move {
        let mut client = tonic::client::Grpc::new(channel);
        client.ready().await.expect("ready");
        let path = http::uri::PathAndQuery::from_static(SCORE);
        let codec = tonic_prost::ProstCodec::<pb::ScoreRequest, pb::ScoreResponse>::default();
        let request = Request::new(UnboundedReceiverStream::new(messages));
        let answer = client.streaming(request, path, codec).await?;
        answer.into_inner().message().await.map(|_| ())
    });
    (send, call)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_calls_finish_and_endless_ones_are_cut() {
    let server = start(&["--drain-seconds", "6"]);
    let (send, slow) = slow_call(server.channel().await);
    let (_never, endless) = slow_call(server.channel().await);
    // Their headers have been sent by then.
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.signal(Signal::TERM);
    server.logged(&["draining"]);
    send.send(score()).expect("running");
    drop(send);
    slow.await.expect("no panic").expect("answered while draining");
    let (status, _) = block_in_place(|| server.ended());
    assert_eq!(status.code(), Some(0));
    let cut = endless.await.expect("no panic").expect_err("cut");
    assert_eq!(cut.code(), Code::Unavailable, "{cut:?}");
    assert_eq!(cut.get_error_details().error_info().expect("a reason").reason, "STOPPING");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_do_not_delay_the_shutdown() {
    // Longer than a test waits for the shutdown, so that a delay fails it.
    let server = start(&["--drain-seconds", "3600"]);
    let _silent = tokio::net::TcpStream::connect(server.address).await.expect("connects");
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.signal(Signal::TERM);
    let (status, _) = block_in_place(|| server.ended());
    assert_eq!(status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_without_a_tls_handshake_do_not_delay_the_shutdown() {
    // Longer than a test waits for the shutdown, so that a delay fails it.
    let patient = ["--drain-seconds", "3600", "--handshake-seconds", "3600"];
    let server = Files::new(&authority()).start(&patient);
    let mut raw = Raw(tokio::net::TcpStream::connect(server.address).await.expect("connects"));
    raw.send(&[22, 3, 1, 2, 0, 1]).await.expect("sent");
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.signal(Signal::TERM);
    assert!(block_in_place(|| server.ended()).0.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_read_no_response_do_not_delay_the_shutdown() {
    let server = start(&["--drain-seconds", "1"]);
    let stream = tokio::net::TcpStream::connect(server.address).await.expect("connects");
    let (client, connection) = h2::client::Builder::new()
        .initial_window_size(1)
        .handshake::<_, bytes::Bytes>(stream)
        .await
        .expect("HTTP/2");
    tokio::spawn(connection);
    let mut client = client.ready().await.expect("ready");
    let request = http::Request::post(format!("{}{SCORE}", server.url()))
        .header("content-type", "application/grpc")
        .body(())
        .expect("a request");
    let (response, mut send) = client.send_request(request, false).expect("sent");
    send.send_data(message(&score()).into(), true).expect("sent");
    // The response has begun, and stalls after its first byte.
    let _answer = response.await.expect("begun");
    server.signal(Signal::TERM);
    let (status, _) = block_in_place(|| server.ended());
    assert_eq!(status.code(), Some(0));
    server.logged(&["calls cut"]);
}

/// Restarts 5 times, or as often as `DICEPOKER_TEST_RESTARTS` says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarts_under_load_lose_no_call_of_a_client_that_retries() {
    // The drain may last longer than a test waits for the shutdown.
    let flags = ["--drain-wait-seconds", "0.02", "--drain-seconds", "3600"];
    let mut server = start(&flags);
    let address = server.address.to_string();
    let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    // A call made at the moment when its connection ends fails only with the next call on the channel,
    // so each channel has two callers.
    let channels =
        [(); 2].map(|()| Endpoint::new(server.url()).expect("an address").connect_lazy());
    let callers: Vec<_> = (0..4)
        .map(|caller| {
            let channel = channels[caller % 2].clone();
            let (stop, calls) = (Arc::clone(&stop), Arc::clone(&calls));
            tokio::spawn(async move {
                let mut client = DicePokerServiceClient::new(channel);
                while !stop.load(Relaxed) {
                    score_retrying(&mut client).await.expect("served in the end");
                    calls.fetch_add(1, Relaxed);
                }
            })
        })
        .collect();
    let restarts = number("DICEPOKER_TEST_RESTARTS", 5);
    for restart in 0..restarts {
        let (before, begin) = (calls.load(Relaxed), Instant::now());
        while calls.load(Relaxed) < before + 20 {
            assert!(callers.iter().all(|caller| !caller.is_finished()), "a call failed");
            assert!(begin.elapsed() < 2 * PATIENCE, "no calls: {:?}", server.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.signal(Signal::TERM);
        let (status, _) = block_in_place(|| server.ended());
        assert_eq!(status.code(), Some(0), "restart {restart}");
        server = block_in_place(|| start_at(&address, &flags));
    }
    stop.store(true, Relaxed);
    for caller in callers {
        caller.await.expect("zero failed calls");
    }
    println!("{restarts} restarts: {} calls, none failed", calls.load(Relaxed));
}
