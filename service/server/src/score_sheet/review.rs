//! The review of a game.

use std::sync::Arc;

use dicepoker_engine::dice::Roll;
use dicepoker_engine::moves::Move;
use dicepoker_engine::position::{Position, parse_faces};
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::statistics::{RecordFault, Review};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::position::{read_move, write_move, write_position};
use super::{ScoreSheet, illegal, parse_position, totals, winners_at_end};
use crate::error::{Error, both};
use crate::wire::review::{read_steps, same_dice, write_grade, write_player};

/// The most steps reviewed on the worker: some hundred microseconds of work. More go to the pool.
const AT_ONCE: usize = 128;

/// The review of a game.
pub(super) async fn review(
    rules: &Arc<ScoreSheet>,
    request: pb::ReviewRequest,
) -> Result<pb::ReviewResponse, Error> {
    let sheet = rules.sheet();
    let start = match request.position {
        None => Ok(Position::start(sheet, 1)),
        Some(position) => parse_position(sheet, position),
    };
    let moves = read_steps(&request.steps, |step, found| read_step(sheet, step, found));
    let (start, moves) = both(start, moves)?;
    rules.solution().await?;
    let chosen: Vec<Move> = moves.iter().map(|(chosen, _)| *chosen).collect();
    let study = move |rules: &ScoreSheet| Ok::<_, Error>(rules.game()?.review(&start, &moves));
    let reviewed = match chosen.len() <= AT_ONCE {
        true => study(rules)?,
        false => rules.work(study).await??,
    };
    let review = reviewed.map_err(|error| {
        let wrong = match error.reason {
            RecordFault::Illegal(reason) => illegal(chosen[error.step], reason, "thrown"),
            RecordFault::Over => Error::invalid("", error.reason.to_string()),
        };
        wrong.under(&format!("steps[{}]", error.step))
    })?;
    let faces = |roll: Roll| faces(sheet, roll);
    same_dice(&request.steps, review.steps.iter().map(|step| step.dice.map_or(vec![], faces)))?;
    Ok(write_review(sheet, &review))
}

fn read_step(
    sheet: &Sheet,
    step: &pb::TurnStep,
    found: &mut Violations,
) -> Option<(Move, Vec<u8>)> {
    let chosen = read_move(step.r#move.clone()).and_then(|raw| {
        Move::parse(sheet, &raw).map_err(|violations| Error::invalid_under("move", violations))
    });
    let thrown = parse_faces(sheet.space(), &step.thrown, "thrown", found);
    match chosen {
        Ok(chosen) => Some((chosen, thrown)),
        Err(error) => {
            error.add_to(found);
            None
        }
    }
}

fn faces(sheet: &Sheet, roll: Roll) -> Vec<u32> {
    let space = sheet.space();
    space.faces_of(space.as_keep(roll)).map(u32::from).collect()
}

fn write_review(sheet: &Sheet, review: &Review) -> pb::ReviewResponse {
    let steps = review.steps.iter().map(|step| pb::ReviewedStep {
        player: step.player as u32,
        dice: step.dice.map_or(vec![], |roll| faces(sheet, roll)),
        r#move: Some(write_move(sheet, step.chosen)),
        best_move: Some(write_move(sheet, step.best)),
        best_value: step.best_value,
        regret: step.regret,
        grade: write_grade(step.grade).into(),
        luck: step.luck,
    });
    pb::ReviewResponse {
        steps: steps.collect(),
        players: review.players.iter().map(|player| write_player(player, true)).collect(),
        position: Some(write_position(sheet, &review.end)),
        game_ended: review.game_over,
        totals: totals(sheet, &review.end),
        winners: winners_at_end(sheet, &review.end, review.game_over),
    }
}
