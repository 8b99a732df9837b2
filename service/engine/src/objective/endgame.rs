//! The end of a game, worked out to its last throw. With few categories open the chances of a
//! card depend only on the card and its points, so each is solved once and remembered.

use std::collections::HashMap;

use super::chances::{Chances, Outcome};
use super::final_score::{Expectation, Measure};
use super::forecast::Forecast;
use crate::sheet::CardState;
use crate::solved_sheet::{SolvedSheet, turn_of};
use crate::turn_solver::Value;

/// One card playing for a measure that the rest of the game does not change.
#[derive(Clone, Debug)]
pub(super) struct Solo {
    measure: Measure,
    /// Cards with at most so many open categories are worked out to the end.
    exact: usize,
    known: HashMap<(CardState, i32), Outcome>,
}

impl Solo {
    pub(super) fn new(measure: Measure, exact: usize) -> Self {
        Self { measure, exact, known: HashMap::new() }
    }

    /// The chances of a card in `state` with `points` on it, at the start of its turn.
    pub(super) fn card(
        &mut self,
        solved: &SolvedSheet<'_>,
        forecast: &Forecast,
        state: CardState,
        points: i32,
    ) -> Outcome {
        let open = solved.sheet().categories().without(state.filled).len();
        let mean = f64::from(points) + solved.values.value(state);
        let outcome = |chances| Outcome { chances, points: mean, theirs: 0.0 };
        if open == 0 {
            return outcome(self.measure.of_total(points));
        }
        if open > self.exact {
            if let (Measure::Target(target), Some(reach)) =
                (&self.measure, forecast.target_chances())
            {
                let needed = f64::from(*target) - f64::from(points);
                let win = reach.chance(solved, forecast, state, needed);
                return outcome(Chances { win, draw: 0.0 });
            }
            return outcome(
                self.measure.of(Expectation { mean, variance: forecast.variance(state) }),
            );
        }
        if let Measure::Target(target) = self.measure
            && points >= target
        {
            return outcome(Chances { win: 1.0, draw: 0.0 });
        }
        if let Some(&known) = self.known.get(&(state, points)) {
            return known;
        }
        let turn = turn_of(solved.sheet(), state, |category, gain| {
            let after = solved.sheet().after(state, category, gain.points);
            self.card(solved, forecast, after, points + gain.total())
        });
        let found = turn.start(solved.sheet().lattice());
        self.known.insert((state, points), found);
        found
    }

    /// Whether the chances of a card with so many open categories are exact.
    pub(super) fn is_exact(&self, open: usize) -> bool {
        open <= self.exact && self.measure.is_certain()
    }

    /// How many cards are remembered.
    pub(super) fn known(&self) -> usize {
        self.known.len()
    }
}

/// Two cards playing to win, in turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Duel {
    /// By both cards, the one to move first, and how far it is ahead. Points are those still to be
    /// gained.
    known: HashMap<(CardState, CardState, i64), Outcome>,
}

impl Duel {
    /// The chances of the player to move at the start of its turn, `ahead` points before the
    /// other one.
    pub(super) fn cards(
        &mut self,
        solved: &SolvedSheet<'_>,
        own: CardState,
        other: CardState,
        ahead: i64,
    ) -> Outcome {
        let all = solved.sheet().categories();
        if own.filled == all {
            // Whoever is complete passes; when both are, the game is over.
            if other.filled != all {
                return self.cards(solved, other, own, -ahead).of_the_other();
            }
            let chances = match ahead.cmp(&0) {
                std::cmp::Ordering::Greater => Chances { win: 1.0, draw: 0.0 },
                std::cmp::Ordering::Equal => Chances { win: 0.0, draw: 1.0 },
                std::cmp::Ordering::Less => Chances::ZERO,
            };
            return Outcome { chances, ..Outcome::ZERO };
        }
        if let Some(&known) = self.known.get(&(own, other, ahead)) {
            return known;
        }
        let turn = turn_of(solved.sheet(), own, |category, gain| {
            let after = solved.sheet().after(own, category, gain.points);
            let ahead = ahead + i64::from(gain.total());
            let found = self.cards(solved, other, after, -ahead).of_the_other();
            Outcome { points: found.points + f64::from(gain.total()), ..found }
        });
        let found = turn.start(solved.sheet().lattice());
        self.known.insert((own, other, ahead), found);
        found
    }
}
