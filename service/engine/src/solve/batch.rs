//! Values a batch of cards of one run, one state a lane. Neighbours in a run share their upper
//! rows, so the points of a roll and the step of the upper total are the same for every lane of a
//! category; where a category is filled on some of the cards, its lanes hold minus infinity and are
//! never chosen.

use std::ops::Range;

use arrayvec::ArrayVec;
use pulp::{Simd, bytemuck};

use super::kernel::{self, Vector};
use super::layout::Run;
use super::program::{Leads, Program};
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::sheet::{CardState, RollClasses};

/// The most lanes of any instruction set.
const MAX_LANES: usize = 16;

/// The states of one card in a batch.
#[derive(Clone, Debug)]
struct Card {
    filled: CategorySet,
    /// The number of its set of filled boxes.
    number: usize,
    /// The categories in which a roll may be recorded.
    open: CategorySet,
    lanes: Range<usize>,
    /// The class of upper totals in the first of the lanes.
    class: usize,
}

type Cards = ArrayVec<Card, MAX_LANES>;

/// The memory of a worker, reused for every batch.
#[derive(Debug)]
pub(super) struct Worker<'a, S: Simd> {
    program: &'a Program<'a>,
    /// A row for each keep and roll.
    rows: Vec<S::f32s>,
    /// The value of recording each roll on the first roll of a turn.
    served_rows: Vec<S::f32s>,
    /// A copy of it, which the turn overwrites.
    recorded: Vec<S::f32s>,
    normal: Record<'a, S>,
    served: Option<Record<'a, S>>,
}

/// The values of recording, for a batch.
#[derive(Debug)]
struct Record<'a, S: Simd> {
    classes: &'a RollClasses,
    /// `[category]`: the states that recording leads to from this run, if its points decide that.
    leads: Vec<Leads>,
    /// `[category]`: value of the card after recording, where the points do not decide it.
    next: Vec<S::f32s>,
    /// `[class of roll]`: value of recording.
    values: Vec<S::f32s>,
}

impl<'a, S: Simd> Worker<'a, S> {
    pub(super) fn new(simd: S, program: &'a Program<'a>) -> Self {
        let zero = simd.splat_f32s(0.0);
        let record = |classes: &'a RollClasses| Record {
            classes,
            leads: vec![Leads::default(); classes.categories()],
            next: vec![zero; classes.categories()],
            values: vec![zero; classes.len()],
        };
        let rolls = program.sheet.lattice().rolls;
        Self {
            program,
            rows: vec![zero; program.sheet.lattice().keeps + rolls],
            served_rows: vec![zero; if program.sheet.has_served() { rolls } else { 0 }],
            recorded: Vec::new(),
            normal: record(program.sheet.classes(false)),
            served: program.sheet.has_served().then(|| record(program.sheet.classes(true))),
        }
    }

    /// Values the states `from..from + out.len()` of `run`, given those of all fuller cards.
    #[inline(always)]
    pub(super) fn values(
        &mut self,
        simd: S,
        run: &Run,
        from: usize,
        done: &[f32],
        out: &mut [f32],
    ) {
        for record in std::iter::once(&mut self.normal).chain(&mut self.served) {
            record.enter(self.program, run);
        }
        let mut from = from;
        for out in out.chunks_mut(S::F32_LANES) {
            let cards = cards(self.program, run, from, out.len());
            let value = self.turn(simd, run, &cards, done);
            out.copy_from_slice(&bytemuck::cast_slice(&[value])[..out.len()]);
            from += out.len();
        }
    }

    #[inline(always)]
    fn turn(&mut self, simd: S, run: &Run, cards: &Cards, done: &[f32]) -> S::f32s {
        let Self { program, rows, served_rows, recorded, normal, served } = self;
        let throws = program.sheet.rolls();
        let keeps = program.sheet.lattice().keeps;
        if let Some(served) = served {
            let apart = throws > 1 || program.sheet.counts_full_throw();
            let rows = if apart { &mut served_rows[..] } else { &mut rows[keeps..] };
            served.rolls(simd, program, run, cards, done, rows);
        }
        if served.is_none() || throws > 1 {
            normal.rolls(simd, program, run, cards, done, &mut rows[keeps..]);
        }
        if program.sheet.counts_full_throw() {
            let (with, lattice) = (Vector(simd), program.sheet.lattice());
            return kernel::turn_of_whole_throws(
                with,
                lattice,
                throws,
                rows,
                served_rows,
                recorded,
            );
        }
        let served_rows = served.as_ref().map(|_| &served_rows[..]);
        kernel::turn(Vector(simd), program.sheet.lattice(), throws, rows, served_rows)
    }
}

/// The cards that the lanes of a run from state `from` on belong to.
fn cards(program: &Program<'_>, run: &Run, from: usize, lanes: usize) -> Cards {
    let upper = program.layout.rows.set(run.rows);
    let others = program.layout.cards(run);
    let mut cards = Cards::new();
    let mut lane = 0;
    while lane < lanes {
        let (card, class) = ((from + lane) / run.width, (from + lane) % run.width);
        let end = (lane + run.width - class).min(lanes);
        let filled = upper.or(others[card]);
        let groups = program.sheet.groups();
        let open = groups.next(filled, program.sheet.cells().open(filled));
        let number = groups.number(filled);
        cards.push(Card { filled, number, open, lanes: lane..end, class });
        lane = end;
    }
    cards
}

impl<S: Simd> Record<'_, S> {
    /// Prepares for a run.
    fn enter(&mut self, program: &Program<'_>, run: &Run) {
        let open = program.by_points.without(program.layout.rows.set(run.rows));
        for category in open.iter() {
            self.leads[category.index()] = program.leads(run, category, self.classes);
        }
    }

    /// The value of recording each roll.
    #[inline(always)]
    fn rolls(
        &mut self,
        simd: S,
        program: &Program<'_>,
        run: &Run,
        cards: &Cards,
        done: &[f32],
        rolls: &mut [S::f32s],
    ) {
        let open = cards.iter().map(|card| card.open).fold(CategorySet::EMPTY, CategorySet::or);
        for category in open.iter() {
            if program.by_points.contains(category) {
                self.fill_by_points(program, run, cards, category, done);
            } else {
                self.fill(simd, program, run, cards, category, done);
            }
        }
        kernel::best_of_rolls(Vector(simd), self.classes, open, &self.values, rolls);
        for &roll in program.sheet.special_rolls() {
            self.special_roll(simd, program, run, cards, open, roll, &mut rolls[roll.index()]);
        }
    }

    /// Sets the values of a category that leads to the same state for all points.
    #[inline(always)]
    fn fill(
        &mut self,
        simd: S,
        program: &Program<'_>,
        run: &Run,
        cards: &Cards,
        category: Category,
        done: &[f32],
    ) {
        let next: &mut [f32] =
            bytemuck::cast_slice_mut(std::slice::from_mut(&mut self.next[category.index()]));
        for card in cards {
            let lanes = &mut next[card.lanes.clone()];
            if !card.open.contains(category) {
                lanes.fill(f32::NEG_INFINITY);
            } else {
                let number = card.number + program.sheet.groups().step(category);
                let first = program.layout.first_of(number, run.alike_scored);
                lanes.copy_from_slice(&done[first + card.class..][..lanes.len()]);
            }
        }
        let next = self.next[category.index()];
        let par = program.par[category.index()];
        for class in self.classes.of(category) {
            let points = simd.splat_f32s(f32::from(self.classes.points(class)) - par);
            self.values[class] = simd.add_f32s(next, points);
        }
    }

    /// Sets the values of a category whose next state depends on the points.
    #[inline(always)]
    fn fill_by_points(
        &mut self,
        program: &Program<'_>,
        run: &Run,
        cards: &Cards,
        category: Category,
        done: &[f32],
    ) {
        let classes = self.classes.of(category);
        let leads = &self.leads[category.index()];
        let values: &mut [f32] = bytemuck::cast_slice_mut(&mut self.values[classes.clone()]);
        for (i, (class, values)) in classes.zip(values.chunks_exact_mut(S::F32_LANES)).enumerate() {
            let turns_on = program.scores_alike(category, self.classes.points(class));
            for card in cards {
                let values = &mut values[card.lanes.clone()];
                if !card.open.contains(category) {
                    values.fill(f32::NEG_INFINITY);
                    continue;
                }
                let number = card.number + program.sheet.groups().step(category);
                let first = program.layout.first_of(number, run.alike_scored || turns_on);
                let done = &done[first..];
                let from = i * run.width + card.class;
                let next = &leads.next[from..][..values.len()];
                let add = &leads.add[from..][..values.len()];
                for ((value, &next), &add) in values.iter_mut().zip(next).zip(add) {
                    *value = done[next as usize] + add;
                }
            }
        }
    }

    /// The best category of a roll of all dice alike, whose legal categories and points can depend
    /// on the card.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the batch, and one roll of it")]
    fn special_roll(
        &self,
        simd: S,
        program: &Program<'_>,
        run: &Run,
        cards: &Cards,
        open: CategorySet,
        roll: Roll,
        out: &mut S::f32s,
    ) {
        let orders = |card: &Card| {
            let (filled, alike_scored) = (card.filled, run.alike_scored);
            let state = CardState { filled, alike_scored, ..CardState::EMPTY };
            let joker = program.sheet.joker_face(state, roll);
            (program.sheet.order(state, roll), joker)
        };
        let mut cards = cards.iter().peekable();
        while let Some(card) = cards.next() {
            let (order, joker) = orders(card);
            let mut lanes = card.lanes.clone();
            // Neighbours mostly have the same order.
            while let Some(same) = cards.next_if(|next| orders(next) == (order, joker)) {
                lanes.end = same.lanes.end;
            }
            let mut best = simd.splat_f32s(f32::NEG_INFINITY);
            for category in open.and(order).iter() {
                let natural = self.classes.class(roll, category);
                let value = match joker.and_then(|face| program.sheet.joker_points(category, face))
                {
                    Some(points) if !program.by_points.contains(category) => {
                        let points = points.max(self.classes.points(natural));
                        let points = f32::from(points) - program.par[category.index()];
                        simd.add_f32s(self.next[category.index()], simd.splat_f32s(points))
                    }
                    _ => self.values[natural],
                };
                best = simd.max_f32s(best, value);
            }
            if run.alike_scored {
                let bonus = f32::from(program.sheet.definition().five_alike_bonus);
                best = simd.add_f32s(best, simd.splat_f32s(bonus));
            }
            let out: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(out));
            out[lanes.clone()]
                .copy_from_slice(&bytemuck::cast_slice::<_, f32>(&[best])[lanes.clone()]);
        }
    }
}
