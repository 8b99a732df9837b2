//! Legal moves, and the position after a move.

use dicepoker_engine::showdown::{ShowdownMove, ShowdownPosition};
use dicepoker_proto::v1 as pb;

use super::Table;
use super::position::{illegal, read_move, refused, small_faces, write, write_move};
use super::score::write_round;
use crate::error::{Error, both};

/// The legal moves.
pub(super) fn legal_moves(
    table: &Table,
    request: pb::LegalMovesRequest,
) -> Result<pb::LegalMovesResponse, Error> {
    let position = table.required_position(request.position)?;
    let moves = position.legal_moves(&table.game).into_iter();
    Ok(pb::LegalMovesResponse { moves: moves.map(|m| write_move(&table.game, m)).collect() })
}

/// The position after a move.
pub(super) fn apply(table: &Table, request: pb::ApplyRequest) -> Result<pb::ApplyResponse, Error> {
    let game = &table.game;
    let position = table.required_position(request.position);
    let (position, chosen) = both(position, read_move(game, request.r#move))?;
    position.check(game, chosen).map_err(|reason| illegal(chosen, reason))?;
    let thrown = thrown_dice(table, &position, chosen, &request.dice, request.seed)?;
    let applied =
        position.apply(game, chosen, &thrown).map_err(|error| refused(chosen, "dice", error))?;
    let winners = applied.winners.as_deref().unwrap_or_default();
    Ok(pb::ApplyResponse {
        position: Some(write(game, &applied.position)),
        thrown: thrown.into_iter().map(u32::from).collect(),
        turn_ended: applied.turn_ended,
        game_ended: applied.winners.is_some(),
        winners: winners.iter().map(|&player| player as u32).collect(),
        round: applied.round.map(|round| write_round(game, &round)),
        ..Default::default()
    })
}

/// The dice that `chosen` throws: the caller's, or those of its seed.
fn thrown_dice(
    table: &Table,
    position: &ShowdownPosition,
    chosen: ShowdownMove,
    dice: &[u32],
    seed: Option<u64>,
) -> Result<Vec<u8>, Error> {
    let count = position.dice_to_throw(&table.game, chosen);
    match (dice, seed) {
        ([], Some(seed)) if count > 0 => Ok(position.throw(&table.game, chosen, seed)),
        ([_, ..], Some(_)) if count > 0 => {
            Err(Error::invalid("seed", "must be left out where dice are given"))
        }
        _ => Ok(small_faces(dice)),
    }
}
