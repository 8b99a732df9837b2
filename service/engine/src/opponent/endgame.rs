//! The end of a game, worked out to its last throw. With few categories open the chances of a
//! card depend only on the card and its points, so each is solved once and remembered.

use std::collections::HashMap;

use super::game::{Game, turn_of};
use super::outcome::{Expectation, Measure, Outlook, Prospect};
use super::spread::Spread;
use super::turn::Worth;
use crate::sheet::CardState;

/// One card playing for a measure that the rest of the game does not change.
#[derive(Clone, Debug)]
pub(super) struct Solo {
    measure: Measure,
    /// Cards with at most so many open categories are worked out to the end.
    exact: usize,
    known: HashMap<(CardState, u32), Outlook>,
}

impl Solo {
    pub(super) fn new(measure: Measure, exact: usize) -> Self {
        Self { measure, exact, known: HashMap::new() }
    }

    /// The chances of a card in `state` with `points` on it, at the start of its turn.
    pub(super) fn card(
        &mut self,
        game: &Game<'_>,
        spread: &Spread,
        state: CardState,
        points: u32,
    ) -> Outlook {
        let open = game.sheet().categories().without(state.filled).len();
        let mean = f64::from(points) + game.values.value(state);
        let told = |prospect| Outlook { prospect, points: mean, theirs: 0.0 };
        if open == 0 {
            return told(self.measure.of_total(points));
        }
        if open > self.exact {
            if let (Measure::Target(target), Some(reach)) = (&self.measure, spread.reach()) {
                let needed = f64::from(*target) - f64::from(points);
                let win = reach.chance(game, spread, state, needed);
                return told(Prospect { win, draw: 0.0 });
            }
            return told(self.measure.of(Expectation { mean, variance: spread.variance(state) }));
        }
        if let Measure::Target(target) = self.measure
            && points >= target
        {
            return told(Prospect { win: 1.0, draw: 0.0 });
        }
        if let Some(&known) = self.known.get(&(state, points)) {
            return known;
        }
        let turn = turn_of(game.sheet(), state, |category, gain| {
            let after = game.sheet().after(state, category, gain.points);
            self.card(game, spread, after, points + gain.total())
        });
        let found = turn.start(game.sheet().lattice());
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

/// Two cards playing to win, each turn by whoever's it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Duel {
    /// By both cards, the one to move first, and how far it is ahead. Points are those still to be
    /// gained.
    known: HashMap<(CardState, CardState, i64), Outlook>,
}

impl Duel {
    /// The chances of the player to move at the start of its turn, `ahead` points before the
    /// other one.
    pub(super) fn cards(
        &mut self,
        game: &Game<'_>,
        own: CardState,
        other: CardState,
        ahead: i64,
    ) -> Outlook {
        let all = game.sheet().categories();
        if own.filled == all {
            // Whoever is complete passes; when both are, the game is over.
            if other.filled != all {
                return self.cards(game, other, own, -ahead).of_the_other();
            }
            let prospect = match ahead.cmp(&0) {
                std::cmp::Ordering::Greater => Prospect { win: 1.0, draw: 0.0 },
                std::cmp::Ordering::Equal => Prospect { win: 0.0, draw: 1.0 },
                std::cmp::Ordering::Less => Prospect::ZERO,
            };
            return Outlook { prospect, ..Outlook::ZERO };
        }
        if let Some(&known) = self.known.get(&(own, other, ahead)) {
            return known;
        }
        let turn = turn_of(game.sheet(), own, |category, gain| {
            let after = game.sheet().after(own, category, gain.points);
            let ahead = ahead + i64::from(gain.total());
            let found = self.cards(game, other, after, -ahead).of_the_other();
            Outlook { points: found.points + f64::from(gain.total()), ..found }
        });
        let found = turn.start(game.sheet().lattice());
        self.known.insert((own, other, ahead), found);
        found
    }
}
