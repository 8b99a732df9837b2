//! One move and whole turns of a player of the race.

use arrayvec::ArrayVec;

use super::skill::{RaceObjective, RaceSkill};
use crate::dice::Roll;
use crate::opponent::draw;
use crate::race::{MAX_MOVES, RaceEnd, RaceMove, RacePosition, Recorded, advise, turn_points};
use crate::seeded::SeededDice;

/// A move of a turn and the dice that it threw.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceTurnStep {
    /// The dice on the table before the move.
    pub dice: Option<Roll>,
    /// The move.
    pub chosen: RaceMove,
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
    /// The move of this player in `position` by `seed`; `turns_ended` tells the turns of a game
    /// apart. `None` if the game has ended.
    #[must_use]
    pub fn choose(&self, position: &RacePosition, turns_ended: u32, seed: u64) -> Option<RaceMove> {
        let moves = position.legal_moves();
        if moves.len() <= 1 {
            return moves.first().copied();
        }
        // Both lists are in an order of preference, so the first of equals is the one to play.
        let looks: ArrayVec<(RaceMove, f64), MAX_MOVES> = match self.objective {
            RaceObjective::Win if position.players() > 1 => {
                advise(position).iter().map(|m| (m.chosen, m.win_probability)).collect()
            }
            _ => turn_points(position).iter().map(|m| (m.0, f64::from(m.1))).collect(),
        };
        let best = looks.iter().map(|m| m.1).fold(f64::NEG_INFINITY, f64::max);
        if self.temperature <= 0.0 {
            return match self.objective {
                RaceObjective::Win => looks.first().map(|m| m.0).filter(|_| position.players() > 1),
                RaceObjective::Points => None,
            }
            .or_else(|| looks.iter().find(|m| m.1 >= best).map(|m| m.0));
        }
        let odds = |looks: f64| match best - looks > self.cap {
            true => 0.0,
            false => draw::decay((best - looks) / self.temperature),
        };
        let weights: ArrayVec<f64, MAX_MOVES> = looks.iter().map(|m| odds(m.1)).collect();
        let drawn = draw::uniform(seed, race_moment(position, turns_ended));
        Some(looks[draw::select(&weights, drawn)].0)
    }

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
            let chosen = self.choose(&turn.end, turns_ended, seed)?;
            let mut dice = SeededDice::new(seed, race_moment(&turn.end, turns_ended));
            let thrown: ArrayVec<u8, 5> =
                (0..chosen.dice_to_throw()).map(|_| dice.die(6)).collect();
            let applied = turn.end.apply(chosen, &thrown).ok()?;
            let recorded = applied.recorded;
            turn.steps.push(RaceTurnStep { dice: turn.end.dice(), chosen, thrown, recorded });
            turn.end = applied.position;
            turn.outcome = applied.end;
            if applied.turn_ended {
                return Some(turn);
            }
        }
    }
}

/// The stream of a throw in a game, distinct for all throws.
#[must_use]
pub fn race_moment(position: &RacePosition, turns_ended: u32) -> u64 {
    u64::from(turns_ended) << 16
        | (position.to_move() as u64) << 8
        | u64::from(position.rolls_left())
}
