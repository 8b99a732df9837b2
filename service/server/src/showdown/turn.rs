//! Whole turns of an opponent.

use std::sync::Arc;

use dicepoker_engine::showdown::ShowdownOpponent;
use dicepoker_proto::v1 as pb;

use super::position::{dice, write, write_move};
use super::score::write_round;
use super::{Table, opponent};
use crate::error::{Error, both};

/// The turn that an opponent plays.
pub(super) async fn play_turn(
    table: &Arc<Table>,
    request: pb::PlayTurnRequest,
) -> Result<pb::PlayTurnResponse, Error> {
    let game = &table.game;
    let player = match &request.opponent {
        Some(opponent) => opponent::read(opponent),
        None => Ok(ShowdownOpponent::PERFECT),
    };
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let objective = opponent::read_objective(request.objective, request.target);
    let position = table.required_position(request.position);
    let (position, (player, (seed, ()))) = both(position, both(player, both(seed, objective)))?;
    let values = table.values(position.seats().len()).await?;
    let turn = player.play_turn(game, values, &position, seed);
    let winners = turn.winners.as_deref().unwrap_or_default();
    Ok(pb::PlayTurnResponse {
        steps: turn
            .steps
            .iter()
            .map(|step| pb::TurnStep {
                dice: dice(game, step.dice),
                r#move: Some(write_move(game, step.chosen)),
                thrown: step.thrown.iter().copied().map(u32::from).collect(),
                recorded: None,
            })
            .collect(),
        position: Some(write(game, &turn.end)),
        game_ended: turn.winners.is_some(),
        totals: Vec::new(),
        winners: winners.iter().map(|&player| player as u32).collect(),
        round: turn.round.map(|round| write_round(game, &round)),
    })
}
