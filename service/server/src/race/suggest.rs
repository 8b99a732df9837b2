//! Advice: every legal move ranked, and the move that an opponent makes.

use dicepoker_engine::race::{MAX_PLAYERS, RaceAdvice, RacePosition, RaceRules, advise};
use dicepoker_proto::v1 as pb;

use super::position::{finished, write_move};
use super::{opponent, required_position};
use crate::error::{Error, both};
use crate::wire;

/// Every legal move ranked.
pub(super) fn suggest(
    rules: &RaceRules,
    request: pb::SuggestRequest,
) -> Result<pb::SuggestResponse, Error> {
    let turns_ended = request.position.as_ref().map_or(0, |position| position.turns_ended);
    let skill = request.opponent.as_ref().map(opponent::read).transpose();
    let position = required_position(rules, request.position);
    let objective = read_objective(&position, request.objective, request.target);
    let explain = match request.explain {
        Some(_) => Err(Error::invalid("explain", "must be left out: the race has no explanations")),
        None => Ok(()),
    };
    let (position, (skill, _)) = both(position, both(skill, both(objective, explain)))?;
    let alone = position.players() == 1;
    let ranked = advise(&position);
    let played = skill.and_then(|skill| skill.choose(&position, turns_ended, request.seed));
    let played = played.and_then(|made| ranked.iter().find(|advice| advice.chosen == made.chosen));
    let alternative = |advice: &RaceAdvice| pb::Alternative {
        r#move: Some(write_move(advice.chosen)),
        expected_value: if alone { advice.margin } else { advice.win_probability },
        regret: advice.regret,
        expected_margin: (!alone).then_some(advice.margin),
        chances: None,
        target_probability: None,
        round_chances: None,
        probability: None,
    };
    let max_alternatives = wire::max_alternatives(request.max_alternatives);
    let best = played.or(ranked.first()).map(alternative).ok_or_else(finished)?;
    Ok(pb::SuggestResponse {
        r#move: best.r#move,
        expected_value: best.expected_value,
        alternatives: ranked.iter().take(max_alternatives).map(alternative).collect(),
        exact: false,
        explanation: None,
    })
}

/// Reads the objective of the player to move.
pub(super) fn read_objective(
    position: &Result<RacePosition, Error>,
    objective: i32,
    target: i32,
) -> Result<(), Error> {
    let players = position.as_ref().map_or(MAX_PLAYERS, RacePosition::players);
    opponent::read_objective(objective, target, players)
}
