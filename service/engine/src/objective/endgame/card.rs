//! A card near the end of a game, and the numbers of points with which its game is decided.

use super::End;
use crate::category::CategorySet;
use crate::objective::chances::Chances;
use crate::objective::rated::Rated;
use crate::sheet::{CardState, Sheet};
use crate::solved_sheet::SolvedSheet;

/// Chances closer to 0 or 1 than this are held sure, and nothing is worked out for them.
const SURE: f64 = 1e-12;

/// A card and the points that it may still gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Card {
    pub(super) state: CardState,
    /// At most.
    pub(super) most: i32,
    /// On average, if it is played for points.
    further: f64,
}

/// The most points that `rows` pay.
fn most_points(sheet: &Sheet, rows: CategorySet) -> i32 {
    let highest = |category| sheet.possible_points(category).last().copied().unwrap_or(0);
    rows.iter().map(|category| i32::from(highest(category))).sum()
}

/// A state that is worth the same as `state`, one for all such: what is in the upper section counts only
/// while a bonus may still come of it.
pub(in crate::objective) fn canonical(sheet: &Sheet, mut state: CardState) -> CardState {
    let open = sheet.categories().without(state.filled);
    let most = most_points(sheet, open.and(sheet.upper()));
    let bonus = |upper: i32| sheet.upper_bonus(upper);
    let upper = i32::from(state.upper);
    if bonus(upper) == bonus(sheet.upper_cap().into()) {
        state.upper = sheet.upper_cap();
    } else if bonus(upper + most) == bonus(upper) && bonus(most) == bonus(0) {
        state.upper = 0;
    }
    state
}

impl Card {
    /// A card in `state` or in one that is worth the same.
    pub(super) fn new(solved: &SolvedSheet<'_>, state: CardState) -> Self {
        let sheet = solved.sheet();
        let open = sheet.categories().without(state.filled);
        let bonus = i32::from(sheet.upper_bonus(sheet.upper_cap().into()));
        let upper = if open.and(sheet.upper()).is_empty() { 0 } else { bonus };
        let alike = open.len() as i32 * i32::from(sheet.definition().five_alike_bonus);
        Self {
            state: canonical(sheet, state),
            most: most_points(sheet, open) + upper + alike,
            further: solved.value(state),
        }
    }

    pub(super) fn is_complete(&self, sheet: &Sheet) -> bool {
        self.state.filled == sheet.categories()
    }
}

/// Between which numbers of points the end of a game is in doubt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sure {
    /// The least that win for certain.
    won_from: i32,
    /// The most that lose for certain.
    lost_to: i32,
}

impl Sure {
    /// For a card that has so many `points` and may gain so many more.
    pub(super) fn of(end: &End, points: i32, most: i32) -> Self {
        if let End::Ahead = end {
            return Self { won_from: 1, lost_to: -1 };
        }
        // Chances never fall as points rise.
        let first = |holds: &dyn Fn(f64) -> bool| {
            let (mut low, mut high) = (points, points + most + 1);
            while low < high {
                let middle = low + (high - low) / 2;
                if holds(end.chances(middle).value()) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            low
        };
        Self {
            won_from: first(&|value| value >= 1.0 - SURE),
            lost_to: first(&|value| value > SURE) - 1,
        }
    }

    /// The chances with so many points at a node, if they are sure: both cards are played for points.
    pub(super) fn chances(self, mover: &Card, other: &Card, points: i32) -> Option<Rated> {
        let win = if points - other.most >= self.won_from {
            1.0
        } else if points + mover.most <= self.lost_to {
            0.0
        } else {
            return None;
        };
        let chances = Chances { win, draw: 0.0 };
        Some(Rated::new(chances, mover.further).against(other.further, chances))
    }
}
