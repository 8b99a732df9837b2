//! The same as plain recursions over cards and points, to compare with.

use std::collections::HashMap;

use crate::objective::chances::{Chances, Outcome};
use crate::objective::final_score::Measure;
use crate::sheet::{CardState, Gain};
use crate::solved_sheet::{SolvedSheet, turn_of};
use crate::turn_solver::Value;

/// One card playing for a measure that the rest of the game does not change.
#[derive(Debug)]
pub(in crate::objective) struct Solo {
    measure: Measure,
    known: HashMap<(CardState, i32), Outcome>,
}

impl Solo {
    pub(in crate::objective) fn new(measure: Measure) -> Self {
        Self { measure, known: HashMap::new() }
    }

    /// The outcome of a card in `state` with `points` on it, at the start of its turn.
    pub(in crate::objective) fn card(
        &mut self,
        solved: &SolvedSheet<'_>,
        state: CardState,
        points: i32,
    ) -> Outcome {
        if state.filled == solved.sheet().categories() {
            return Outcome { chances: self.measure.of_total(points), points: points.into() };
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

/// The outcomes of two players, the one to move first, with the points that each still gains.
#[derive(Clone, Copy, Debug)]
pub(in crate::objective) struct Both(pub(in crate::objective) [Outcome; 2]);

impl Both {
    /// The same seen by the other player, who has just gained so much.
    pub(in crate::objective) fn of_the_other(self, gain: Gain) -> Self {
        let [mut own, other] = [self.0[1], self.0[0]];
        own.points += f64::from(gain.total());
        Self([own, other])
    }
}

impl Value for Both {
    const WORST: Self = Self([Outcome::WORST; 2]);
    const ZERO: Self = Self([Outcome::ZERO; 2]);

    fn plus(self, weight: f64, other: Self) -> Self {
        Self([0, 1].map(|player| self.0[player].plus(weight, other.0[player])))
    }

    fn best(self, other: Self) -> Self {
        if self.0[0].is_beaten_by(&other.0[0]) { other } else { self }
    }
}

/// Two cards playing to win, in turn.
#[derive(Debug, Default)]
pub(in crate::objective) struct Duel {
    /// By both cards, the one to move first, and how far it is ahead.
    known: HashMap<(CardState, CardState, i32), Both>,
}

impl Duel {
    /// The outcomes at the start of a turn of the player to move, `ahead` points before the other one.
    pub(in crate::objective) fn cards(
        &mut self,
        solved: &SolvedSheet<'_>,
        own: CardState,
        other: CardState,
        ahead: i32,
    ) -> Both {
        let all = solved.sheet().categories();
        if own.filled == all {
            // Who is complete passes; when both are, the game is over.
            if other.filled != all {
                return self.cards(solved, other, own, -ahead).of_the_other(Gain::default());
            }
            return Both([ahead, -ahead].map(|ahead| {
                let (win, draw) = (f64::from(u8::from(ahead > 0)), f64::from(u8::from(ahead == 0)));
                Outcome { chances: Chances { win, draw }, points: 0.0 }
            }));
        }
        if let Some(&known) = self.known.get(&(own, other, ahead)) {
            return known;
        }
        let turn = turn_of(solved.sheet(), own, |category, gain| {
            let after = solved.sheet().after(own, category, gain.points);
            self.cards(solved, other, after, -(ahead + gain.total())).of_the_other(gain)
        });
        let found = turn.start(solved.sheet().lattice());
        self.known.insert((own, other, ahead), found);
        found
    }
}
