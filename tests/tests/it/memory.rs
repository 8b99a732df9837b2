//! The memory of a pod: everything that its settings allow fits its limit.

use std::net::SocketAddr;

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, PATIENCE, Server, card, roll};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::Code;

use crate::PROGRAM;

const SETTINGS: &str = include_str!("../../../deploy/kubernetes/base/settings.env");
const DEPLOYMENT: &str = include_str!("../../../deploy/kubernetes/base/deployment.yaml");

/// The settings of the pods as flags, but for the addresses.
fn flags() -> Vec<String> {
    let settings = SETTINGS.lines().filter_map(|line| line.strip_prefix("DICEPOKER_"));
    let settings = settings.filter_map(|setting| setting.split_once('='));
    settings
        .filter(|(name, _)| !name.ends_with("ADDRESS"))
        .map(|(name, value)| format!("--{}={value}", name.to_lowercase().replace('_', "-")))
        // Other tests run beside this one.
        .chain(["--long-work-nice=0".to_owned()])
        .collect()
}

fn setting(name: &str) -> usize {
    let line = SETTINGS.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    line.expect("set").parse().expect("a number")
}

fn limit_mib() -> u64 {
    let limits = DEPLOYMENT.split("limits:").nth(1).expect("limits");
    let memory = limits.split("memory:").nth(1).expect("a limit of memory").trim_start();
    memory.split("Mi").next().expect("in MiB").parse().expect("a number")
}

/// Makes every table of a built-in ruleset: its solution, spread and chances to reach a target.
async fn make_tables(client: &mut Client, ruleset: &str) {
    let shown = pb::GetRulesetRequest { ruleset: ruleset.to_owned(), ..Default::default() };
    let shown = client.get_ruleset(shown).await.expect(ruleset).into_inner();
    let rolls = shown.ruleset.and_then(|ruleset| ruleset.definition).expect("a definition").rolls;
    // A turn waits for the tables; advice does not.
    let request = pb::PlayTurnRequest {
        ruleset: ruleset.to_owned(),
        position: Some(roll(&[], rolls, card(""))),
        objective: pb::Objective::ReachTarget.into(),
        target: 200,
        seed: Some(1),
        ..Default::default()
    };
    // The service goes on with the tables when the call has timed out.
    loop {
        match client.play_turn(request.clone()).await {
            Err(status) if status.code() == Code::DeadlineExceeded => {}
            answered => return drop(answered.expect(ruleset)),
        }
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("small").to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A connection with a call whose message has arrived up to the last byte that flow control allows.
async fn half_sent(address: SocketAddr) -> TcpStream {
    let mut block = vec![0x83, 0x86]; // :method POST, :scheme http
    for (name, value) in [
        (":path", "/dicepoker.v1.DicePokerService/Score"),
        (":authority", "localhost"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ] {
        block.push(0); // a literal header that is not indexed
        for text in [name, value] {
            block.push(u8::try_from(text.len()).expect("short"));
            block.extend(text.as_bytes());
        }
    }
    let mut message = vec![0, 0, 3, 0, 0]; // 192 KiB are announced
    message.resize(65_535, 0);
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(4, 0, 0, &[]));
    bytes.extend(frame(1, 4, 1, &block));
    for part in message.chunks(16_384) {
        bytes.extend(frame(0, 0, 1, part));
    }
    let mut stream = TcpStream::connect(address).await.expect("connects");
    stream.write_all(&bytes).await.expect("sent");
    let mut greeting = [0; 9];
    timeout(PATIENCE, stream.read_exact(&mut greeting)).await.expect("in time").expect("SETTINGS");
    stream
}

/// Every connection of a pod with half a message on each, beside the tables of one ruleset. Those of the others
/// take minutes of a core to make; `deploy/CAPACITY.md` has their size.
#[tokio::test]
async fn the_limit_of_a_pod_holds_all_its_connections() {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("raised");
    let flags = flags();
    let server = Server::start(PROGRAM, &flags.iter().map(String::as_str).collect::<Vec<_>>());
    server.logged(&["\"ready\""]);
    let at_start = server.memory() >> 20;
    let mut client = server.client().await;
    make_tables(&mut client, "dice-poker-13").await;
    let with_tables = server.memory() >> 20;
    let mut connections = Vec::new();
    // One is the client's.
    for _ in 1..setting("DICEPOKER_MAX_CONNECTIONS") {
        connections.push(half_sent(server.address).await);
    }
    let with_connections = server.memory() >> 20;
    println!(
        "MiB at start {at_start}, with tables {with_tables}, with connections {with_connections}"
    );
    assert!(with_connections < limit_mib(), "{with_connections} MiB, the limit is {}", limit_mib());
    assert!(server.runs());
}
