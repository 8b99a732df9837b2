//! The review of a match.

use std::sync::Arc;

use dicepoker_engine::showdown::{
    ReviewFault, ShowdownMove, ShowdownPosition, ShowdownReview, review_showdown,
};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use super::Table;
use super::position::{dice, read_move, refused, small_faces, write, write_move};
use crate::error::{Error, both};
use crate::wire::review::{read_steps, same_dice, write_grade, write_player};

/// The review of a match.
pub(super) async fn review(
    table: &Arc<Table>,
    request: pb::ReviewRequest,
) -> Result<pb::ReviewResponse, Error> {
    let game = &table.game;
    let start = match request.position {
        None => Ok(ShowdownPosition::start(game, *game.players().start())),
        Some(position) => table.position(position),
    };
    let moves = read_steps(&request.steps, |step, found| read_step(table, step, found));
    let (start, moves) = both(start, moves)?;
    let players = start.seats().len();
    table.values(players).await?;
    let chosen: Vec<ShowdownMove> = moves.iter().map(|(chosen, _)| *chosen).collect();
    let at = Arc::clone(table);
    let study =
        move |_: &_| Ok::<_, Error>(review_showdown(&at.game, at.solved(players)?, &start, &moves));
    let reviewed = table.context.long_work.run(study).await??;
    let review = reviewed.map_err(|(step, fault)| {
        let wrong = match fault {
            ReviewFault::Move(error) => refused(chosen[step], "thrown", error),
            other => Error::invalid("", other.to_string()),
        };
        wrong.under(&format!("steps[{step}]"))
    })?;
    same_dice(&request.steps, review.steps.iter().map(|step| dice(game, step.dice)))?;
    Ok(write_review(table, &review))
}

fn read_step(
    table: &Table,
    step: &pb::TurnStep,
    found: &mut Violations,
) -> Option<(ShowdownMove, Vec<u8>)> {
    match read_move(&table.game, step.r#move.clone()) {
        Ok(chosen) => Some((chosen, small_faces(&step.thrown))),
        Err(error) => {
            error.add_to(found);
            None
        }
    }
}

fn write_review(table: &Table, review: &ShowdownReview) -> pb::ReviewResponse {
    let game = &table.game;
    let winners = review.winners.as_deref().unwrap_or_default();
    let steps = review.steps.iter().map(|step| pb::ReviewedStep {
        player: step.player as u32,
        dice: dice(game, step.dice),
        r#move: Some(write_move(game, step.chosen)),
        best_move: Some(write_move(game, step.best)),
        best_value: step.best_value,
        regret: step.regret,
        grade: write_grade(step.grade).into(),
        luck: step.luck,
    });
    pb::ReviewResponse {
        steps: steps.collect(),
        players: review.players.iter().map(|player| write_player(player, false)).collect(),
        position: Some(write(game, &review.end)),
        game_ended: review.winners.is_some(),
        totals: Vec::new(),
        winners: winners.iter().map(|&player| player as u32).collect(),
    }
}
