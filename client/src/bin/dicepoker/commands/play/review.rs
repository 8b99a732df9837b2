//! The review of a game: what each move that a person chose gave up against the best one, in points
//! of the final score that are to be expected.

use dicepoker_client::{Client, Move, Position, Rules};
use serde::Serialize;

use super::table::{Decision, Player};
use crate::failure::Failure;

/// Less than this many points is no mistake worth a line.
const SLIGHT: f64 = 0.01;

/// How many mistakes are shown.
const SHOWN: usize = 10;

/// What the moves of a game gave up.
#[derive(Debug, Serialize)]
pub(super) struct Review {
    /// All that was given up, in expected points.
    regret: f64,
    /// Every move, in the order of the game.
    moves: Vec<Reviewed>,
}

#[derive(Debug, Serialize)]
struct Reviewed {
    player: String,
    position: Position,
    #[serde(rename = "move")]
    chosen: Move,
    best: Move,
    expected_value: f64,
    regret: f64,
}

impl Review {
    /// Asks the service about each of `decisions`.
    pub(super) async fn of(
        client: &Client,
        rules: &Rules,
        players: &[Player],
        decisions: &[Decision],
    ) -> Result<Self, Failure> {
        let mut moves = Vec::with_capacity(decisions.len());
        for decision in decisions {
            let advice = client.suggest(rules, decision.position.clone()).await?;
            // Every move that was played is legal, and all legal moves are ranked.
            let regret = advice.regret(&decision.chosen).unwrap_or_default();
            moves.push(Reviewed {
                player: players[decision.player].name.clone(),
                position: decision.position.clone(),
                chosen: decision.chosen.clone(),
                best: advice.best,
                expected_value: advice.expected_value - regret,
                regret,
            });
        }
        Ok(Self { regret: moves.iter().map(|reviewed| reviewed.regret).sum(), moves })
    }

    /// The review for people: the worst moves first.
    pub(super) fn text(&self) -> String {
        let mut mistakes: Vec<&Reviewed> =
            self.moves.iter().filter(|reviewed| reviewed.regret >= SLIGHT).collect();
        mistakes.sort_by(|a, b| b.regret.total_cmp(&a.regret));
        let mut text = format!(
            "\nReview: {} of {} moves were best; the others gave up {:.2} points of the expected \
             final score.",
            self.moves.len() - mistakes.len(),
            self.moves.len(),
            self.regret
        );
        for reviewed in mistakes.iter().take(SHOWN) {
            let left = match reviewed.position.rolls_left {
                0 => "no throw left".to_owned(),
                1 => "1 throw left".to_owned(),
                left => format!("{left} throws left"),
            };
            text += &format!(
                "\n  -{:.2}  {} with {} and {left}: {}, best was {}",
                reviewed.regret,
                reviewed.player,
                reviewed.position.dice,
                reviewed.chosen,
                reviewed.best
            );
        }
        if mistakes.len() > SHOWN {
            text += &format!("\n  and {} smaller ones", mistakes.len() - SHOWN);
        }
        text
    }
}
