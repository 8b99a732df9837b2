//! Invalid requests, written by hand: each is rejected with the right code, names exactly its
//! invalid fields, and leaves the service as it was.

mod batches;
mod calls;
mod definitions;
mod moves;
mod positions;
mod rules;
mod showdowns;
mod unsound;

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, card, fields, header_size, reason, roll};
use tonic::{Code, Status};

use crate::server;
pub(crate) use calls::Call;
pub(crate) use unsound::sound;

/// The limit on an error within the 8 KiB of headers that every client accepts.
const HEADERS: usize = 7500;

/// A request and its expected error.
pub(crate) struct Case {
    name: String,
    call: Call,
    code: Code,
    reason: &'static str,
    fields: Vec<String>,
}

/// A case that must be rejected for these fields.
pub(crate) fn invalid(name: impl Into<String>, call: impl Into<Call>, fields: &[&str]) -> Case {
    Case {
        name: name.into(),
        call: call.into(),
        code: Code::InvalidArgument,
        reason: "INVALID_FIELDS",
        fields: fields.iter().map(|field| (*field).to_owned()).collect(),
    }
}

/// A case that must be rejected because the ruleset is not built in.
fn unknown(name: impl Into<String>, call: impl Into<Call>) -> Case {
    let case = invalid(name, call, &[]);
    Case { code: Code::NotFound, reason: "RULESET_NOT_FOUND", ..case }
}

/// A case that must be rejected because the game is over.
fn finished(name: impl Into<String>, call: impl Into<Call>) -> Case {
    let case = invalid(name, call, &[]);
    Case { code: Code::FailedPrecondition, reason: "GAME_FINISHED", ..case }
}

/// Sends every case, and fails with all that were not rejected as expected.
pub(crate) async fn expect(least: usize, cases: Vec<Case>) {
    let server = server();
    let mut client = server.client().await;
    let count = cases.len();
    let mut wrong = Vec::new();
    for case in cases {
        let answer = case.call.clone().send(&mut client).await;
        if let Err(why) = judge(&case, answer) {
            wrong.push(format!("{}: {why}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= least, "only {count} cases");
    assert!(server.runs());
    still_plays(&mut client).await;
}

fn judge(case: &Case, answer: Result<(), Status>) -> Result<(), String> {
    let Err(status) = answer else { return Err("was accepted".to_owned()) };
    if status.code() != case.code {
        return Err(format!("{:?}, not {:?}: {}", status.code(), case.code, status.message()));
    }
    let mut actual = fields(&status);
    let mut wanted = case.fields.clone();
    actual.sort();
    wanted.sort();
    if actual != wanted {
        return Err(format!("fields {actual:?}, not {wanted:?}: {}", status.message()));
    }
    if reason(&status).as_deref() != Some(case.reason) {
        return Err(format!("reason {:?}, not {}", reason(&status), case.reason));
    }
    if status.message().is_empty() {
        return Err("no message".to_owned());
    }
    if header_size(&status) > HEADERS {
        return Err(format!("{} bytes of headers", header_size(&status)));
    }
    Ok(())
}

/// Makes a valid call, which must succeed.
pub(crate) async fn still_plays(client: &mut Client) {
    let rules = Rules::of("dice-poker-13");
    let scores = rules.score(client, &[1, 3, 2, 4, 4], card("")).await.expect("scores");
    assert_eq!(scores.scores.len(), 13);
    let position = roll(&[2, 4, 6, 1, 1], 2, card(""));
    let advice = rules.suggest(client, position).await.expect("advice");
    assert!((advice.expected_value - 227.309_178).abs() < 1e-4);
}

/// A sound request of each kind that has a position, with `change` made to it.
fn with_position(change: impl Fn(&mut pb::Position)) -> [Call; 4] {
    with_position_of("yahtzee", change)
}

pub(crate) fn with_position_of(ruleset: &str, change: impl Fn(&mut pb::Position)) -> [Call; 4] {
    let mut position = roll(&[1, 1, 6, 6, 6], 2, card(""));
    change(&mut position);
    let (ruleset, position) = (ruleset.to_owned(), Some(position));
    [
        Call::Score(pb::ScoreRequest {
            ruleset: ruleset.clone(),
            position: position.clone(),
            ..Default::default()
        }),
        Call::LegalMoves(pb::LegalMovesRequest {
            ruleset: ruleset.clone(),
            position: position.clone(),
            ..Default::default()
        }),
        Call::Suggest(pb::SuggestRequest {
            ruleset: ruleset.clone(),
            position: position.clone(),
            ..Default::default()
        }),
        Call::Apply(pb::ApplyRequest {
            ruleset,
            position,
            r#move: Some(dicepoker_tests::record("chance")),
            ..Default::default()
        }),
    ]
}
