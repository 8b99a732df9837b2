//! Computes the chances of cards that differ only in their upper total. A lane is a card and a
//! number of points that it needs: it is the turn of `solve/kernel.rs` with chances in the place of
//! points. The chances after a record come from the curves of the cards with one more category
//! filled, which are evaluated first, each once for all lanes.

use pulp::{Simd, bytemuck};

use super::curve::{Code, MOST_LANES};
use super::layout::Layout;
use super::successors::{CurveRef, Successors};
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::objective::card_index::CardSet;
use crate::sheet::{CardState, RollClasses, Sheet};
use crate::solve::kernel::{self, Arithmetic, Pair, Vector};

/// The memory of a worker, reused for every set of cards.
#[derive(Debug)]
pub(super) struct Worker<'a, S: Simd> {
    sheet: &'a Sheet,
    layout: &'a Layout,
    /// The chances of all cards with more categories filled.
    done: &'a [u8],
    successors: Successors<S>,
    /// A row for each keep and roll.
    rows: Vec<[S::f32s; 2]>,
    /// The value of recording each roll on the first roll of a turn.
    served_rows: Vec<[S::f32s; 2]>,
    normal: Records<'a, S>,
    served: Option<Records<'a, S>>,
}

/// What recording brings to one card.
#[derive(Debug)]
struct Records<'a, S: Simd> {
    is_served: bool,
    classes: &'a RollClasses,
    /// `[class of roll]`.
    leads: Vec<CurveRef>,
    /// Records of rolls that their class does not determine.
    special: Vec<(Roll, CurveRef)>,
    /// `[class of roll]`: chances after recording.
    values: Vec<[S::f32s; 2]>,
}

impl<'a, S: Simd> Worker<'a, S> {
    pub(super) fn new(simd: S, sheet: &'a Sheet, layout: &'a Layout, done: &'a [u8]) -> Self {
        let zero = Pair(Vector(simd)).splat(0.0);
        let records = |is_served| {
            let classes = sheet.classes(is_served);
            let (leads, values) =
                (vec![CurveRef::default(); classes.len()], vec![zero; classes.len()]);
            Records { is_served, classes, leads, special: Vec::new(), values }
        };
        let lattice = sheet.lattice();
        Self {
            sheet,
            layout,
            done,
            successors: Successors::new(sheet),
            rows: vec![zero; lattice.keeps + lattice.rolls],
            served_rows: vec![zero; if sheet.has_served() { lattice.rolls } else { 0 }],
            normal: records(false),
            served: sheet.has_served().then(|| records(true)),
        }
    }

    /// Computes the chances of the cards of `set`.
    #[inline(always)]
    pub(super) fn chances(&mut self, simd: S, set: &CardSet, out: &mut [u8]) {
        let Self { sheet, layout, .. } = *self;
        self.successors.draw(simd, sheet, layout, set, self.done);
        let open = layout.all.without(set.filled);
        let (lanes, step) = (layout.lanes(set), usize::from(layout.step(set)));
        let cards = layout.card_index.states(set).enumerate();
        let mut chances = [0.0; MOST_LANES];
        let chances = &mut chances[..lanes];
        for ((card, state), out) in cards.zip(out.chunks_exact_mut(Code::bytes(lanes))) {
            let needed = layout.first(set.first + card);
            let lead = |category, points| {
                self.successors.lead(sheet, layout, (state, card), needed, category, points)
            };
            for records in std::iter::once(&mut self.normal).chain(&mut self.served) {
                records.enter(sheet, state, lead);
            }
            for (pass, chances) in chances.chunks_exact_mut(2 * S::F32_LANES).enumerate() {
                let found = [self.turn(simd, open, pass * chances.len() * step, step)];
                chances.copy_from_slice(bytemuck::cast_slice(&found));
            }
            Code::write(chances, out);
        }
    }

    /// The chances for one vector of needs, from so many points above the first of the card on.
    #[inline(always)]
    fn turn(&mut self, simd: S, open: CategorySet, from: usize, step: usize) -> [S::f32s; 2] {
        let Self { sheet, successors, rows, served_rows, normal, served, .. } = self;
        let (lattice, throws) = (sheet.lattice(), sheet.rolls());
        let with = Pair(Vector(simd));
        if let Some(served) = served {
            let rows = if throws == 1 { &mut rows[lattice.keeps..] } else { &mut served_rows[..] };
            served.rolls(with, successors, open, (from, step), rows);
        }
        if served.is_none() || throws > 1 {
            normal.rolls(with, successors, open, (from, step), &mut rows[lattice.keeps..]);
        }
        let served_rows = served.as_ref().map(|_| &served_rows[..]);
        kernel::turn(with, lattice, throws, rows, served_rows)
    }
}

impl<S: Simd> Records<'_, S> {
    /// Prepares for a card in `state`: the places of the chances after records, and of the bonus.
    fn enter(
        &mut self,
        sheet: &Sheet,
        state: CardState,
        lead: impl Fn(Category, (i16, i32)) -> CurveRef,
    ) {
        let by_points = sheet.leads_by_points();
        for category in sheet.categories().without(state.filled).iter() {
            let plain = lead(category, (0, 0));
            for class in self.classes.of(category) {
                let points = self.classes.points(class);
                self.leads[class] = match by_points.contains(category) {
                    true => lead(category, (points, 0)),
                    false => plain.richer(points),
                };
            }
        }
        self.special.clear();
        for &roll in sheet.special_rolls() {
            for category in sheet.legal(state, roll).iter() {
                let gain = sheet.gain(state, roll, category, self.is_served);
                let lead = lead(category, (gain.points, gain.five_alike_bonus));
                self.special.push((roll, lead));
            }
        }
    }

    /// The value of recording each roll.
    #[inline(always)]
    fn rolls(
        &mut self,
        with: Pair<Vector<S>>,
        successors: &Successors<S>,
        open: CategorySet,
        (from, step): (usize, usize),
        rolls: &mut [[S::f32s; 2]],
    ) {
        for class in open.iter().flat_map(|category| self.classes.of(category)) {
            let value = std::slice::from_mut(&mut self.values[class]);
            successors.look_up(self.leads[class], from, step, bytemuck::cast_slice_mut(value));
        }
        kernel::best_of_rolls(with, self.classes, open, &self.values, rolls);
        for records in self.special.chunk_by(|a, b| a.0 == b.0) {
            let mut best = [with.splat(f32::NEG_INFINITY)];
            for &(_, lead) in records {
                let mut value = [with.splat(0.0)];
                successors.look_up(lead, from, step, bytemuck::cast_slice_mut(&mut value));
                best[0] = with.max(best[0], value[0]);
            }
            rolls[records[0].0.index()] = best[0];
        }
    }
}
