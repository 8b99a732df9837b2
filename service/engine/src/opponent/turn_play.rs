//! Whole turns: a player throws, keeps and records until its turn is over. The dice are those that
//! `seed` gives when the same moves are played one by one, so the results are the same.

use arrayvec::ArrayVec;

use super::choice::{Decision, PlayerTurn};
use crate::category::Category;
use crate::dice::{MAX_DICE, Roll};
use crate::moves::Move;
use crate::opponent::skill::Skill;
use crate::position::Position;
use crate::seeded::SeededDice;
use crate::sheet::Gain;
use crate::solved_sheet::SolvedSheet;

/// One move of a turn and the dice that it threw.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnStep {
    /// The dice on the table before the move; none before the first throw of a turn.
    pub dice: Option<Roll>,
    /// The move.
    pub chosen: Move,
    /// Regret: points less than the best move.
    pub regret: f64,
    /// The stake of the decision in points, see [`stake`](super::stake).
    pub stake: f64,
    /// Whether the player might have chosen an error, see [`Choice`](super::Choice).
    pub could_err: bool,
    /// The faces that it threw, in order; none for a record.
    pub thrown: ArrayVec<u8, MAX_DICE>,
    /// The record, and its category.
    pub recorded: Option<(Category, Gain)>,
}

/// A turn as played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedTurn {
    /// Its moves.
    pub steps: Vec<TurnStep>,
    /// The position after it: the next player is to throw, or the game is over.
    pub end: Position,
    /// Whether all cards are complete.
    pub game_over: bool,
}

impl SolvedSheet<'_> {
    /// Plays the turn of `position` to its end, from any point of the turn.
    ///
    /// # Panics
    /// If `position` is finished.
    #[must_use]
    pub fn play_turn(&self, skill: &Skill, position: &Position, seed: u64) -> PlayedTurn {
        let player = PlayerTurn::new(*self, skill, position.card().state(self.sheet));
        self.play_by(position, seed, |now| player.choose(now, seed))
    }

    /// Plays the turn of `position` to its end by moves of `choose`.
    pub(crate) fn play_by(
        &self,
        position: &Position,
        seed: u64,
        mut choose: impl FnMut(&Position) -> Decision,
    ) -> PlayedTurn {
        let mut turn =
            PlayedTurn { steps: Vec::with_capacity(4), end: position.clone(), game_over: false };
        loop {
            let Decision { chosen, regret, stake, could_err } = choose(&turn.end);
            let thrown = self.throw(&turn.end, chosen, seed);
            let played =
                turn.end.play(self.sheet, chosen, &thrown).expect("players make legal moves");
            let recorded = played.recorded;
            let dice = turn.end.dice();
            let step = TurnStep { dice, chosen, regret, stake, could_err, thrown, recorded };
            turn.steps.push(step);
            turn.end = played.position;
            turn.game_over = played.game_over;
            if recorded.is_some() {
                return turn;
            }
        }
    }

    /// The dice that `chosen` throws in `position` by `seed`.
    pub(crate) fn throw(
        &self,
        position: &Position,
        chosen: Move,
        seed: u64,
    ) -> ArrayVec<u8, MAX_DICE> {
        let count = position.dice_thrown(self.sheet, chosen);
        if count == 0 {
            return ArrayVec::new();
        }
        let mut dice = SeededDice::for_position(seed, position);
        (0..count).map(|_| dice.die(self.sheet.space().faces() as u8)).collect()
    }
}
