//! A turn of an opponent, from any point to its end.

use super::skill::{ShowdownDecision, ShowdownOpponent};
use crate::dice::Roll;
use crate::seeded::SeededDice;
use crate::showdown::{
    RoundEnd, Showdown, ShowdownApplied, ShowdownMove, ShowdownPosition, ShowdownValues,
};

/// A move of a turn and the dice that it threw.
#[derive(Clone, Debug, PartialEq)]
pub struct ShowdownTurnStep {
    /// The dice of the player before the move.
    pub dice: Option<Roll>,
    /// The move.
    pub chosen: ShowdownMove,
    /// The faces that it threw, in order.
    pub thrown: Vec<u8>,
    /// Its regret.
    pub regret: f64,
    /// What was at stake, see [`ShowdownDecision`].
    pub stake: f64,
}

/// A turn as played.
#[derive(Clone, Debug, PartialEq)]
pub struct ShowdownTurn {
    /// Its moves.
    pub steps: Vec<ShowdownTurnStep>,
    /// The position after it.
    pub end: ShowdownPosition,
    /// The end of the round, if it ended.
    pub round: Option<RoundEnd>,
    /// The winners of the match, if it ended.
    pub winners: Option<Vec<usize>>,
}

impl ShowdownOpponent {
    /// Plays the turn of `position` to its end. The dice are those of `seed` when the moves are
    /// played one by one.
    #[must_use]
    pub fn play_turn(
        &self,
        game: &Showdown,
        values: &ShowdownValues,
        position: &ShowdownPosition,
        seed: u64,
    ) -> ShowdownTurn {
        let mut steps = Vec::new();
        let mut at = position.clone();
        loop {
            let ShowdownDecision { chosen, regret, stake } = self.choose(game, values, &at, seed);
            let thrown = at.throw(game, chosen, seed);
            let applied = at.apply(game, chosen, &thrown).expect("an opponent makes legal moves");
            steps.push(ShowdownTurnStep { dice: at.dice(), chosen, thrown, regret, stake });
            let ShowdownApplied { position, turn_ended, round, winners } = applied;
            if turn_ended {
                return ShowdownTurn { steps, end: position, round, winners };
            }
            at = position;
        }
    }
}

impl ShowdownPosition {
    /// The faces that `seed` throws when `chosen` is played.
    #[must_use]
    pub fn throw(&self, game: &Showdown, chosen: ShowdownMove, seed: u64) -> Vec<u8> {
        let faces = game.space().faces() as u8;
        SeededDice::new(seed, self.moment()).throw(self.dice_to_throw(game, chosen), faces)
    }
}
