//! Whole turns of an opponent.

use std::sync::Arc;

use dicepoker_engine::dice::Roll;
use dicepoker_engine::objective::{Objective, ObjectivePlayer};
use dicepoker_engine::opponent::PlayedTurn;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Player;
use dicepoker_proto::v1 as pb;

use super::position::{write_gain, write_move, write_position};
use super::{RequestedPlayer, ScoreSheet, required_position, totals, winners_at_end};
use crate::error::{Error, both};

/// The turn that an opponent plays.
pub(super) async fn play_turn(
    rules: &Arc<ScoreSheet>,
    request: pb::PlayTurnRequest,
) -> Result<pb::PlayTurnResponse, Error> {
    let sheet = rules.sheet();
    let player =
        RequestedPlayer::read(request.opponent.as_ref(), request.objective, request.target);
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let (position, (player, seed)) =
        both(required_position(sheet, request.position), both(player, seed))?;
    player.check_rivals(position.cards().len(), "objective")?;
    let solved = SolvedSheet::new(sheet, rules.solution().await?);
    let skill = player.skill(&request.ruleset, solved.points_a_turn());
    let turn = if player.objective == Objective::ExpectedScore {
        solved.play_turn(&skill, &position, seed)
    } else {
        let for_target = matches!(player.objective, Objective::ReachTarget(_));
        rules.prepare_forecast(for_target).await?;
        let play = move |rules: &ScoreSheet| {
            let (solved, forecast) = (rules.game()?, rules.made_forecast(for_target)?);
            let player = ObjectivePlayer::new(player.objective, forecast);
            Ok::<_, Error>(player.with_skill(skill).thorough().take_turn(&solved, &position, seed))
        };
        rules.work(play).await??
    };
    Ok(write_turn(sheet, &turn))
}

fn write_turn(sheet: &Sheet, turn: &PlayedTurn) -> pb::PlayTurnResponse {
    let space = sheet.space();
    let faces = |roll: Roll| space.faces_of(space.as_keep(roll)).map(u32::from);
    let steps = turn.steps.iter().map(|step| pb::TurnStep {
        dice: step.dice.into_iter().flat_map(faces).collect(),
        r#move: Some(write_move(sheet, step.chosen)),
        thrown: step.thrown.iter().copied().map(u32::from).collect(),
        recorded: step.recorded.map(|(category, gain)| write_gain(sheet, category, gain, None)),
    });
    pb::PlayTurnResponse {
        steps: steps.collect(),
        position: Some(write_position(sheet, &turn.end)),
        game_ended: turn.game_over,
        totals: totals(sheet, &turn.end),
        winners: winners_at_end(sheet, &turn.end, turn.game_over),
        round: None,
    }
}
