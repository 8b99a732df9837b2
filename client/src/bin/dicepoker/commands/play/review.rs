//! The review of a game for those who played it: how many of their moves were best, which were not,
//! and what the dice brought them.

use dicepoker_client::{Grade, Review, ReviewedStep, Ruleset};

use super::table::Player;
use crate::commands::review::Unit;
use crate::draw;

/// How many mistakes are shown.
const SHOWN: usize = 10;

/// The review for people, the worst moves first.
pub(super) fn text(ruleset: &Ruleset, players: &[Player], review: &Review) -> String {
    let unit = Unit::of(review);
    let mut text = String::new();
    for (number, player) in players.iter().enumerate().filter(|(_, player)| player.bot.is_none()) {
        let of = &review.players[number];
        // The first throw of a turn is nobody's choice.
        let chosen = |step: &&ReviewedStep| step.player as usize == number && !step.dice.is_empty();
        let moves = review.steps.iter().filter(chosen).count();
        let mut mistakes: Vec<&ReviewedStep> =
            review.steps.iter().filter(chosen).filter(|step| step.grade > Grade::Good).collect();
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
                step.grade,
                draw::faces(ruleset, &step.dice),
                draw::chosen(ruleset, &step.chosen),
                draw::chosen(ruleset, &step.best)
            );
        }
        if mistakes.len() > SHOWN {
            text += &format!("\n  and {} smaller ones", mistakes.len() - SHOWN);
        }
    }
    text
}
