//! The features of a card: each box filled or not, each sum that a bonus or product depends on and
//! how much of the rest it still needs, and the turns left.

use super::super::kernel::One;
use super::super::stages::{Stage, TurnRows};
use crate::category::{Category, CategorySet};
use crate::dice::Keep;
use crate::sheet::{CardState, Sheet};

/// The features of a sheet's cards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Encoder {
    boxes: usize,
    sums: Vec<Sum>,
    /// The places of the factors of products among the tallies.
    factors: std::ops::Range<usize>,
    /// `[category]`: the average points of a box by itself.
    par: Vec<f32>,
    /// Points of one turn.
    scale: f32,
    all: CategorySet,
}

/// A sum with a goal.
#[derive(Clone, Debug, PartialEq)]
struct Sum {
    /// Its place among the tallies; `None` for the upper total.
    tally: Option<usize>,
    members: CategorySet,
    goal: f32,
    /// `[category]`: the usual best contribution of a member.
    most: Vec<f32>,
}

impl Encoder {
    pub(super) fn new(sheet: &Sheet) -> Self {
        let all = sheet.categories();
        let mut sums = Vec::new();
        let best = |category: Category| {
            let points = sheet.possible_points(category).last().copied().unwrap_or(0);
            f32::from(points)
        };
        if sheet.upper_cap() > 0 {
            let most = all.iter().map(best).collect();
            let (members, goal) = (sheet.upper(), f32::from(sheet.upper_cap()));
            sums.push(Sum { tally: None, members, goal, most });
        }
        for (tally, (members, steps, made)) in sheet.tallies().sums().enumerate() {
            let goal = steps.iter().map(|&(at, _)| at).max().unwrap_or(0).max(1) as f32;
            let most = all.iter().map(|c| if made { 1.0 } else { best(c) }).collect();
            sums.push(Sum { tally: Some(tally), members, goal, most });
        }
        let par: Vec<f32> = all.iter().map(|category| alone(sheet, category)).collect();
        let scale = (par.iter().sum::<f32>() / par.len() as f32).max(1.0);
        let factors = sheet.tallies().factor_slots();
        Self { boxes: all.len(), sums, factors, par, scale, all }
    }

    /// Number of features.
    pub(super) fn width(&self) -> usize {
        self.boxes + 2 * self.sums.len() + self.factors.len() + 3
    }

    /// Passes every feature that is not 0 to `each`.
    #[inline(always)]
    pub(super) fn each(&self, state: CardState, mut pass: impl FnMut(usize, f32)) {
        state.filled.iter().for_each(|category| pass(category.index(), 1.0));
        let mut at = self.boxes;
        for sum in &self.sums {
            let open = sum.members.without(state.filled);
            if !open.is_empty() {
                let count = match sum.tally {
                    Some(tally) => f32::from(state.tallies[tally]),
                    None => f32::from(state.upper),
                };
                let left: f32 = open.iter().map(|category| sum.most[category.index()]).sum();
                let missing = (sum.goal - count).max(0.0);
                pass(at, count / sum.goal);
                pass(at + 1, (missing / left.max(0.1)).min(1.5));
            }
            at += 2;
        }
        for slot in self.factors.clone() {
            pass(at, f32::from(state.tallies[slot]) / 20.0);
            at += 1;
        }
        let open = self.boxes - state.filled.len();
        pass(at, open as f32 / self.boxes as f32);
        pass(at + 1, f32::from(state.extra_throws) / 8.0);
        pass(at + 2, f32::from(u8::from(state.alike_scored)));
    }

    /// The value of a card with this output.
    pub(super) fn value(&self, state: CardState, output: f32) -> f64 {
        f64::from(self.par(state)) + f64::from(output * self.scale)
    }

    /// The output for a card of this value.
    pub(super) fn output(&self, state: CardState, value: f64) -> f32 {
        (value - f64::from(self.par(state))) as f32 / self.scale
    }

    fn par(&self, state: CardState) -> f32 {
        self.all.without(state.filled).iter().map(|category| self.par[category.index()]).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.par[..]) + self.sums.len() * (size_of::<Sum>() + 4 * self.boxes)
    }
}

/// The average points of a box if a turn is played for it alone.
fn alone(sheet: &Sheet, category: Category) -> f32 {
    let stages = Stage::at(sheet, sheet.rolls() - 1, 0).onwards(sheet);
    let stages = &stages[..usize::from(sheet.rolls())];
    let mut rows = TurnRows::default();
    let weight = f64::from(sheet.weight(category));
    rows.solve(One, sheet, stages, |stage, whole, leaf: &mut [f64]| {
        let points = sheet.points_by_roll(category, stage.throw(sheet, whole));
        leaf.iter_mut().zip(points).for_each(|(leaf, &p)| *leaf = weight * f64::from(p));
    });
    rows.rows[Keep::EMPTY.index()] as f32
}
