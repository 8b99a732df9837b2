//! The review of a race.

use dicepoker_engine::dice::Roll;
use dicepoker_engine::race::opponent::{RaceReview, review_race};
use dicepoker_engine::race::{ApplyError, IllegalMove, RaceMove, RacePosition, RaceRules, space};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::position::{read_move, write_move, write_position, write_total};
use super::{refused, required_position};
use crate::error::{Error, both};
use crate::runtime::LongWork;
use crate::wire::review::{read_steps, same_dice, write_grade, write_player};

/// The review of a game. Each step is a search of its own, so it is long work.
pub(super) async fn review(
    long_work: &LongWork,
    rules: &RaceRules,
    request: pb::ReviewRequest,
) -> Result<pb::ReviewResponse, Error> {
    let turns_ended = request.position.as_ref().map_or(0, |position| position.turns_ended);
    let start = match request.position {
        None => Ok(RacePosition::start(*rules, 2)),
        Some(position) => required_position(rules, Some(position)),
    };
    let moves = read_steps(&request.steps, |step, found| read_step(rules, step, found));
    let (start, moves) = both(start, moves)?;
    let chosen: Vec<RaceMove> = moves.iter().map(|(chosen, _)| *chosen).collect();
    let reviewed = long_work.run(move |_| review_race(&start, &moves)).await?;
    let review = reviewed.map_err(|(step, error)| {
        let wrong = match error {
            ApplyError::Illegal(IllegalMove::Finished) => {
                Error::invalid("", "the game was over before it")
            }
            error => refused(chosen[step], "thrown")(error),
        };
        wrong.under(&format!("steps[{step}]"))
    })?;
    let on_table = review.steps.iter().map(|decision| decision.dice.map_or(vec![], faces));
    same_dice(&request.steps, on_table)?;
    Ok(write_review(rules, &review, turns_ended))
}

fn read_step(
    rules: &RaceRules,
    step: &pb::TurnStep,
    found: &mut Violations,
) -> Option<(RaceMove, Vec<u8>)> {
    // A face too great for the engine's type is invalid for the engine too.
    let thrown = step.thrown.iter().map(|&face| u8::try_from(face).unwrap_or(u8::MAX)).collect();
    match read_move(rules, step.r#move.clone()) {
        Ok(chosen) => Some((chosen, thrown)),
        Err(error) => {
            error.add_to(found);
            None
        }
    }
}

fn faces(roll: Roll) -> Vec<u32> {
    space().faces_of(space().as_keep(roll)).map(u32::from).collect()
}

fn write_review(rules: &RaceRules, review: &RaceReview, turns_before: u32) -> pb::ReviewResponse {
    let totals = review.end.totals();
    let winners = review.outcome.as_ref().map_or(&[][..], |end| &end.winners);
    let steps = review.steps.iter().map(|decision| pb::ReviewedStep {
        player: decision.player as u32,
        dice: decision.dice.map_or(vec![], faces),
        r#move: Some(write_move(decision.chosen)),
        best_move: Some(write_move(decision.best)),
        best_value: decision.best_value,
        regret: decision.regret,
        grade: write_grade(decision.grade).into(),
        luck: decision.luck,
    });
    let turns = turns_before.saturating_add(review.turns_ended);
    pb::ReviewResponse {
        steps: steps.collect(),
        players: review.players.iter().map(|player| write_player(player, false)).collect(),
        position: Some(write_position(&review.end, turns)),
        game_ended: review.outcome.is_some(),
        totals: totals.iter().map(|total| write_total(rules, review.end.boards(), total)).collect(),
        winners: winners.iter().map(|&player| player as u32).collect(),
    }
}
