//! The score of a roll, and the totals of a board.

use dicepoker_engine::race::{Board, RacePosition, RaceRejection, RaceRules, Row, totals};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::position::{read_position, unknown_row, write_score, write_total};
use crate::error::Error;
use crate::wire::scorecard::read_scorecard;

/// The score of a roll and the totals of a board.
pub(super) fn score(
    rules: &RaceRules,
    request: pb::ScoreRequest,
) -> Result<pb::ScoreResponse, Error> {
    let only = read_row(rules, &request.category)?;
    let (field, position) = match request.position {
        Some(position) => {
            let mut found = Violations::new();
            if !request.dice.is_empty() {
                found.push("dice", "must be left out where position is given");
            }
            if request.scorecard.is_some() {
                found.push("scorecard", "must be left out where position is given");
            }
            found.or(()).map_err(Error::Invalid)?;
            ("position", position)
        }
        None => (
            "",
            pb::Position {
                // Without dice only totals are returned; any position has them, and the start of a turn is one for the
                // totals.
                rolls_left: if request.dice.is_empty() { 3 } else { 0 },
                dice: request.dice,
                scorecards: vec![request.scorecard.unwrap_or_default()],
                ..Default::default()
            },
        ),
    };
    let raw = read_position(position.clone());
    let (boards, scores, player) = match RacePosition::parse(*rules, &raw) {
        Ok(position) => (position.boards().to_vec(), position.score(), position.to_move()),
        Err(RaceRejection::Impossible(found)) => {
            return Err(one_card(field, found));
        }
        Err(RaceRejection::Finished) => {
            let raw: Vec<_> = position.scorecards.into_iter().map(read_scorecard).collect();
            let boards = Board::parse_all(*rules, &raw).map_err(|found| one_card(field, found))?;
            (boards, Default::default(), position.to_move as usize)
        }
    };
    let totals = totals(rules, &boards);
    Ok(pb::ScoreResponse {
        scores: scores
            .iter()
            .filter(|score| only.is_none_or(|only| score.row == only))
            .map(write_score)
            .collect(),
        totals: totals.get(player).map(|total| write_total(rules, &boards, total)),
        hands: Vec::new(),
    })
}

/// The violations in `field`; or, if that is empty, in the only card of a request, whose field has
/// another name than a position's first card.
fn one_card(field: &str, found: Violations) -> Error {
    if !field.is_empty() {
        return Error::invalid_under(field, found);
    }
    let mut renamed = Violations::new();
    for violation in found.as_slice() {
        let path = violation.field.replacen("scorecards[0]", "scorecard", 1);
        renamed.push(path, violation.description.clone());
    }
    Error::Invalid(renamed)
}

fn read_row(rules: &RaceRules, id: &str) -> Result<Option<Row>, Error> {
    match Row::from_id(id).filter(|row| row.exists(rules)) {
        None if !id.is_empty() => Err(Error::invalid("category", unknown_row(rules, id))),
        row => Ok(row),
    }
}
