//! The plain solver: double precision, one state after the other, nothing clever. It is what the
//! fast solver is proved against, so it stays as close to the definition of a value as it can.

use super::{Leaf, TurnTables, Values};
use crate::category::CategorySet;
use crate::sheet::{CardState, Sheet};

/// The value of every reachable scorecard in double precision.
#[derive(Clone, Debug)]
pub struct Reference {
    /// `[filled][alike scored][upper]`, `NaN` where no game leads.
    values: Vec<f64>,
    uppers: usize,
    flags: usize,
}

impl Reference {
    /// Solves `sheet`. Takes seconds for 15 categories; memory is
    /// `2^categories × (upper cap + 1) × 16` bytes at most.
    #[must_use]
    pub fn solve(sheet: &Sheet) -> Self {
        let uppers = usize::from(sheet.upper_cap()) + 1;
        let flags = if sheet.tracks_alike() { 2 } else { 1 };
        let sets = sheet.categories().bits() as usize + 1;
        let mut solution = Self { values: vec![f64::NAN; sets * flags * uppers], uppers, flags };
        let reachable = reachable_uppers(sheet);
        for bits in (0..sets).rev() {
            let filled = CategorySet::from_bits(bits as u32);
            for alike_scored in [false, true] {
                let row_filled = sheet.alike_row().is_some_and(|row| filled.contains(row));
                if alike_scored && !(row_filled && sheet.tracks_alike()) {
                    continue;
                }
                let uppers = &reachable[filled.and(sheet.upper()).bits() as usize];
                for upper in (0..uppers.len()).filter(|&upper| uppers[upper]) {
                    let state = CardState { filled, upper: upper as u16, alike_scored };
                    let value = solution.turn(sheet, state).map_or(0.0, |turn| turn.start());
                    let index = solution.index(state);
                    solution.values[index] = value;
                }
            }
        }
        solution
    }

    /// The turn of a card in `state`; `None` if the card is complete.
    #[must_use]
    pub fn turn(&self, sheet: &Sheet, state: CardState) -> Option<TurnTables> {
        if state.filled == sheet.categories() {
            return None;
        }
        let served = sheet.has_served().then(|| leaf(sheet, self, state, true));
        let leaf = leaf(sheet, self, state, false);
        Some(TurnTables::solve(sheet.space(), sheet.rolls(), leaf, served.as_ref()))
    }

    fn index(&self, state: CardState) -> usize {
        (state.filled.bits() as usize * self.flags + usize::from(state.alike_scored)) * self.uppers
            + usize::from(state.upper)
    }
}

impl Values for Reference {
    fn value(&self, state: CardState) -> f64 {
        self.values[self.index(state)]
    }
}

/// What recording each roll in its best category is worth, on a card in `state`.
fn leaf(sheet: &Sheet, values: &Reference, state: CardState, served: bool) -> Leaf {
    sheet
        .space()
        .all_rolls()
        .map(|roll| {
            sheet
                .legal(state, roll)
                .iter()
                .map(|category| {
                    let gain = sheet.gain(state, roll, category, served);
                    f64::from(gain.total())
                        + values.value(sheet.after(state, category, gain.points))
                })
                .fold(f64::NEG_INFINITY, f64::max)
        })
        .collect()
}

/// For every subset of the upper section, which capped totals its filled rows can add up to.
fn reachable_uppers(sheet: &Sheet) -> Vec<Vec<bool>> {
    let cap = usize::from(sheet.upper_cap());
    let sets = sheet.categories().bits() as usize + 1;
    let mut reachable = vec![Vec::new(); sets];
    reachable[0] = vec![false; cap + 1];
    reachable[0][0] = true;
    for bits in 1..sets {
        let set = CategorySet::from_bits(bits as u32);
        if !set.without(sheet.upper()).is_empty() {
            continue;
        }
        let last = set.iter().last().expect("not empty");
        let before = &reachable[set.without(CategorySet::EMPTY.with(last)).bits() as usize];
        let mut totals = vec![false; cap + 1];
        for &points in sheet.possible_points(last) {
            for upper in (0..=cap).filter(|&upper| before[upper]) {
                totals[(upper + usize::from(points)).min(cap)] = true;
            }
        }
        reachable[bits] = totals;
    }
    reachable
}
