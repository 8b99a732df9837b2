//! The fast solver: the value of every card of a sheet, a vector of cards at a time, on several
//! threads. A layer of cards is split into jobs that workers take in any order; a result does not
//! depend on the worker, so the table is bit-identical for any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pulp::{Simd, WithSimd};

use super::Values;
use super::batch::Worker;
use super::budget::Budget;
use super::estimate::{Estimate, OverBudget};
use super::isa::Isa;
use super::layout::{Layer, Layout, Run, has_runs};
use super::learned::{Learned, Training};
use super::program::Program;
use super::rounds::{Ahead, Slots};
use super::states::States;
use crate::category::CategorySet;
use crate::definition::Definition;
use crate::dice::DiceSpace;
use crate::parallel;
use crate::sheet::{CardState, Sheet};

/// The value of every scorecard of a sheet, solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution(Table);

#[derive(Clone, Debug, PartialEq)]
enum Table {
    /// Filled boxes, an upper total and a flag are the state of a card.
    Runs(Box<Runs>),
    /// States with more than that.
    States(States),
    /// Too many states to solve.
    Learned(Box<Learned>),
}

#[derive(Clone, Debug, PartialEq)]
struct Runs {
    layout: Layout,
    /// Values minus the par of the open categories, by [`Layout::place`].
    table: Vec<f32>,
    /// `[half][ten bits of a set]`: par of the categories in it; none on a larger sheet.
    par_of_half: [Vec<f32>; 2],
    /// `[category]`: its par.
    par: Vec<f32>,
    all: CategorySet,
}

const HALF: u32 = 10;

/// How long values are learned when a call waits for them.
const LEARNING: Duration = Duration::from_secs(2);

/// Turns with more keeps are too slow to learn from.
const MOST_KEEPS: usize = 1 << 12;

/// How to solve a sheet.
#[derive(Clone, Copy, Debug)]
pub struct Solver<'a> {
    /// Threads to use, the caller's included.
    pub threads: usize,
    /// Instructions to use.
    pub isa: Isa,
    /// Solving stops soon after this is set.
    pub cancelled: Option<&'a AtomicBool>,
    /// Solving does not start if its estimate exceeds this.
    pub budget: Budget,
}

/// The reasons why a sheet was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// The estimate exceeds the budget.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// [`Solver::cancelled`] was set.
    #[error("solving was cancelled")]
    Cancelled,
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Self { threads: 1, isa: Isa::best(), cancelled: None, budget: Budget::BUILT_IN }
    }
}

impl Solver<'_> {
    /// Solves `sheet`.
    ///
    /// # Errors
    /// If the estimate exceeds the budget, or it was cancelled.
    pub fn solve(&self, sheet: &Sheet) -> Result<Solution, Unsolved> {
        Estimate::of(sheet.definition()).within(&self.budget)?;
        if !has_runs(sheet) {
            return match States::solve(sheet, self.cancelled) {
                Some(states) => Ok(Solution(Table::States(states))),
                None => Err(Unsolved::Cancelled),
            };
        }
        let program = Program::new(sheet);
        let mut table = vec![0.0; program.layout.states()];
        // Complete cards gain nothing more: the values of the first layer are 0.
        for layer in &program.layout.layers()[1..] {
            self.solve_layer(&program, layer, &mut table);
            if self.is_cancelled() {
                return Err(Unsolved::Cancelled);
            }
        }
        let all = sheet.categories();
        let bits = if all.len() <= 2 * HALF as usize { 1u32 << HALF } else { 0 };
        let par_of_half = |shift: u32| {
            (0..bits)
                .map(|bits| {
                    let open = program.par.iter().enumerate();
                    open.filter(|&(i, _)| bits << shift >> i & 1 == 1).map(|(_, &par)| par).sum()
                })
                .collect()
        };
        let par_of_half = [par_of_half(0), par_of_half(HALF)];
        let Program { layout, par, .. } = program;
        Ok(Solution(Table::Runs(Box::new(Runs { layout, table, par_of_half, par, all }))))
    }

    /// Whether values can be learned for a sound definition that is too large to solve.
    #[must_use]
    pub fn can_learn(definition: &Definition) -> bool {
        let (dice, faces) = (definition.dice.into(), definition.faces.into());
        DiceSpace::count_keeps(dice, faces) <= MOST_KEEPS
    }

    /// The values of `sheet`: those of best play if the budget allows, otherwise learned ones,
    /// which are compiled in or learned in about two seconds.
    ///
    /// # Errors
    /// If it was cancelled, or its dice are too many to learn by playing.
    pub fn values(&self, sheet: &Sheet) -> Result<Solution, Unsolved> {
        let over = match self.solve(sheet) {
            Err(Unsolved::OverBudget(over)) => over,
            solved => return solved,
        };
        if !Self::can_learn(sheet.definition()) {
            return Err(over.into());
        }
        if let Some(learned) = Learned::shipped(sheet) {
            return Ok(Solution::learned(learned));
        }
        let turns = Training::turns_in(sheet, LEARNING);
        let solution = Training { turns, seed: 1, stopped: self.cancelled }.run(sheet);
        if self.is_cancelled() { Err(Unsolved::Cancelled) } else { Ok(solution) }
    }

    fn solve_layer(&self, program: &Program<'_>, layer: &Layer, table: &mut [f32]) {
        let (done, rest) = table.split_at_mut(layer.start);
        let rolls = program.sheet.space().rolls();
        let job = (JOB_ROLLS / rolls).clamp(1, MOST_BATCHES) * LANES;
        let jobs = Jobs { runs: &layer.runs, from: 0, out: &mut rest[..layer.states], job };
        let threads = self.threads.min(layer.states.div_ceil(job));
        parallel::share(threads, jobs, |next| {
            self.isa.run(Work { program, done, next, solver: self });
        });
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }
}

/// The number of rolls that a job values, one batch at least: a fraction of a millisecond.
const JOB_ROLLS: usize = 1 << 14;
const MOST_BATCHES: usize = 64;
const LANES: usize = 16;

/// The rest of a layer.
struct Jobs<'a> {
    runs: &'a [Run],
    /// States of the first run that are taken.
    from: usize,
    out: &'a mut [f32],
    job: usize,
}

/// A part of a run, its first state, and the slice for its values.
type Job<'a> = (&'a Run, usize, &'a mut [f32]);

impl<'a> Iterator for Jobs<'a> {
    type Item = Job<'a>;

    fn next(&mut self) -> Option<Job<'a>> {
        let run = self.runs.first()?;
        let from = self.from;
        let states = self.job.min(run.states - from);
        let (out, rest) = std::mem::take(&mut self.out).split_at_mut(states);
        self.out = rest;
        self.from += states;
        if self.from == run.states {
            self.runs = &self.runs[1..];
            self.from = 0;
        }
        Some((run, from, out))
    }
}

/// A worker's share of a layer.
struct Work<'a, 'b> {
    program: &'a Program<'a>,
    done: &'a [f32],
    next: &'a dyn Fn() -> Option<Job<'b>>,
    solver: &'a Solver<'a>,
}

impl WithSimd for Work<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut worker = Worker::new(simd, self.program);
        while !self.solver.is_cancelled() {
            let Some((run, from, out)) = (self.next)() else { break };
            worker.values(simd, run, from, self.done, out);
        }
    }
}

impl Solution {
    /// Solves `sheet` on so many threads, with the best instructions this processor has.
    ///
    /// # Errors
    /// If the estimate exceeds [`Budget::BUILT_IN`].
    pub fn solve(sheet: &Sheet, threads: usize) -> Result<Self, OverBudget> {
        match (Solver { threads, ..Solver::default() }).solve(sheet) {
            Ok(solution) => Ok(solution),
            Err(Unsolved::OverBudget(over)) => Err(over),
            Err(Unsolved::Cancelled) => unreachable!("it has no cancel flag"),
        }
    }

    /// Learned values.
    pub(super) fn learned(learned: Learned) -> Self {
        Self(Table::Learned(Box::new(learned)))
    }

    /// Learned values of `sheet` with these weights; `None` if they do not fit the sheet.
    #[must_use]
    pub fn read_learned(sheet: &Sheet, weights: &[u8]) -> Option<Self> {
        Learned::read(sheet, weights).map(Self::learned)
    }

    /// The weights of learned values, as [`Solution::read_learned`] takes them.
    #[must_use]
    pub fn weights(&self) -> Option<Vec<u8>> {
        match &self.0 {
            Table::Learned(learned) => Some(learned.write()),
            _ => None,
        }
    }

    /// Number of states in the table; 0 where values are learned.
    #[must_use]
    pub fn states(&self) -> usize {
        match &self.0 {
            Table::Runs(runs) => runs.table.len(),
            Table::States(states) => states.len(),
            Table::Learned(_) => 0,
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Table::Runs(runs) => {
                let par = runs.par_of_half.iter().map(|half| size_of_val(&half[..])).sum::<usize>();
                size_of_val(&runs.table[..])
                    + size_of_val(&runs.par[..])
                    + par
                    + runs.layout.bytes()
            }
            Table::States(states) => states.bytes(),
            Table::Learned(learned) => learned.bytes(),
        }
    }
}

impl Values for Solution {
    fn value(&self, state: CardState) -> f64 {
        match &self.0 {
            Table::Runs(runs) => runs.value(state),
            Table::States(states) => states.value(state),
            Table::Learned(learned) => learned.value(state),
        }
    }

    fn is_exact(&self) -> bool {
        !matches!(self.0, Table::Learned(_))
    }
}

impl Ahead for Solution {
    fn ahead(
        &self,
        sheet: &Sheet,
        slots: &Slots,
        state: CardState,
        open: CategorySet,
        worth: &mut [f32],
    ) {
        match &self.0 {
            Table::Runs(runs) => runs.ahead(sheet, slots, state, open, worth),
            Table::States(states) => states.ahead(sheet, slots, state, open, worth),
            Table::Learned(learned) => learned.ahead(sheet, slots, state, open, worth),
        }
    }
}

impl Values for Runs {
    fn value(&self, state: CardState) -> f64 {
        let open = self.all.without(state.filled);
        let par = if self.par_of_half[0].is_empty() {
            open.iter().map(|category| self.par[category.index()]).sum()
        } else {
            let bits = open.bits();
            self.par_of_half[0][(bits & ((1 << HALF) - 1)) as usize]
                + self.par_of_half[1][(bits >> HALF) as usize]
        };
        f64::from(par) + f64::from(self.table[self.layout.place(state)])
    }
}

impl Ahead for Runs {}
impl Ahead for States {}
