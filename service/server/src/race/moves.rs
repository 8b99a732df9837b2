//! Legal moves, and the position after a move.

use dicepoker_engine::race::opponent::race_moment;
use dicepoker_engine::race::{RaceMove, RacePosition, RaceRules};
use dicepoker_engine::seeded::SeededDice;
use dicepoker_proto::v1 as pb;

use super::position::{
    illegal, read_move, write_move, write_position, write_recorded, write_total,
};
use super::{refused, required_position};
use crate::error::{Error, both};

/// The legal moves.
pub(super) fn legal_moves(
    rules: &RaceRules,
    request: pb::LegalMovesRequest,
) -> Result<pb::LegalMovesResponse, Error> {
    let position = required_position(rules, request.position)?;
    let moves = position.legal_moves().into_iter().map(write_move).collect();
    Ok(pb::LegalMovesResponse { moves })
}

/// The position after a move.
pub(super) fn apply(
    rules: &RaceRules,
    request: pb::ApplyRequest,
) -> Result<pb::ApplyResponse, Error> {
    let turns_ended = request.position.as_ref().map_or(0, |position| position.turns_ended);
    let position = required_position(rules, request.position);
    let (position, chosen) = both(position, read_move(rules, request.r#move))?;
    position.check(chosen).map_err(|reason| illegal(chosen, reason))?;
    let thrown = thrown_dice(&position, turns_ended, chosen, &request.dice, request.seed)?;
    let applied = position.apply(chosen, &thrown).map_err(refused(chosen, "dice"))?;
    let next = &applied.position;
    let totals = next.totals();
    let winners = applied.end.as_ref().map_or(&[][..], |end| &end.winners);
    Ok(pb::ApplyResponse {
        position: Some(write_position(next, turns_ended.saturating_add(applied.turn_ended.into()))),
        thrown: thrown.into_iter().map(u32::from).collect(),
        recorded: applied.recorded.map(|recorded| write_recorded(&position, &recorded)),
        turn_ended: applied.turn_ended,
        game_ended: applied.end.is_some(),
        totals: totals.iter().map(|total| write_total(rules, next.boards(), total)).collect(),
        winners: winners.iter().map(|&player| player as u32).collect(),
        row_closed: applied.recorded.is_some_and(|recorded| recorded.closed),
        row_doubled: applied.recorded.is_some_and(|recorded| recorded.doubled),
        round: None,
    })
}

/// The dice that `chosen` throws: the caller's, or those of its seed.
fn thrown_dice(
    position: &RacePosition,
    turns_ended: u32,
    chosen: RaceMove,
    dice: &[u32],
    seed: Option<u64>,
) -> Result<Vec<u8>, Error> {
    let count = chosen.dice_to_throw();
    match (dice, seed) {
        ([], Some(seed)) if count > 0 => {
            Ok(SeededDice::new(seed, race_moment(position, turns_ended)).throw(count, 6))
        }
        ([_, ..], Some(_)) if count > 0 => {
            Err(Error::invalid("seed", "must be left out where dice are given"))
        }
        // A face too great for the engine's type is invalid for the engine too.
        _ => Ok(dice.iter().map(|&face| u8::try_from(face).unwrap_or(u8::MAX)).collect()),
    }
}
