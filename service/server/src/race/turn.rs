//! Whole turns of an opponent.

use dicepoker_engine::race::opponent::RaceSkill;
use dicepoker_engine::race::{RaceRules, space};
use dicepoker_proto::v1 as pb;

use super::position::{finished, write_move, write_position, write_recorded, write_total};
use super::suggest::read_objective;
use super::{opponent, refused, required_position};
use crate::error::{Error, both};

/// The turn that an opponent plays.
pub(super) fn play_turn(
    rules: &RaceRules,
    request: pb::PlayTurnRequest,
) -> Result<pb::PlayTurnResponse, Error> {
    let turns_ended = request.position.as_ref().map_or(0, |position| position.turns_ended);
    let skill = match &request.opponent {
        Some(opponent) => opponent::read(opponent),
        None => Ok(RaceSkill::STRONGEST),
    };
    let seed = request.seed.ok_or_else(|| Error::invalid("seed", "required"));
    let position = required_position(rules, request.position);
    let objective = read_objective(&position, request.objective, request.target);
    let (position, ((skill, seed), ())) = both(position, both(both(skill, seed), objective))?;
    let turn = skill.play_turn(&position, turns_ended, seed).ok_or_else(finished)?;
    let mut now = position;
    let mut steps = Vec::with_capacity(turn.steps.len());
    for step in &turn.steps {
        let faces = step.dice.map(|roll| space().faces_of(space().as_keep(roll)));
        steps.push(pb::TurnStep {
            dice: faces.into_iter().flatten().map(u32::from).collect(),
            r#move: Some(write_move(step.chosen)),
            thrown: step.thrown.iter().copied().map(u32::from).collect(),
            recorded: step.recorded.map(|recorded| write_recorded(&now, &recorded)),
        });
        now = now.apply(step.chosen, &step.thrown).map_err(refused(step.chosen, "dice"))?.position;
    }
    let totals = now.totals();
    let winners = turn.outcome.as_ref().map_or(&[][..], |end| &end.winners);
    Ok(pb::PlayTurnResponse {
        steps,
        position: Some(write_position(&now, turns_ended.saturating_add(1))),
        game_ended: turn.outcome.is_some(),
        totals: totals.iter().map(|total| write_total(rules, now.boards(), total)).collect(),
        winners: winners.iter().map(|&player| player as u32).collect(),
        round: None,
    })
}
