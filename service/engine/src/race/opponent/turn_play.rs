//! Whole turns of a player of the race.

use arrayvec::ArrayVec;

use super::choice::{RaceDecision, race_moment};
use super::skill::RaceSkill;
use crate::dice::Roll;
use crate::race::{RaceEnd, RaceMove, RacePosition, Recorded};
use crate::seeded::SeededDice;

/// A move of a turn and the dice that it threw.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceTurnStep {
    /// The dice on the table before the move.
    pub dice: Option<Roll>,
    /// The move.
    pub chosen: RaceMove,
    /// Its regret, see [`RaceDecision`].
    pub regret: f64,
    /// Its stake.
    pub stake: f64,
    /// Whether the player might have chosen an error.
    pub could_err: bool,
    /// The faces that it threw, in the order in which they fell.
    pub thrown: ArrayVec<u8, 5>,
    /// Its record.
    pub recorded: Option<Recorded>,
}

/// A turn as played.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceTurn {
    /// Its moves.
    pub steps: Vec<RaceTurnStep>,
    /// The position after it.
    pub end: RacePosition,
    /// How the game ended, if it did.
    pub outcome: Option<RaceEnd>,
}

impl RaceSkill {
    /// Plays the turn of `position` to its end, from wherever in the turn it is; `None` if the
    /// game has ended. The dice are those of `seed` when the moves are played one by one.
    #[must_use]
    pub fn play_turn(
        &self,
        position: &RacePosition,
        turns_ended: u32,
        seed: u64,
    ) -> Option<RaceTurn> {
        let mut turn = RaceTurn { steps: Vec::new(), end: position.clone(), outcome: None };
        loop {
            let RaceDecision { chosen, regret, stake, could_err } =
                self.choose(&turn.end, turns_ended, seed)?;
            let mut thrown_dice = SeededDice::new(seed, race_moment(&turn.end, turns_ended));
            let thrown: ArrayVec<u8, 5> =
                (0..chosen.dice_to_throw()).map(|_| thrown_dice.die(6)).collect();
            let applied = turn.end.apply(chosen, &thrown).ok()?;
            let recorded = applied.recorded;
            let dice = turn.end.dice();
            let step = RaceTurnStep { dice, chosen, regret, stake, could_err, thrown, recorded };
            turn.steps.push(step);
            turn.end = applied.position;
            turn.outcome = applied.end;
            if applied.turn_ended {
                return Some(turn);
            }
        }
    }
}
