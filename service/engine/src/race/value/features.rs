//! The features a [`Net`](super::Net) reads, numbered; and those of a [`View`] worked out from
//! nothing, as training needs them. The incremental version of the same is in `model`.

use super::view::{View, cells_to_end};
use crate::race::row::{ROWS, Row};

/// One feature: its number and its value.
pub type Feature = (usize, f32);

/// Own and most other cells of a row, and whether some other player has none: 6 × 6 × 2.
const PAIRS: usize = 72;
const LEFTS: usize = 31;
const LEFT: usize = ROWS * PAIRS;
const LEFT_OWN: usize = LEFT + LEFTS;
const LEFT_OTHER: usize = LEFT_OWN + LEFTS;
const AT_STAKE_OWN: usize = LEFT_OTHER + LEFTS;
const AT_STAKE_OTHER: usize = AT_STAKE_OWN + ROWS;
const MARGIN: usize = AT_STAKE_OTHER + ROWS;
const SECOND: usize = MARGIN + 3;
const BIAS: usize = SECOND + 2;
const VARIANT: usize = BIAS + 1;

/// How many features there are.
pub const FEATURES: usize = VARIANT + 2;

/// Whether only games with a variant show this feature.
#[must_use]
pub fn is_of_variants(feature: usize) -> bool {
    let poker = Row::Poker.index();
    (poker * PAIRS..ROWS * PAIRS).contains(&feature)
        || feature == AT_STAKE_OWN + poker
        || feature == AT_STAKE_OTHER + poker
        || feature >= VARIANT
}

/// Cells of a row: own, the most of any other player, and whether some other player has none.
pub(super) fn pair(row: usize, own: u8, most: u8, unopened: bool) -> usize {
    row * PAIRS + (usize::from(own) * 6 + usize::from(most)) * 2 + usize::from(unopened)
}

/// Cells until the game can end: if all fill, if only the player does, if only others do.
pub(super) fn lefts(own: &[u8; ROWS], most: &[u8; ROWS], closed: &[bool; ROWS]) -> [usize; 3] {
    let left = cells_to_end(|row| own[row].max(most[row]), closed);
    let left_own = cells_to_end(|row| own[row], closed);
    let left_other = cells_to_end(|row| most[row], closed);
    [LEFT + left, LEFT_OWN + left_own, LEFT_OTHER + left_other]
}

/// Points of an open row that would count double if it closed now.
pub(super) fn at_stake_own(row: usize) -> usize {
    AT_STAKE_OWN + row
}

/// The same for the leader of the others.
pub(super) fn at_stake_other(row: usize) -> usize {
    AT_STAKE_OTHER + row
}

/// Scale of the points at stake.
pub(super) const STAKE: f32 = 1.0 / 200.0;

/// Spread of what is still to come, in points, when `left` cells are to be filled.
pub(super) fn spread(left: usize) -> f32 {
    47.0 * ((left - LEFT) as f32).sqrt() + 10.0
}

fn soft(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

/// The margin over the best of the others, by itself and against what is still to come.
pub(super) fn margins(margin: f32, spread: f32) -> [Feature; 3] {
    let z = margin / spread;
    [(MARGIN, margin / 300.0), (MARGIN + 1, soft(z)), (MARGIN + 2, soft(4.0 * z))]
}

/// The same over the second of the others.
pub(super) fn second_margins(margin: f32, spread: f32) -> [Feature; 2] {
    [(SECOND, margin / 300.0), (SECOND + 1, soft(margin / spread))]
}

impl View {
    /// Calls `each` with every feature that does not depend on totals.
    pub(super) fn plain_features(&self, mut each: impl FnMut(Feature)) {
        each((BIAS, 1.0));
        for (variant, on) in
            [self.rules.poker_row, self.rules.sum_of_figures].into_iter().enumerate()
        {
            if on {
                each((VARIANT + variant, 1.0));
            }
        }
        for row in Row::ALL {
            if row.exists(&self.rules) {
                let i = row.index();
                each((pair(i, self.own.counts[i], self.most[i], self.unopened[i]), 1.0));
            }
        }
        for left in lefts(&self.own.counts, &self.most, &self.closed) {
            each((left, 1.0));
        }
        let (_, others) = self.totals(&self.own, &self.closed, false);
        let (leader, _, _) = Self::leaders(&others);
        for row in Row::ALL {
            for (feature, points) in self.at_stake(row, leader) {
                each((feature, points));
            }
        }
    }

    /// Points of `row` that would count double if it closed: own and of the leading other.
    pub(super) fn at_stake(&self, row: Row, leader: usize) -> [Feature; 2] {
        let i = row.index();
        let scale = row.multiplier() as f32 * STAKE;
        let open = !self.closed[i] && self.rules.double_unopened;
        let own = if open && self.unopened[i] { self.own.sums[i] * scale } else { 0.0 };
        let stakes = open && self.other_at_stake(row, leader, self.own.counts[i]);
        let other = if stakes { self.others[leader].sums[i] * scale } else { 0.0 };
        [(at_stake_own(i), own), (at_stake_other(i), other)]
    }

    /// Whether the leader's points in an open row would double if it closed.
    pub(super) fn other_at_stake(&self, row: Row, leader: usize, own_count: u8) -> bool {
        let i = row.index();
        leader < self.others.len() && (own_count == 0 || self.unopened[i])
    }

    /// Every feature that is not zero.
    #[must_use]
    pub fn features(&self) -> Vec<Feature> {
        let mut all = Vec::with_capacity(40);
        self.plain_features(|feature| all.push(feature));
        let (own, others) = self.totals(&self.own, &self.closed, false);
        let (_, best, second) = Self::leaders(&others);
        let [left, ..] = lefts(&self.own.counts, &self.most, &self.closed);
        let spread = spread(left);
        all.extend(margins(own - best, spread));
        if self.others.len() > 1 {
            all.extend(second_margins(own - second, spread));
        }
        all.retain(|feature| feature.1 != 0.0);
        all
    }
}
