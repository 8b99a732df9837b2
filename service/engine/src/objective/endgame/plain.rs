//! The same as plain recursions over cards and points, to compare with.

use std::collections::HashMap;

use crate::objective::chances::Chances;
use crate::objective::final_score::Measure;
use crate::sheet::CardState;
use crate::solved_sheet::{SolvedSheet, turn_of};

/// One card playing for a measure that the rest of the game does not change.
#[derive(Debug)]
pub(in crate::objective) struct Solo {
    measure: Measure,
    known: HashMap<(CardState, i32), Chances>,
}

impl Solo {
    pub(in crate::objective) fn new(measure: Measure) -> Self {
        Self { measure, known: HashMap::new() }
    }

    /// The chances of a card in `state` with `points` on it, at the start of its turn.
    pub(in crate::objective) fn card(
        &mut self,
        solved: &SolvedSheet<'_>,
        state: CardState,
        points: i32,
    ) -> Chances {
        if state.filled == solved.sheet().categories() {
            return self.measure.of_total(points);
        }
        if let Some(&known) = self.known.get(&(state, points)) {
            return known;
        }
        let turn = turn_of(solved.sheet(), state, |category, gain| {
            let after = solved.sheet().after(state, category, gain.points);
            self.card(solved, after, points + gain.total())
        });
        let found = turn.start(solved.sheet().lattice());
        self.known.insert((state, points), found);
        found
    }
}

/// Two cards playing to win, in turn.
#[derive(Debug, Default)]
pub(in crate::objective) struct Duel {
    /// By both cards, the one to move first, and how far it is ahead.
    known: HashMap<(CardState, CardState, i32), Chances>,
}

impl Duel {
    /// The chances of the player to move at the start of its turn, `ahead` points before the other one.
    pub(in crate::objective) fn cards(
        &mut self,
        solved: &SolvedSheet<'_>,
        own: CardState,
        other: CardState,
        ahead: i32,
    ) -> Chances {
        let all = solved.sheet().categories();
        if own.filled == all {
            // Who is complete passes; when both are, the game is over.
            return match ahead.cmp(&0) {
                _ if other.filled != all => of_the_other(self.cards(solved, other, own, -ahead)),
                std::cmp::Ordering::Greater => Chances { win: 1.0, draw: 0.0 },
                std::cmp::Ordering::Equal => Chances { win: 0.0, draw: 1.0 },
                std::cmp::Ordering::Less => Chances { win: 0.0, draw: 0.0 },
            };
        }
        if let Some(&known) = self.known.get(&(own, other, ahead)) {
            return known;
        }
        let turn = turn_of(solved.sheet(), own, |category, gain| {
            let after = solved.sheet().after(own, category, gain.points);
            of_the_other(self.cards(solved, other, after, -(ahead + gain.total())))
        });
        let found = turn.start(solved.sheet().lattice());
        self.known.insert((own, other, ahead), found);
        found
    }
}

/// The same game seen by the only opponent.
pub(in crate::objective) fn of_the_other(chances: Chances) -> Chances {
    Chances { win: chances.loss(), draw: chances.draw }
}
