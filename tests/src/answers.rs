//! What tests compare of responses.

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::r#move::Kind;
use tonic::Status;
use tonic_types::StatusExt;

/// The score of one category.
///
/// # Panics
/// If the response has none.
#[must_use]
pub fn category<'a>(answer: &'a pb::ScoreResponse, id: &str) -> &'a pb::CategoryScore {
    let found = answer.scores.iter().find(|score| score.category == id);
    found.unwrap_or_else(|| panic!("no {id} in {answer:?}"))
}

/// A move as text: `keep 1-1-6`, `keep nothing`, `record chance`; dice in ascending order.
#[must_use]
pub fn move_name(chosen: &pb::Move) -> String {
    match &chosen.kind {
        Some(Kind::Keep(keep)) if keep.dice.is_empty() => "keep nothing".to_owned(),
        Some(Kind::Keep(keep)) => {
            let mut dice = keep.dice.clone();
            dice.sort_unstable();
            let dice: Vec<String> = dice.iter().map(u32::to_string).collect();
            format!("keep {}", dice.join("-"))
        }
        Some(Kind::Record(record)) => format!("record {}", record.category),
        Some(Kind::Announce(announce)) => format!("announce {}", announce.category),
        Some(Kind::Stop(_)) => "stop".to_owned(),
        Some(Kind::Raise(raise)) => format!("raise {}", raise.amount),
        Some(Kind::Accept(_)) => "accept".to_owned(),
        Some(Kind::GiveUp(_)) => "give up".to_owned(),
        None => "nothing at all".to_owned(),
    }
}

/// Moves as text.
#[must_use]
pub fn moves_named(moves: &[pb::Move]) -> Vec<String> {
    moves.iter().map(move_name).collect()
}

/// The invalid fields of an error, in its order.
#[must_use]
pub fn fields(status: &Status) -> Vec<String> {
    let violations = status.get_details_bad_request().map(|found| found.field_violations);
    violations.into_iter().flatten().map(|violation| violation.field).collect()
}

/// The reason of an error, if it is one of this service's own.
#[must_use]
pub fn reason(status: &Status) -> Option<String> {
    let info = status.get_details_error_info()?;
    (info.domain == "dicepoker").then_some(info.reason)
}

/// The size of an error in the headers, in bytes: details are sent in base64, other characters than
/// printable ASCII of a message as three bytes. Many clients accept at most 8 KiB of headers.
#[must_use]
pub fn header_size(status: &Status) -> usize {
    let plain = |byte: &u8| (b' '..=b'~').contains(byte) && *byte != b'%';
    let message = status.message().as_bytes();
    let escaped = message.iter().filter(|byte| !plain(byte)).count();
    status.details().len().div_ceil(3) * 4 + message.len() + 2 * escaped
}
