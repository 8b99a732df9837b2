//! Computes the chances of cards that differ only in their upper total. A lane is a card and a
//! number of points that it needs: it is the turn of `solve/kernel.rs` with chances in the place of
//! points. The chances after a record come from the curves of the cards with one more category
//! filled, which are evaluated first, each once for all lanes.
//!
//! Moves are chosen for the chances themselves, in each lane for its own number of points, or for
//! points, the same move in all lanes.

use pulp::{Simd, bytemuck};

use super::curve::{Code, MOST_LANES};
use super::layout::Layout;
use super::successors::{CurveRef, Successors};
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::objective::card_index::CardSet;
use crate::sheet::{CardState, Gain, RollClasses, Sheet};
use crate::solve::kernel::{self, Arithmetic, Pair, Vector};
use crate::solved_sheet::SolvedSheet;

/// Two vectors of chances.
type Chances<S> = [<S as Simd>::f32s; 2];

/// What moves are chosen for.
pub(super) trait Choice<S: Simd>: Arithmetic {
    /// Whether points decide.
    const BY_POINTS: bool;

    fn new(simd: S) -> Self;

    /// What a move is worth after which so many points are gained on average.
    fn worth(self, points: f32, chances: Chances<S>) -> Self::Value;

    /// The chances of it.
    fn chances(self, worth: Self::Value) -> Chances<S>;
}

/// The greatest chance, in each lane.
pub(super) type ByChances<S> = Pair<Vector<S>>;

impl<S: Simd> Choice<S> for ByChances<S> {
    const BY_POINTS: bool = false;

    #[inline(always)]
    fn new(simd: S) -> Self {
        Pair(Vector(simd))
    }

    #[inline(always)]
    fn worth(self, _: f32, chances: Chances<S>) -> Chances<S> {
        chances
    }

    #[inline(always)]
    fn chances(self, worth: Chances<S>) -> Chances<S> {
        worth
    }
}

/// The most points: the first of three vectors, the same in all lanes; chances follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByPoints<S: Simd>(Vector<S>);

// No closure does arithmetic: it would not be compiled for the vectors of the processor.
impl<S: Simd> Arithmetic for ByPoints<S> {
    type Value = [S::f32s; 3];

    #[inline(always)]
    fn add(self, a: Self::Value, b: Self::Value) -> Self::Value {
        [self.0.add(a[0], b[0]), self.0.add(a[1], b[1]), self.0.add(a[2], b[2])]
    }

    #[inline(always)]
    fn max(self, a: Self::Value, b: Self::Value) -> Self::Value {
        let Vector(simd) = self.0;
        let better = simd.less_than_f32s(a[0], b[0]);
        [
            simd.select_f32s(better, b[0], a[0]),
            simd.select_f32s(better, b[1], a[1]),
            simd.select_f32s(better, b[2], a[2]),
        ]
    }

    #[inline(always)]
    fn times(self, value: Self::Value, count: f32) -> Self::Value {
        let [a, b, c] = value;
        [self.0.times(a, count), self.0.times(b, count), self.0.times(c, count)]
    }

    #[inline(always)]
    fn share(self, sum: Self::Value, count: f64) -> Self::Value {
        let [a, b, c] = sum;
        [self.0.share(a, count), self.0.share(b, count), self.0.share(c, count)]
    }

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Value {
        [self.0.splat(number), self.0.splat(0.0), self.0.splat(0.0)]
    }
}

impl<S: Simd> Choice<S> for ByPoints<S> {
    const BY_POINTS: bool = true;

    #[inline(always)]
    fn new(simd: S) -> Self {
        Self(Vector(simd))
    }

    #[inline(always)]
    fn worth(self, points: f32, [a, b]: Chances<S>) -> Self::Value {
        [self.0.splat(points), a, b]
    }

    #[inline(always)]
    fn chances(self, [_, a, b]: Self::Value) -> Chances<S> {
        [a, b]
    }
}

/// The memory of a worker, reused for every set of cards.
#[derive(Debug)]
pub(super) struct Worker<'a, S: Simd, C: Choice<S>> {
    with: C,
    solved: SolvedSheet<'a>,
    layout: &'a Layout,
    /// The chances of all cards with more categories filled.
    done: &'a [u8],
    successors: Successors<S>,
    /// A row for each keep and roll.
    rows: Vec<C::Value>,
    /// The value of recording each roll on the first roll of a turn.
    served_rows: Vec<C::Value>,
    normal: Records<'a, C::Value>,
    served: Option<Records<'a, C::Value>>,
}

/// What recording brings to one card.
#[derive(Debug)]
struct Records<'a, V> {
    is_served: bool,
    classes: &'a RollClasses,
    /// `[class of roll]`: where its chances are, and the points gained where they decide.
    leads: Vec<(CurveRef, f32)>,
    /// Records of rolls that their class does not determine.
    special: Vec<(Roll, CurveRef, f32)>,
    /// `[class of roll]`: what recording is worth.
    values: Vec<V>,
}

impl<'a, S: Simd, C: Choice<S>> Worker<'a, S, C> {
    pub(super) fn new(
        simd: S,
        solved: SolvedSheet<'a>,
        layout: &'a Layout,
        done: &'a [u8],
    ) -> Self {
        let (with, sheet) = (C::new(simd), solved.sheet());
        let zero = with.splat(0.0);
        let records = |is_served| {
            let classes = sheet.classes(is_served);
            let (leads, values) =
                (vec![(CurveRef::default(), 0.0); classes.len()], vec![zero; classes.len()]);
            Records { is_served, classes, leads, special: Vec::new(), values }
        };
        let lattice = sheet.lattice();
        Self {
            with,
            solved,
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
        let Self { solved, layout, .. } = *self;
        let sheet = solved.sheet();
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
            let points = |category, gain| match C::BY_POINTS {
                true => solved.further(state, category, gain) as f32,
                false => 0.0,
            };
            for records in std::iter::once(&mut self.normal).chain(&mut self.served) {
                records.enter(sheet, state, lead, points);
            }
            for (pass, chances) in chances.chunks_exact_mut(2 * S::F32_LANES).enumerate() {
                let found = self.turn(open, pass * chances.len() * step, step);
                chances.copy_from_slice(bytemuck::cast_slice(&self.with.chances(found)));
            }
            Code::write(chances, out);
        }
    }

    /// The chances for one vector of needs, from so many points above the first of the card on.
    #[inline(always)]
    fn turn(&mut self, open: CategorySet, from: usize, step: usize) -> C::Value {
        let Self { with, solved, successors, rows, served_rows, normal, served, .. } = self;
        let (with, sheet) = (*with, solved.sheet());
        let (lattice, throws) = (sheet.lattice(), sheet.rolls());
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

impl<V: Copy> Records<'_, V> {
    /// Prepares for a card in `state`: the places of the chances after records, and of the bonus.
    fn enter(
        &mut self,
        sheet: &Sheet,
        state: CardState,
        lead: impl Fn(Category, (i16, i32)) -> CurveRef,
        points: impl Fn(Category, Gain) -> f32,
    ) {
        let by_points = sheet.leads_by_points();
        for category in sheet.categories().without(state.filled).iter() {
            let plain = lead(category, (0, 0));
            for class in self.classes.of(category) {
                let paid = self.classes.points(class);
                let lead = match by_points.contains(category) {
                    true => lead(category, (paid, 0)),
                    false => plain.richer(paid),
                };
                let gain = sheet.gain_of_points(state, category, paid);
                self.leads[class] = (lead, points(category, gain));
            }
        }
        self.special.clear();
        for &roll in sheet.special_rolls() {
            for category in sheet.legal(state, roll).iter() {
                let gain = sheet.gain(state, roll, category, self.is_served);
                let lead = lead(category, (gain.points, gain.five_alike_bonus));
                self.special.push((roll, lead, points(category, gain)));
            }
        }
    }

    /// The value of recording each roll.
    #[inline(always)]
    fn rolls<S: Simd, C: Choice<S, Value = V>>(
        &mut self,
        with: C,
        successors: &Successors<S>,
        open: CategorySet,
        (from, step): (usize, usize),
        rolls: &mut [V],
    ) {
        let mut chances: Chances<S> = bytemuck::Zeroable::zeroed();
        for class in open.iter().flat_map(|category| self.classes.of(category)) {
            let (lead, points) = self.leads[class];
            successors.look_up(lead, from, step, bytemuck::cast_slice_mut(&mut chances[..]));
            self.values[class] = with.worth(points, chances);
        }
        kernel::best_of_rolls(with, self.classes, open, &self.values, rolls);
        for records in self.special.chunk_by(|a, b| a.0 == b.0) {
            let mut best = with.splat(f32::NEG_INFINITY);
            for &(_, lead, points) in records {
                successors.look_up(lead, from, step, bytemuck::cast_slice_mut(&mut chances[..]));
                best = with.max(best, with.worth(points, chances));
            }
            rolls[records[0].0.index()] = best;
        }
    }
}
