//! The solver of sheets whose state is more than filled boxes and an upper total (sums of several
//! bonuses, factors of products, throws saved or bought), or whose turns are not plain. Every
//! reachable state has an entry, found by hashing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Values;
use super::kernel::{self, One};
use super::stages::{Stage, TurnRows};
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::sheet::{CardState, Sheet, Throw};

/// The value of every state of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct States {
    values: HashMap<CardState, f64>,
    all: CategorySet,
}

impl States {
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * (size_of::<(CardState, f64)>() + 1)
    }

    /// Solves `sheet`; `None` if cancelled.
    pub(super) fn solve(sheet: &Sheet, cancelled: Option<&AtomicBool>) -> Option<Self> {
        let layers = layers(sheet, usize::MAX).expect("as many as there are");
        let mut solved = Self { values: HashMap::new(), all: sheet.categories() };
        let mut turn = Turn::default();
        for state in layers.iter().rev().flatten() {
            if cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
                return None;
            }
            let value = turn.value(sheet, &solved, *state);
            solved.values.insert(*state, value);
        }
        Some(solved)
    }
}

impl Values for States {
    fn value(&self, state: CardState) -> f64 {
        if state.filled == self.all {
            return 0.0;
        }
        match self.values.get(&state) {
            Some(&value) => value,
            None => f64::NAN,
        }
    }
}

/// The states of incomplete cards, by the number of their filled boxes; `None` if more than `most`
/// transitions connect them.
pub(super) fn layers(sheet: &Sheet, most: usize) -> Option<Vec<Vec<CardState>>> {
    let all = sheet.categories();
    let mut layers: Vec<Vec<CardState>> = vec![vec![CardState::EMPTY]];
    let mut ways = 0;
    for layer in 0..all.len() {
        let mut next: std::collections::HashSet<CardState> = std::collections::HashSet::new();
        for &state in &layers[layer] {
            let mut befores: Vec<CardState> =
                Stage::of_turn(sheet, state).iter().map(|stage| stage.state(state)).collect();
            befores.dedup();
            for before in befores {
                let open = sheet.groups().next(state.filled, sheet.open(state));
                for category in open.iter() {
                    let points = sheet.possible_points(category);
                    ways += points.len();
                    if ways > most {
                        return None;
                    }
                    let after = points.iter().map(|&p| sheet.after(before, category, p));
                    next.extend(
                        after.filter(|next| next.filled != all).map(|s| sheet.canonical(s)),
                    );
                }
            }
        }
        layers.push(next.into_iter().collect());
    }
    Some(layers)
}

/// Solves turns of one card in double precision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    pub(crate) rows: TurnRows<f64>,
    recorded: Vec<Recorded>,
    best: Vec<f64>,
}

/// The values of recording on a card in some state, by a table of points.
#[derive(Clone, Debug)]
struct Recorded {
    table: usize,
    state: CardState,
    /// `[class of roll]`: value of recording a roll of this class in its category.
    values: Vec<f64>,
}

impl Turn {
    /// The value of a card in `state` before its turn.
    pub(crate) fn value(&mut self, sheet: &Sheet, values: &impl Values, state: CardState) -> f64 {
        let mut best = std::mem::take(&mut self.best);
        self.options(sheet, values, state, &mut best);
        let value = kernel::mean(One, sheet.lattice(), &best);
        self.best = best;
        value
    }

    /// Sets `best` to the value of each first roll of a card in `state`, with the best announcement
    /// or none.
    fn options(
        &mut self,
        sheet: &Sheet,
        values: &impl Values,
        state: CardState,
        best: &mut Vec<f64>,
    ) {
        self.forget();
        let stages = Stage::of_turn(sheet, state);
        let open = sheet.groups().next(state.filled, sheet.open(state));
        let announced = open.and(sheet.cells().announced());
        let unannounced = if open == announced { None } else { Some(None) };
        best.clear();
        best.resize(sheet.space().rolls(), f64::NEG_INFINITY);
        for announced in unannounced.into_iter().chain(announced.iter().map(Some)) {
            self.keeps(sheet, values, state, announced, &stages[1..]);
            let Self { rows, recorded, .. } = self;
            let only = stages.len() == 1;
            rows.first_rolls(One, sheet, stages[0], only, |stage, whole, leaf| {
                record(sheet, values, stage, whole, state, announced, recorded, leaf);
            });
            let rolls = &rows.rows[sheet.lattice().keeps..];
            for (best, &value) in best.iter_mut().zip(rolls) {
                *best = best.max(value);
            }
        }
    }

    /// Drops the values of recording: they are of other values or of another sheet.
    pub(crate) fn forget(&mut self) {
        self.recorded.clear();
    }

    /// Sets the row of every keep to the value of throwing the other dice into the first of
    /// `stages`.
    pub(crate) fn keeps(
        &mut self,
        sheet: &Sheet,
        values: &impl Values,
        state: CardState,
        announced: Option<Category>,
        stages: &[Stage],
    ) {
        let Self { rows, recorded, .. } = self;
        rows.solve(One, sheet, stages, |stage, whole, leaf| {
            record(sheet, values, stage, whole, state, announced, recorded, leaf);
        });
    }
}

/// The values of recording on a card in `state`, by class of roll.
fn recorded_values<'a>(
    sheet: &Sheet,
    values: &impl Values,
    throw: Throw,
    state: CardState,
    recorded: &'a mut Vec<Recorded>,
) -> &'a [f64] {
    let table = sheet.table(throw);
    let known = recorded.iter().position(|r| r.table == table && r.state == state);
    let at = known.unwrap_or_else(|| {
        let classes = sheet.classes(throw);
        let mut found = vec![f64::NEG_INFINITY; classes.len()];
        let by_points = sheet.leads_by_points();
        // The same points in the same box have the same value on any throw.
        let same = recorded.iter().find(|r| r.state == state);
        for category in sheet.open(state).iter() {
            let mut after = None;
            for class in classes.of(category) {
                let points = classes.points(class);
                let before = same.and_then(|same| {
                    let others = sheet.classes_of_table(same.table);
                    let mut of = others.of(category);
                    of.find(|&class| others.points(class) == points).map(|c| same.values[c])
                });
                if let Some(before) = before {
                    found[class] = before;
                    continue;
                }
                let further = after.filter(|_| !by_points.contains(category));
                let further = further
                    .unwrap_or_else(|| value(sheet, values, sheet.after(state, category, points)));
                after = Some(further);
                let gain = sheet.gain_of_points(state, category, points);
                found[class] = f64::from(gain.total()) + further;
            }
        }
        recorded.push(Recorded { table, state, values: found });
        recorded.len() - 1
    });
    &recorded[at].values
}

/// Sets every roll of a stage to the value of recording it in the best category: the announced one,
/// or any that is open without an announcement.
#[expect(clippy::too_many_arguments, reason = "a stage, its card, and room to work in")]
fn record(
    sheet: &Sheet,
    values: &impl Values,
    stage: Stage,
    whole: bool,
    state: CardState,
    announced: Option<Category>,
    recorded: &mut Vec<Recorded>,
    leaf: &mut [f64],
) {
    let throw = stage.throw(sheet, whole);
    let state = stage.state(state);
    let known = recorded_values(sheet, values, throw, state, recorded);
    let open = match announced {
        Some(category) => CategorySet::EMPTY.with(category),
        None => {
            let (open, groups) = (sheet.open(state), sheet.groups());
            // Where columns are alike, one box of a row stands for all.
            let canonical = groups.canonical(state.filled) == state.filled;
            let open = if canonical { groups.next(state.filled, open) } else { open };
            open.without(sheet.cells().announced())
        }
    };
    leaf.fill(f64::NEG_INFINITY);
    kernel::raise_dense(One, sheet.classes(throw), open, known, leaf);
    for &roll in sheet.special_rolls() {
        let legal = match announced {
            Some(category) => CategorySet::EMPTY.with(category),
            None => sheet.legal(state, roll),
        };
        leaf[roll.index()] = best_record(sheet, values, state, roll, legal, throw);
    }
}

fn best_record(
    sheet: &Sheet,
    values: &impl Values,
    state: CardState,
    roll: Roll,
    legal: CategorySet,
    throw: Throw,
) -> f64 {
    let worth = |category| {
        let gain = sheet.gain(state, roll, category, throw);
        f64::from(gain.total()) + value(sheet, values, sheet.after(state, category, gain.points))
    };
    legal.iter().map(worth).fold(f64::NEG_INFINITY, f64::max)
}

/// The value of a state, as of the same one in which columns that are alike are filled from the
/// left.
pub(crate) fn value(sheet: &Sheet, values: &(impl Values + ?Sized), state: CardState) -> f64 {
    if state.filled == sheet.categories() { 0.0 } else { values.value(sheet.canonical(state)) }
}
