//! Ten thousand malformed requests from a seed: messages of the right shape with invalid fields,
//! sound messages with some bytes changed, and bytes that cannot be decoded. Each gets a status
//! that names every invalid field, the service neither crashes nor hangs nor grows, and the next
//! valid call succeeds.

mod bytes;
mod definitions;
mod messages;
mod values;

use dicepoker_tests::{Client, Server, fields, reason};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use tonic::{Code, Status};

use crate::PROGRAM;
use crate::malformed::{Call, still_plays};
use bytes::send_bytes;
pub(crate) use definitions::showdown_definition;

/// The limit on the growth of the process's memory in bytes. Rejected requests keep none; growth is
/// the allocator's, the connections', and that of the few sound definitions among the random ones.
const GROWTH: u64 = 64 << 20;

/// Connections, and requests on each.
const CONNECTIONS: u64 = 4;
const REQUESTS: u64 = 2500;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_random_requests_get_a_proper_status_and_leak_nothing() {
    let server = Server::start(PROGRAM, &[]);
    server.logged(&["\"ready\""]);
    let mut client = server.client().await;
    still_plays(&mut client).await;
    let before = server.memory();
    let mut running = Vec::new();
    for seed in 0..CONNECTIONS {
        let channel = server.channel().await;
        running.push(tokio::spawn(async move {
            let mut random = ChaCha12Rng::seed_from_u64(seed);
            let mut client = Client::new(channel.clone());
            let mut refused = 0;
            for count in 0..REQUESTS {
                let call = messages::any(&mut random);
                let result = match random.random_range(0..10) {
                    0..5 => judge(&call, call.clone().send(&mut client).await),
                    kind => {
                        let mut body = call.encode();
                        if kind == 9 {
                            body = noise(&mut random);
                        } else {
                            damage(&mut random, &mut body);
                        }
                        let answer = send_bytes(channel.clone(), call.path(), &body).await;
                        match call.decode(&body) {
                            Some(call) => judge(&call, answer),
                            None => judge_undecodable(answer),
                        }
                    }
                };
                match result {
                    Ok(was_refused) => refused += u64::from(was_refused),
                    Err(why) => panic!("request {count} of seed {seed}: {why}\n{call:?}"),
                }
            }
            refused
        }));
    }
    let mut refused = 0;
    for connection in running {
        refused += connection.await.expect("every answer was proper");
    }
    assert!(refused > 8000, "only {refused} were malformed at all");
    assert!(server.runs());
    still_plays(&mut client).await;
    let after = server.memory();
    assert!(after <= before + GROWTH, "from {} to {} MiB", before >> 20, after >> 20);
}

/// Whether the request was rejected; an error if the response breaks the contract.
fn judge(call: &Call, answer: Result<(), Status>) -> Result<bool, String> {
    let Err(status) = answer else { return Ok(false) };
    let wanted = match status.code() {
        Code::InvalidArgument => "INVALID_FIELDS",
        Code::NotFound => "RULESET_NOT_FOUND",
        Code::FailedPrecondition => "GAME_FINISHED",
        Code::ResourceExhausted if status.message().starts_with("the request message has") => {
            "MESSAGE_TOO_LARGE"
        }
        Code::ResourceExhausted => "RULESET_TOO_LARGE",
        code => return Err(format!("{code:?}: {}", status.message())),
    };
    if reason(&status).as_deref() != Some(wanted) || status.message().is_empty() {
        return Err(format!("{:?} for {:?}: {}", reason(&status), status.code(), status.message()));
    }
    let fields = fields(&status);
    if fields.is_empty() == (status.code() == Code::InvalidArgument) {
        return Err(format!("{:?} names the fields {fields:?}", status.code()));
    }
    for field in fields {
        let root = field.split(['.', '[']).next().unwrap_or_default();
        if !call.roots().contains(&root) {
            return Err(format!("there is no field {field}"));
        }
    }
    Ok(true)
}

/// A body that cannot be decoded is the sender's error, unless it is too large to be read.
fn judge_undecodable(answer: Result<(), Status>) -> Result<bool, String> {
    let Err(status) = &answer else { return Err("bytes that are no message are taken".to_owned()) };
    match (status.code(), reason(status).as_deref()) {
        (Code::InvalidArgument, Some("MESSAGE_UNREADABLE"))
        | (Code::ResourceExhausted, Some("MESSAGE_TOO_LARGE")) => Ok(true),
        _ => Err(format!("{answer:?} for bytes that are no message")),
    }
}

/// Changes, removes or adds a few bytes.
fn damage(random: &mut ChaCha12Rng, body: &mut Vec<u8>) {
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..=body.len());
        match random.random_range(0..5) {
            0 if at < body.len() => body[at] ^= 1 << random.random_range(0..8),
            1 if at < body.len() => body[at] = random.random(),
            2 => body.truncate(at),
            3 => body.insert(at, random.random()),
            _ => {
                let tail = body[at..].to_vec();
                body.extend(tail);
            }
        }
    }
}

fn noise(random: &mut ChaCha12Rng) -> Vec<u8> {
    let mut bytes = vec![0; random.random_range(1..200)];
    random.fill_bytes(&mut bytes);
    bytes
}
