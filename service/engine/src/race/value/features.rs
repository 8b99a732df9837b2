//! The features of a [`Net`](super::Net), numbered; and those of a [`View`] computed from scratch,
//! for training. `model` computes the same incrementally.

use arrayvec::ArrayVec;

use super::view::{View, cells_to_end};
use crate::race::row::{CELLS, ROWS, Row};
use crate::race::rules::{DeMao, RaceRules};

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
const MARGINS: usize = 3;
const MARGIN: usize = AT_STAKE_OTHER + ROWS;
const SECOND: usize = MARGIN + MARGINS * STAGES;
const CLOSE_OWN: usize = SECOND + 2;
const CLOSE_OTHER: usize = CLOSE_OWN + Row::SEVEN.len() * CHANCES;
const BIAS: usize = CLOSE_OTHER + Row::SEVEN.len() * CHANCES;
const OPTION: usize = BIAS + 1;
const OPTIONS: usize = 6;

/// How many features there are.
pub const FEATURES: usize = OPTION + OPTIONS;

/// Stages of a game, by the cells left until it can end: each has its own weights of margins and of
/// the hidden units.
pub const STAGES: usize = 6;

/// The stage of a game in which so many cells are left.
fn stage(left: usize) -> usize {
    match left {
        0..=1 => 0,
        2 => 1,
        3..=4 => 2,
        5..=7 => 3,
        8..=13 => 4,
        _ => 5,
    }
}

/// Records that close a figure row, by what they need: 8, 9, five alike, five de mão or nines.
const CHANCES: usize = 5;

/// Points of records that close a row, from the least; as many as there are kinds.
fn closing_points(rules: &RaceRules, row: Row) -> ArrayVec<u16, CHANCES> {
    match row {
        Row::Sequences => [15, 30, 60].into_iter().collect(),
        Row::Fullens => [rules.fullen_points, 2 * rules.fullen_points].into_iter().collect(),
        _ => [8, 9, 20, 40].into_iter().collect(),
    }
}

/// A group of features, which the training program can remove for an ablation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// How many cells the others have in a row.
    Others,
    /// Cells left until the game can end.
    Lefts,
    /// Points that would double.
    Stakes,
    /// The stage of the game.
    Stages,
    /// Which records would end the game with a win.
    Closings,
    /// The variants and options of the house.
    Options,
}

impl Knowledge {
    /// Sets of features that must have the same weights when the group is removed.
    #[must_use]
    pub fn twins(self) -> Vec<Vec<usize>> {
        match self {
            Knowledge::Others => (0..ROWS * 6)
                .map(|own| (own * PAIRS / 6..(own + 1) * PAIRS / 6).collect())
                .collect(),
            Knowledge::Stages => (0..MARGINS)
                .map(|one| (0..STAGES).map(|stage| MARGIN + stage * MARGINS + one).collect())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Features whose weights must be 0 when the group is removed.
    #[must_use]
    pub fn features(self) -> Vec<usize> {
        let poker = Row::Poker.index();
        match self {
            Knowledge::Lefts => (LEFT..AT_STAKE_OWN).collect(),
            Knowledge::Stakes => (AT_STAKE_OWN..MARGIN).collect(),
            Knowledge::Closings => (CLOSE_OWN..BIAS).collect(),
            Knowledge::Options => (poker * PAIRS..ROWS * PAIRS)
                .chain([AT_STAKE_OWN + poker, AT_STAKE_OTHER + poker])
                .chain(OPTION..FEATURES)
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// The feature of the margin against the points still to come, in every stage, from which training
/// starts.
pub fn margin_features() -> impl Iterator<Item = usize> {
    (0..STAGES).map(|stage| MARGIN + stage * MARGINS + 1)
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

fn soft(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

/// The margin over the best of the others, by itself and against the points still to come.
#[inline]
pub(super) fn margins(margin: f32, spread: f32, stage: usize) -> [Feature; MARGINS] {
    let z = margin / spread;
    let first = MARGIN + stage * MARGINS;
    [(first, margin / 300.0), (first + 1, soft(z)), (first + 2, soft(4.0 * z))]
}

/// The same over the second of the others.
pub(super) fn second_margins(margin: f32, spread: f32) -> [Feature; 2] {
    [(SECOND, margin / 300.0), (SECOND + 1, soft(margin / spread))]
}

/// The stage that goes with the features of [`lefts`].
pub(super) fn stage_of(lefts: &[usize; 3]) -> usize {
    stage(lefts[0] - LEFT)
}

impl View {
    /// Calls `each` with every feature that does not depend on totals.
    pub(super) fn plain_features(&self, mut each: impl FnMut(Feature)) {
        each((BIAS, 1.0));
        for (option, value) in self.options().into_iter().enumerate() {
            if value != 0.0 {
                each((OPTION + option, value));
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

    /// The options of the house, zeros by default.
    fn options(&self) -> [f32; OPTIONS] {
        let rules = &self.rules;
        let on = |chosen: bool| f32::from(u8::from(chosen));
        [
            on(rules.poker_row),
            on(rules.sum_of_figures),
            on(rules.de_mao == DeMao::FirstThrow),
            on(!rules.double_unopened),
            on(!rules.unclosed_rows_count),
            soft((f32::from(rules.fullen_points) - 20.0) / 40.0),
        ]
    }

    /// Spread of the points still to come, if own cells were `own` and the rows `closed`: as if
    /// each cell to be filled in an open row got its usual points or none.
    pub(super) fn spread(&self, own: &[u8; ROWS], closed: &[bool; ROWS]) -> f32 {
        let mut sum = 0.0;
        for row in 0..ROWS {
            if !closed[row] {
                let needs = CELLS as f32 - f32::from(own[row].max(self.most[row]));
                sum += needs * SQUARES[row];
            }
        }
        1.3 * sum.sqrt() + 10.0
    }

    /// In the last stage, when closing a row ends the game: for each row that the player, or the
    /// others, could close with one record, how many kinds of record would not win. Own cells and
    /// points are `own`, the margin over the `leader` of the others is `margin`.
    pub(super) fn closings(
        &self,
        own: (&[u8; ROWS], &[f32; ROWS]),
        closed: &[bool; ROWS],
        leader: usize,
        margin: f32,
        mut each: impl FnMut(usize),
    ) {
        let Some(other) = self.others.get(leader) else { return };
        for row in Row::SEVEN {
            let i = row.index();
            let one_left = |count: u8| usize::from(count) + 1 == CELLS;
            if closed[i] || !one_left(own.0[i].max(self.most[i])) {
                continue;
            }
            let multiplier = row.multiplier() as f32;
            let doubles = self.rules.double_unopened && (own.0[i] == 0 || self.unopened[i]);
            let (more, unit) = match doubles {
                true => ((own.1[i] - other.sums[i]) * multiplier, 2.0 * multiplier),
                false => (0.0, multiplier),
            };
            let hopeless = |margin: f32| {
                let points = closing_points(&self.rules, row);
                points.iter().filter(|&&points| margin + f32::from(points) * unit <= 0.0).count()
            };
            if one_left(own.0[i]) {
                each(CLOSE_OWN + i * CHANCES + hopeless(margin + more));
            }
            if one_left(self.most[i]) {
                each(CLOSE_OTHER + i * CHANCES + hopeless(-margin - more));
            }
        }
    }

    /// The stage of the game.
    #[must_use]
    pub fn stage(&self) -> usize {
        stage_of(&lefts(&self.own.counts, &self.most, &self.closed))
    }

    /// Every feature that is not zero.
    #[must_use]
    pub fn features(&self) -> Vec<Feature> {
        let mut all = Vec::with_capacity(40);
        self.plain_features(|feature| all.push(feature));
        let (own, others) = self.totals(&self.own, &self.closed, false);
        let (leader, best, second) = Self::leaders(&others);
        let (spread, stage) = (self.spread(&self.own.counts, &self.closed), self.stage());
        all.extend(margins(own - best, spread, stage));
        if stage == 0 {
            let side = (&self.own.counts, &self.own.sums);
            self.closings(side, &self.closed, leader, own - best, |f| all.push((f, 1.0)));
        }
        if self.others.len() > 1 {
            all.extend(second_margins(own - second, spread));
        }
        all.retain(|feature| feature.1 != 0.0);
        all
    }
}

/// Squares of the usual points of a cell, multiplied; without the poker row.
const SQUARES: [f32; ROWS] = [2600.0, 1760.0, 1160.0, 620.0, 290.0, 780.0, 580.0, 0.0];
