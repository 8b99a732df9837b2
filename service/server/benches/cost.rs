//! The cost of a call beyond that of any tonic service, in instructions of the whole server
//! process, which do not depend on other load of the machine. Needs valgrind. Runs this service,
//! and a bare tonic service that answers every Score call with responses of the same size, under
//! callgrind, with fewer and with more calls; the difference is the cost of calls. Fails if a call
//! exceeds its limit.
//!
//! ```text
//! cargo bench -p dicepoker-server --bench cost
//! ```

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;
use dicepoker_testkit::{PATIENCE, Signal};
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Server};
use tonic::{Code, Status};

/// Argument that makes this program the bare service.
const NULL: &str = "null-server";

/// Calls of the shorter and of the longer run.
const FEWER: u64 = 1_000;
const MORE: u64 = 4_000;

/// Calls under way at a time, on one connection.
const AT_A_TIME: u64 = 16;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == NULL) {
        null_server();
        return ExitCode::SUCCESS;
    }
    let this = std::env::current_exe().expect("this program");
    let this = this.to_str().expect("UTF-8");
    let ours = env!("CARGO_BIN_EXE_dicepoker-server");
    // Under valgrind the service is so slow that the default limit would reject calls.
    let flags = "--solve-at-start none --workers 1 --long-work-threads 1 \
                 --max-wait-seconds 60";
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let reporting = ["--admin-address", "127.0.0.1:0", "--access-log", "1"];

    let null = cost(this, &[NULL], Code::Ok);
    println!("bare tonic service    {null:>8.0} instructions a call");
    let served = cost(ours, &flags, Code::Ok);
    let quiet = report("telemetry off", null, served, 1.25);
    let metrics = [&flags[..], &reporting[..2]].concat();
    let counted = report("metrics", null, cost(ours, &metrics, Code::Ok), 1.6);
    let all = [&flags[..], &reporting].concat();
    let logged = report("metrics, access log", null, cost(ours, &all, Code::Ok), 1.6);
    let full = [&flags[..], &["--max-calls", "1", "--max-call-seconds", "600"]].concat();
    let refused = cost(ours, &full, Code::Unavailable);
    println!("refused               {refused:>8.0} instructions a call: {:.3} x", refused / null);
    if quiet && counted && logged { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn report(what: &str, null: f64, cost: f64, most: f64) -> bool {
    let ratio = cost / null;
    println!("{what:<21} {cost:>8.0} instructions a call: {ratio:.3} x, at most {most} x allowed");
    ratio <= most
}

/// Instructions of a call with the status `code`.
fn cost(program: &str, flags: &[&str], code: Code) -> f64 {
    let [fewer, more] = [FEWER, MORE].map(|calls| instructions(program, flags, calls, code));
    (more as f64 - fewer as f64) / (MORE - FEWER) as f64
}

/// Instructions of a server process that serves this many calls.
fn instructions(program: &str, flags: &[&str], calls: u64, code: Code) -> u64 {
    let mut valgrind = dicepoker_testkit::command("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", program]).args(flags);
    let server = dicepoker_testkit::Server::spawn(valgrind);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(load(&server, calls, code));
    server.signal(Signal::TERM);
    server.ended();
    let log = server.log();
    let mut collected =
        log.iter().filter_map(|line| line.split_once("Collected : ")?.1.parse().ok());
    collected.next_back().expect("callgrind reports what it collected")
}

async fn load(server: &dicepoker_testkit::Server, calls: u64, code: Code) {
    let mut client = server.client().await;
    // To have calls refused, a call whose response is not read occupies the only place. It is
    // repeated if it was itself refused because of a call of this loop.
    let mut hanging: Option<JoinHandle<()>> = None;
    let begun = Instant::now();
    while code_of(client.score(request()).await) != code {
        if hanging.as_ref().is_none_or(JoinHandle::is_finished) {
            hanging = Some(tokio::spawn(hang(server.url())));
        }
        assert!(begun.elapsed() < PATIENCE, "no response {code:?}: has the server ended?");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let tasks = (0..AT_A_TIME).map(|_| {
        let mut client = client.clone();
        tokio::spawn(async move {
            for _ in 0..calls / AT_A_TIME {
                assert_eq!(code_of(client.score(request()).await), code);
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.expect("no panic");
    }
    if let Some(hanging) = hanging {
        hanging.abort();
    }
}

fn code_of<T>(answer: Result<T, Status>) -> Code {
    answer.map_or_else(|status| status.code(), |_| Code::Ok)
}

/// Makes a call whose response exceeds the flow-control window, so that it does not end.
async fn hang(url: String) {
    let endpoint = Channel::from_shared(url).expect("an address");
    let channel = endpoint.initial_stream_window_size(0).connect().await.expect("connects");
    let _ = DicePokerServiceClient::new(channel).score(request()).await;
}

fn request() -> pb::ScoreRequest {
    pb::ScoreRequest {
        ruleset: "dice-poker-13".to_owned(),
        dice: vec![1, 3, 2, 4, 4],
        ..Default::default()
    }
}

/// A bare tonic service whose responses are as long as this service's.
fn null_server() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let address = listener.local_addr().expect("bound");
        eprintln!("{{\"message\":\"listening\",\"address\":\"{address}\"}}");
        std::io::stderr().flush().expect("written");
        let mut terminate =
            tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                .expect("listens");
        let incoming =
            tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
        let served = Server::builder().add_service(null::service()).serve_with_incoming(incoming);
        tokio::select! {
            served = served => served.expect("served"),
            _ = terminate.recv() => {}
        }
    });
}

mod null {
    //! Answers only Score, always with the same response.

    use dicepoker_proto::v1 as pb;
    use http::{Request, Response};
    use std::convert::Infallible;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use tonic::body::Body;
    use tonic::server::{Grpc, NamedService, UnaryService};

    #[derive(Clone)]
    pub(super) struct Null;

    pub(super) fn service() -> Null {
        Null
    }

    impl NamedService for Null {
        const NAME: &'static str = "dicepoker.v1.DicePokerService";
    }

    impl UnaryService<pb::ScoreRequest> for Null {
        type Response = pb::ScoreResponse;
        type Future = std::future::Ready<Result<tonic::Response<pb::ScoreResponse>, tonic::Status>>;

        fn call(&mut self, _: tonic::Request<pb::ScoreRequest>) -> Self::Future {
            std::future::ready(Ok(tonic::Response::new(answer())))
        }
    }

    impl tower::Service<Request<Body>> for Null {
        type Response = Response<Body>;
        type Error = Infallible;
        type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: Request<Body>) -> Self::Future {
            Box::pin(async move {
                let codec = tonic_prost::ProstCodec::default();
                Ok(Grpc::new(codec).unary(Null, request).await)
            })
        }
    }

    /// As long as the answer to the request of this benchmark.
    fn answer() -> pb::ScoreResponse {
        let points = [
            ("ones", 1),
            ("twos", 2),
            ("threes", 3),
            ("fours", 8),
            ("fives", 0),
            ("sixes", 0),
            ("three_alike", 0),
            ("four_alike", 0),
            ("full_house", 0),
            ("small_straight", 30),
            ("large_straight", 0),
            ("five_alike", 0),
            ("chance", 14),
        ];
        let scores = points.map(|(category, points)| pb::CategoryScore {
            category: category.to_owned(),
            points,
            legal: true,
            ..Default::default()
        });
        pb::ScoreResponse {
            scores: scores.to_vec(),
            totals: Some(pb::ScorecardTotals::default()),
            ..Default::default()
        }
    }
}
