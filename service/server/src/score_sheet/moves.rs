//! Legal moves, and the position after a move.

use dicepoker_engine::moves::Move;
use dicepoker_engine::position::{Position, parse_faces};
use dicepoker_engine::seeded::SeededDice;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::position::{read_move, write_gain, write_move, write_position};
use super::{illegal, required_position, totals, winners_at_end};
use crate::error::{Error, both};

/// The legal moves.
pub(super) fn legal_moves(
    sheet: &Sheet,
    request: pb::LegalMovesRequest,
) -> Result<pb::LegalMovesResponse, Error> {
    let position = required_position(sheet, request.position)?;
    let buys = position.may_buy(sheet);
    let moves = position.legal_moves(sheet).map(|chosen| {
        let mut chosen = write_move(sheet, chosen);
        if let Some(pb::r#move::Kind::Keep(keep)) = &mut chosen.kind {
            keep.buys = buys;
        }
        chosen
    });
    let moves = moves.collect();
    Ok(pb::LegalMovesResponse { moves })
}

/// The position after a move.
pub(super) fn apply(sheet: &Sheet, request: pb::ApplyRequest) -> Result<pb::ApplyResponse, Error> {
    let chosen = read_move(request.r#move).and_then(|sent| {
        Move::parse(sheet, &sent).map_err(|violations| Error::invalid_under("move", violations))
    });
    let (position, chosen) = both(required_position(sheet, request.position), chosen)?;
    let chosen = position.next_entry(sheet, chosen);
    if let Some(reason) = position.why_illegal(sheet, chosen) {
        return Err(illegal(chosen, reason, "dice"));
    }
    let thrown = thrown_dice(sheet, &position, chosen, &request.dice, request.seed)?;
    let played =
        position.play(sheet, chosen, &thrown).map_err(|reason| illegal(chosen, reason, "dice"))?;
    Ok(pb::ApplyResponse {
        position: Some(write_position(sheet, &played.position)),
        thrown: thrown.into_iter().map(u32::from).collect(),
        recorded: played.recorded.map(|(category, gain)| write_gain(sheet, category, gain, None)),
        turn_ended: played.recorded.is_some(),
        game_ended: played.game_over,
        totals: totals(sheet, &played.position),
        winners: winners_at_end(sheet, &played.position, played.game_over),
        row_closed: false,
        row_doubled: false,
        round: None,
    })
}

/// The dice that `chosen` throws: the caller's, or those of its seed.
fn thrown_dice(
    sheet: &Sheet,
    position: &Position,
    chosen: Move,
    dice: &[u32],
    seed: Option<u64>,
) -> Result<Vec<u8>, Error> {
    let count = position.dice_thrown(sheet, chosen);
    let faces = sheet.space().faces();
    match (dice, seed) {
        ([], _) if count == 0 => Ok(Vec::new()),
        ([], Some(seed)) => Ok(SeededDice::for_position(seed, position).throw(count, faces as u8)),
        (_, Some(_)) if count > 0 => {
            Err(Error::invalid("seed", "must be left out where dice are given"))
        }
        _ => {
            let mut found = Violations::new();
            if dice.len() != count {
                let or = if count > 0 { ", or none and a seed" } else { "" };
                found.push("dice", format!("{} dice: this move throws {count}{or}", dice.len()));
            }
            let thrown = parse_faces(sheet.space(), dice, "dice", &mut found);
            found.or(thrown).map_err(Error::Invalid)
        }
    }
}
