//! The last round of several players, worked out for all of them: each has one row left, fills it
//! in turn, and plays to win; where two moves win alike, for points. Of those who are done only
//! the best count any more, so there are few cases to a round.

use std::collections::HashMap;

use super::game::{Game, turn_of};
use super::outcome::{Outlook, Prospect};
use super::turn::Worth;
use crate::category::Category;
use crate::sheet::{CardState, Gain};

/// The most players that may still be to move.
pub(super) const SEATS: usize = 4;

/// A card with the points on it.
pub(super) type Seat = (CardState, u32);

/// The players who are to move in the last round, in order.
#[derive(Clone, Debug)]
pub(super) struct LastRound {
    seats: [Seat; SEATS],
    /// How many there are.
    players: usize,
    /// The best of those who were done before.
    best_done: Option<u32>,
    /// By the seats, and who of them is to move.
    known: HashMap<([Seat; SEATS], usize), [Prospect; SEATS]>,
}

impl LastRound {
    /// Players with `seats`, one row open in each, the first one to move; others are done and have
    /// `best_done` points at best. `None` if there are too many.
    pub(super) fn new(seats: &[Seat], best_done: Option<u32>) -> Option<Self> {
        let mut all = [(CardState::EMPTY, 0); SEATS];
        all.get_mut(..seats.len())?.copy_from_slice(seats);
        Some(Self { seats: all, players: seats.len(), best_done, known: HashMap::new() })
    }

    /// The chances of the first player after a record.
    pub(super) fn after(&mut self, game: &Game<'_>, category: Category, gain: Gain) -> Outlook {
        let seats = recorded(game, self.seats, 0, category, gain);
        outlook(&seats, &self.play(game, seats, 1), 0)
    }

    /// The chances of all at the start of a turn.
    fn play(
        &mut self,
        game: &Game<'_>,
        mut seats: [Seat; SEATS],
        mover: usize,
    ) -> [Prospect; SEATS] {
        let done = &mut seats[..mover];
        let best = done.iter().map(|seat| seat.1).chain(self.best_done).max().unwrap_or(0);
        // Whoever is behind has lost, by how much does not matter.
        done.iter_mut().filter(|seat| seat.1 < best).for_each(|seat| seat.1 = 0);
        if mover == self.players {
            return self.settle(&seats, best);
        }
        if let Some(&known) = self.known.get(&(seats, mover)) {
            return known;
        }
        let turn = turn_of(game.sheet(), seats[mover].0, |category, gain| {
            let seats = recorded(game, seats, mover, category, gain);
            let chances = self.play(game, seats, mover + 1);
            Standing { outlook: outlook(&seats, &chances, mover), chances }
        });
        let found = turn.start(game.sheet().lattice()).chances;
        self.known.insert((seats, mover), found);
        found
    }

    /// Who has won, if the best have `best` points.
    fn settle(&self, seats: &[Seat; SEATS], best: u32) -> [Prospect; SEATS] {
        let seats = &seats[..self.players];
        let holders = seats.iter().map(|seat| seat.1).chain(self.best_done);
        let alone = holders.filter(|&points| points == best).count() == 1;
        let mut chances = [Prospect::ZERO; SEATS];
        for (chance, _) in chances.iter_mut().zip(seats).filter(|(_, seat)| seat.1 == best) {
            *chance = if alone {
                Prospect { win: 1.0, draw: 0.0 }
            } else {
                Prospect { win: 0.0, draw: 1.0 }
            };
        }
        chances
    }
}

/// What the player at `mover`, who is done, has to expect.
fn outlook(seats: &[Seat; SEATS], chances: &[Prospect; SEATS], mover: usize) -> Outlook {
    Outlook { prospect: chances[mover], points: seats[mover].1.into(), theirs: 0.0 }
}

/// The seats after the player at `mover` recorded something.
fn recorded(
    game: &Game<'_>,
    mut seats: [Seat; SEATS],
    mover: usize,
    category: Category,
    gain: Gain,
) -> [Seat; SEATS] {
    let (state, points) = seats[mover];
    let after = game.sheet().after(state, category, gain.points);
    seats[mover] = (after, points + gain.total());
    seats
}

/// The chances of all players, and the outlook of the one who is to move.
#[derive(Clone, Copy, Debug)]
struct Standing {
    outlook: Outlook,
    chances: [Prospect; SEATS],
}

impl Worth for Standing {
    const WORST: Self = Self { outlook: Outlook::WORST, chances: [Prospect::ZERO; SEATS] };
    const ZERO: Self = Self { outlook: Outlook::ZERO, chances: [Prospect::ZERO; SEATS] };

    fn key(self) -> f64 {
        self.outlook.key()
    }

    fn plus(self, weight: f64, other: Self) -> Self {
        let mut chances = self.chances;
        for (sum, other) in chances.iter_mut().zip(other.chances) {
            *sum = sum.plus(weight, other);
        }
        Self { outlook: self.outlook.plus(weight, other.outlook), chances }
    }

    fn best(self, other: Self) -> Self {
        if self.outlook.is_beaten_by(&other.outlook) { other } else { self }
    }
}
