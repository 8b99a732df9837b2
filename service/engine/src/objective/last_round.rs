//! The last round of several players, solved for all of them: each has one row left, fills it in
//! turn, and plays to win; among moves with equal chances, for points. Of the players who have
//! finished only the best one matters, so a round has few cases.

use std::collections::HashMap;

use super::chances::{Chances, Outcome};
use crate::category::Category;
use crate::sheet::{CardState, Gain};
use crate::solved_sheet::{SolvedSheet, turn_of};
use crate::turn_solver::Value;

/// The most players that may still be to move.
pub(super) const SEATS: usize = 4;

/// A card with the points on it.
pub(super) type Seat = (CardState, i32);

/// The players who are to move in the last round, in order.
#[derive(Clone, Debug)]
pub(super) struct LastRound {
    seats: [Seat; SEATS],
    /// How many there are.
    players: usize,
    /// The best score of the players who have finished.
    best_done: Option<i32>,
    /// By the seats, and whose turn it is.
    known: HashMap<([Seat; SEATS], usize), [Chances; SEATS]>,
}

impl LastRound {
    /// Players with `seats`, one row open in each, the first one to move; the best of the others,
    /// who have finished, has `best_done` points. `None` if there are too many.
    pub(super) fn new(seats: &[Seat], best_done: Option<i32>) -> Option<Self> {
        let mut all = [(CardState::EMPTY, 0); SEATS];
        all.get_mut(..seats.len())?.copy_from_slice(seats);
        Some(Self { seats: all, players: seats.len(), best_done, known: HashMap::new() })
    }

    /// The chances of the first player after a record.
    pub(super) fn after(
        &mut self,
        solved: &SolvedSheet<'_>,
        category: Category,
        gain: Gain,
    ) -> Outcome {
        let seats = recorded(solved, self.seats, 0, category, gain);
        outcome(&seats, &self.play(solved, seats, 1), 0)
    }

    /// The chances of all at the start of a turn.
    fn play(
        &mut self,
        solved: &SolvedSheet<'_>,
        mut seats: [Seat; SEATS],
        mover: usize,
    ) -> [Chances; SEATS] {
        let done = &mut seats[..mover];
        let best = done.iter().map(|seat| seat.1).chain(self.best_done).max().unwrap_or(0);
        // The margin of a player behind does not matter.
        done.iter_mut().filter(|seat| seat.1 < best).for_each(|seat| seat.1 = 0);
        if mover == self.players {
            return self.settle(&seats, best);
        }
        if let Some(&known) = self.known.get(&(seats, mover)) {
            return known;
        }
        let turn = turn_of(solved.sheet(), seats[mover].0, |category, gain| {
            let seats = recorded(solved, seats, mover, category, gain);
            let chances = self.play(solved, seats, mover + 1);
            Standing { outcome: outcome(&seats, &chances, mover), chances }
        });
        let found = turn.start(solved.sheet().lattice()).chances;
        self.known.insert((seats, mover), found);
        found
    }

    /// The winners, if the best have `best` points.
    fn settle(&self, seats: &[Seat; SEATS], best: i32) -> [Chances; SEATS] {
        let seats = &seats[..self.players];
        let holders = seats.iter().map(|seat| seat.1).chain(self.best_done);
        let alone = holders.filter(|&points| points == best).count() == 1;
        let mut chances = [Chances::ZERO; SEATS];
        for (chance, _) in chances.iter_mut().zip(seats).filter(|(_, seat)| seat.1 == best) {
            *chance = if alone {
                Chances { win: 1.0, draw: 0.0 }
            } else {
                Chances { win: 0.0, draw: 1.0 }
            };
        }
        chances
    }
}

/// The expectation of the player at `mover`, who has finished.
fn outcome(seats: &[Seat; SEATS], chances: &[Chances; SEATS], mover: usize) -> Outcome {
    Outcome { chances: chances[mover], points: seats[mover].1.into() }
}

/// The seats after the player at `mover` recorded something.
fn recorded(
    solved: &SolvedSheet<'_>,
    mut seats: [Seat; SEATS],
    mover: usize,
    category: Category,
    gain: Gain,
) -> [Seat; SEATS] {
    let (state, points) = seats[mover];
    let after = solved.sheet().after(state, category, gain.points);
    seats[mover] = (after, points + gain.total());
    seats
}

/// The chances of all players, and the outlook of the one who is to move.
#[derive(Clone, Copy, Debug)]
struct Standing {
    outcome: Outcome,
    chances: [Chances; SEATS],
}

impl Value for Standing {
    const WORST: Self = Self { outcome: Outcome::WORST, chances: [Chances::ZERO; SEATS] };
    const ZERO: Self = Self { outcome: Outcome::ZERO, chances: [Chances::ZERO; SEATS] };

    fn plus(self, weight: f64, other: Self) -> Self {
        let mut chances = self.chances;
        for (sum, other) in chances.iter_mut().zip(other.chances) {
            *sum = sum.plus(weight, other);
        }
        Self { outcome: self.outcome.plus(weight, other.outcome), chances }
    }

    fn best(self, other: Self) -> Self {
        if self.outcome.is_beaten_by(&other.outcome) { other } else { self }
    }
}
