//! The review at the end of a game: how many moves were good, the worst ones, and the luck.

use dicepoker_client::proto::{Grade, ReviewedStep};
use dicepoker_client::{ReviewResponse, Ruleset};

use super::table::Player;
use crate::commands::review::{Unit, grade};
use crate::draw;

/// The most mistakes to show.
const SHOWN: usize = 10;

/// The review for people, the worst moves first.
pub(super) fn text(ruleset: &Ruleset, players: &[Player], review: &ReviewResponse) -> String {
    let unit = Unit::of(review);
    let mut text = String::new();
    for (number, player) in players.iter().enumerate().filter(|(_, player)| player.bot.is_none()) {
        let of = &review.players[number];
        // The first throw of a turn is no choice.
        let chosen = |step: &&ReviewedStep| step.player as usize == number && !step.dice.is_empty();
        let moves = review.steps.iter().filter(chosen).count();
        let mut mistakes: Vec<&ReviewedStep> =
            review.steps.iter().filter(chosen).filter(|step| step.grade() > Grade::Good).collect();
        mistakes.sort_by(|a, b| b.regret.total_cmp(&a.regret));
        text += &format!(
            "\nReview of {}: {} of {moves} moves were good; all together gave up {}. The dice \
             brought {}.",
            player.name,
            moves - mistakes.len(),
            unit.write(-of.regret).trim_start_matches(['-', '+']),
            unit.write(of.luck)
        );
        for step in mistakes.iter().take(SHOWN) {
            text += &format!(
                "\n  {:>8}  {}, with {}: {}, best was {}",
                unit.write(-step.regret),
                grade(step.grade()),
                draw::faces(ruleset, &step.dice),
                draw::answered(ruleset, step.r#move.as_ref()),
                draw::answered(ruleset, step.best_move.as_ref())
            );
        }
        if mistakes.len() > SHOWN {
            text += &format!("\n  and {} smaller ones", mistakes.len() - SHOWN);
        }
    }
    text
}
