//! The calls of the contract for the race: what the request asks, put to the engine.

mod review;
mod simulate;

use dicepoker_engine::race::opponent::{RaceSkill, race_moment};
use dicepoker_engine::race::{
    ApplyError, Board, MAX_PLAYERS, RaceAdvice, RaceMove, RacePosition, RaceRejection, RaceRules,
    Row, advise, space, totals,
};
use dicepoker_engine::seeded::SeededDice;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

pub(crate) use self::review::review;
pub(crate) use self::simulate::simulate;
use crate::error::{Error, both};
use crate::wire;
use crate::wire::opponent::read_race_objective;
use crate::wire::position::read_scorecard;
use crate::wire::race::{
    finished, illegal, read_move, read_position, unknown_row, write_move, write_position,
    write_recorded, write_score, write_total,
};

/// What a roll is worth and what a board adds up to.
pub(crate) fn score(
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
                // Without dice there is nothing to score: the start of a turn stands for that.
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
    })
}

/// What is wrong with what stands in `field`; or, if that is empty, with the single card of a
/// request, which has another name than a position's first one.
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
        None if !id.is_empty() => Err(Error::invalid("category", unknown_row(rules))),
        row => Ok(row),
    }
}

/// What the player to move may do.
pub(crate) fn legal_moves(
    rules: &RaceRules,
    request: pb::LegalMovesRequest,
) -> Result<pb::LegalMovesResponse, Error> {
    let position = required_position(rules, request.position)?;
    let moves = position.legal_moves().into_iter().map(write_move).collect();
    Ok(pb::LegalMovesResponse { moves })
}

/// Every legal move ranked.
pub(crate) fn suggest(
    rules: &RaceRules,
    request: pb::SuggestRequest,
) -> Result<pb::SuggestResponse, Error> {
    let turns_ended = request.position.as_ref().map_or(0, |position| position.turns_ended);
    let skill = request.opponent.as_ref().map(wire::opponent::read_race).transpose();
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
    let played = ranked.iter().find(|advice| Some(advice.chosen) == played);
    let alternative = |advice: &RaceAdvice| pb::Alternative {
        r#move: Some(write_move(advice.chosen)),
        expected_value: if alone { advice.margin } else { advice.win_probability },
        regret: advice.regret,
        expected_margin: (!alone).then_some(advice.margin),
        chances: None,
        target_probability: None,
    };
    let most = match request.max_alternatives {
        0 => ranked.len(),
        most => most as usize,
    };
    let best = played.or(ranked.first()).map(alternative).ok_or_else(finished)?;
    Ok(pb::SuggestResponse {
        r#move: best.r#move,
        expected_value: best.expected_value,
        alternatives: ranked.iter().take(most).map(alternative).collect(),
        exact: false,
        explanation: None,
    })
}

/// Reads what the player to move plays for.
fn read_objective(
    position: &Result<RacePosition, Error>,
    objective: i32,
    target: i32,
) -> Result<(), Error> {
    let players = position.as_ref().map_or(MAX_PLAYERS, RacePosition::players);
    read_race_objective(objective, target, players)
}

/// The turn that an opponent plays.
pub(crate) fn play_turn(
    rules: &RaceRules,
    request: pb::PlayTurnRequest,
) -> Result<pb::PlayTurnResponse, Error> {
    let turns_ended = request.position.as_ref().map_or(0, |position| position.turns_ended);
    let skill = match &request.opponent {
        Some(opponent) => wire::opponent::read_race(opponent),
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
    })
}

/// The error of a move that was not played; the faces it throws stand in the field `thrown`.
fn refused(chosen: RaceMove, thrown: &'static str) -> impl Fn(ApplyError) -> Error {
    move |error| match error {
        ApplyError::Illegal(reason) => illegal(chosen, reason),
        ApplyError::Thrown(found) => Error::invalid_under(thrown, found),
    }
}

/// The position after a move.
pub(crate) fn apply(
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
        // Faces too great for the engine's type are no faces to it either.
        _ => Ok(dice.iter().map(|&face| u8::try_from(face).unwrap_or(u8::MAX)).collect()),
    }
}

fn required_position(
    rules: &RaceRules,
    position: Option<pb::Position>,
) -> Result<RacePosition, Error> {
    let position = position.ok_or_else(|| Error::invalid("position", "required"))?;
    RacePosition::parse(*rules, &read_position(position)).map_err(|rejection| match rejection {
        RaceRejection::Impossible(found) => Error::invalid_under("position", found),
        RaceRejection::Finished => finished(),
    })
}
