//! The plain solver: double precision, one state after the other, as close to the definition of a
//! value as possible. The fast solver is proved against it.

use std::collections::HashMap;

use super::stages::{PlainTurn, Stage, throws};
use super::states::value;
use super::{Leaf, TurnTables, Values};
use crate::category::{Category, CategorySet};
use crate::dice::{Keep, Roll};
use crate::sheet::{CardState, Sheet};

/// The value of every reachable scorecard in double precision.
#[derive(Clone, Debug)]
pub struct Reference {
    /// `[filled][alike scored][upper]`, `NaN` for unreachable states; of a plain sheet.
    values: Vec<f64>,
    /// The value of every state of any other sheet.
    others: HashMap<CardState, f64>,
    all: CategorySet,
    uppers: usize,
    flags: usize,
    /// `[keep]`: the rolls that may follow, for turns that are not plain.
    throws: Vec<Vec<(Roll, f64)>>,
}

impl Reference {
    /// Solves `sheet`. Takes seconds for 15 categories; memory is
    /// `2^categories × (upper cap + 1) × 16` bytes at most for a plain sheet, and some 100 bytes a
    /// state for any other.
    #[must_use]
    pub fn solve(sheet: &Sheet) -> Self {
        let uppers = usize::from(sheet.upper_cap()) + 1;
        let flags = if sheet.tracks_alike() { 2 } else { 1 };
        let sets = if sheet.is_plain() { sheet.categories().bits() as usize + 1 } else { 0 };
        let mut solution = Self {
            values: vec![f64::NAN; sets * flags * uppers],
            others: HashMap::new(),
            all: sheet.categories(),
            uppers,
            flags,
            throws: if sheet.has_lattice_turns() { Vec::new() } else { throws(sheet.space()) },
        };
        if sets == 0 {
            solution.solve_state(sheet, CardState::EMPTY);
            return solution;
        }
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
                    let upper = upper as u16;
                    let state = CardState { filled, upper, alike_scored, ..CardState::EMPTY };
                    let value = solution.turn(sheet, state).map_or(0.0, |turn| turn.start());
                    let index = solution.index(state);
                    solution.values[index] = value;
                }
            }
        }
        solution
    }

    /// Solves a card of a sheet that is not plain, after all cards that it can lead to.
    fn solve_state(&mut self, sheet: &Sheet, state: CardState) {
        let state = sheet.canonical(state);
        if state.filled == self.all || self.others.contains_key(&state) {
            return;
        }
        for stage in Stage::of_turn(sheet, state) {
            let before = stage.state(state);
            for category in sheet.open(state).iter() {
                for &points in sheet.possible_points(category) {
                    self.solve_state(sheet, sheet.after(before, category, points));
                }
            }
        }
        let value = match self.turn(sheet, state) {
            Some(turn) => turn.start(),
            None => self.turn_of_stages(sheet, state),
        };
        self.others.insert(state, value);
    }

    /// The value of a turn of any kind.
    fn turn_of_stages(&self, sheet: &Sheet, state: CardState) -> f64 {
        let first = Stage::of_turn(sheet, state)[0];
        let announced = sheet.open(state).and(sheet.cells().announced());
        let mut turns: Vec<_> = std::iter::once(None)
            .chain(announced.iter().map(Some))
            .map(|announced| {
                PlainTurn::new(sheet, &self.throws, move |stage: Stage, whole: bool, roll: Roll| {
                    self.record(sheet, stage, whole, state, roll, announced)
                })
            })
            .collect();
        let rolls = sheet.space().all_rolls();
        let worth = rolls.map(|roll| {
            let values = turns.iter_mut().map(|turn| turn.roll(first, Keep::EMPTY, roll, true));
            sheet.space().probability(roll) * values.fold(f64::NEG_INFINITY, f64::max)
        });
        worth.sum()
    }

    fn record(
        &self,
        sheet: &Sheet,
        stage: Stage,
        whole: bool,
        state: CardState,
        roll: Roll,
        announced: Option<Category>,
    ) -> f64 {
        let state = stage.state(state);
        let legal = match announced {
            Some(category) => CategorySet::EMPTY.with(category),
            None => sheet.legal(state, roll),
        };
        let worth = |category| {
            let gain = sheet.gain(state, roll, category, stage.throw(sheet, whole));
            let after = sheet.after(state, category, gain.points);
            f64::from(gain.total()) + value(sheet, self, after)
        };
        legal.iter().map(worth).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The turn of a card in `state`; `None` if the card is complete, or [`TurnTables`] do not
    /// apply to its turns.
    #[must_use]
    pub fn turn(&self, sheet: &Sheet, state: CardState) -> Option<TurnTables> {
        if state.filled == sheet.categories() || !sheet.has_lattice_turns() {
            return None;
        }
        let served = sheet.has_served().then(|| leaf(sheet, self, state, true));
        let leaf = leaf(sheet, self, state, false);
        let whole = sheet.counts_full_throw();
        Some(TurnTables::solve_served(sheet.space(), sheet.rolls(), leaf, served.as_ref(), whole))
    }

    /// Every state with a value, of a sheet that is not plain.
    pub fn states(&self) -> impl Iterator<Item = (CardState, f64)> + '_ {
        self.others.iter().map(|(&state, &value)| (state, value))
    }

    fn index(&self, state: CardState) -> usize {
        (state.filled.bits() as usize * self.flags + usize::from(state.alike_scored)) * self.uppers
            + usize::from(state.upper)
    }
}

impl Values for Reference {
    fn value(&self, state: CardState) -> f64 {
        if self.values.is_empty() {
            if state.filled == self.all {
                return 0.0;
            }
            return self.others.get(&state).copied().unwrap_or(f64::NAN);
        }
        self.values[self.index(state)]
    }
}

/// The value of recording each roll in its best category, on a card in `state`.
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
                        + value(sheet, values, sheet.after(state, category, gain.points))
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
                totals[(upper + points.max(0) as usize).min(cap)] = true;
            }
        }
        reachable[bits] = totals;
    }
    reachable
}
