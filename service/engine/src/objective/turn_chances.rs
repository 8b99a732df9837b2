//! The turn at hand solved for chances, for a vector of cases at a time: the arithmetic of chances for
//! the steps of `solve/kernel.rs`, and what the moves of a position are worth.

use arrayvec::ArrayVec;
use pulp::{Simd, WithSimd, bytemuck};

use super::chances::Chances;
use crate::advice::MAX_MOVES;
use crate::category::{Category, CategorySet};
use crate::dice::Roll;
use crate::moves::Move;
use crate::position::Position;
use crate::sheet::{Gain, RollClasses, Sheet};
use crate::solve::Isa;
use crate::solve::kernel::{self, Arithmetic};

/// Chances with their value first, which is what is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rated {
    pub(super) value: f64,
    pub(super) draw: f64,
}

impl Rated {
    /// The same game seen by the only opponent.
    pub(super) fn of_the_other(self) -> Self {
        Self { value: 1.0 - self.value, draw: self.draw }
    }
}

impl From<Chances> for Rated {
    fn from(chances: Chances) -> Self {
        Self { value: chances.value(), draw: chances.draw }
    }
}

impl From<Rated> for Chances {
    fn from(rated: Rated) -> Self {
        Self { win: (rated.value - rated.draw / 2.0).max(0.0), draw: rated.draw }
    }
}

/// Values in the lanes of one vector, probabilities to draw in those of the other; the better of two is
/// the one of greater value.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatedLanes<S: Simd>(pub(super) S);

/// As many [`Rated`] as a vector has lanes.
pub(super) type Lanes<S> = [<S as Simd>::f64s; 2];

impl<S: Simd> Arithmetic for RatedLanes<S> {
    type Value = Lanes<S>;

    #[inline(always)]
    fn add(self, a: Lanes<S>, b: Lanes<S>) -> Lanes<S> {
        [self.0.add_f64s(a[0], b[0]), self.0.add_f64s(a[1], b[1])]
    }

    #[inline(always)]
    fn max(self, a: Lanes<S>, b: Lanes<S>) -> Lanes<S> {
        let better = self.0.less_than_f64s(a[0], b[0]);
        [self.0.select_f64s(better, b[0], a[0]), self.0.select_f64s(better, b[1], a[1])]
    }

    #[inline(always)]
    fn times(self, value: Lanes<S>, count: f32) -> Lanes<S> {
        let count = self.0.splat_f64s(count.into());
        [self.0.mul_f64s(value[0], count), self.0.mul_f64s(value[1], count)]
    }

    #[inline(always)]
    fn share(self, sum: Lanes<S>, count: f64) -> Lanes<S> {
        let share = self.0.splat_f64s(1.0 / count);
        [self.0.mul_f64s(sum[0], share), self.0.mul_f64s(sum[1], share)]
    }

    #[inline(always)]
    fn splat(self, number: f32) -> Lanes<S> {
        [self.0.splat_f64s(number.into()), self.0.splat_f64s(0.0)]
    }
}

impl<S: Simd> RatedLanes<S> {
    /// The lanes of these; beyond the last one they repeat it.
    #[inline(always)]
    pub(super) fn gather(self, of: impl Fn(usize) -> Rated) -> Lanes<S> {
        let mut lanes = self.splat(0.0);
        let numbers: &mut [f64] = bytemuck::cast_slice_mut(&mut lanes);
        for lane in 0..S::F64_LANES {
            let Rated { value, draw } = of(lane);
            numbers[lane] = value;
            numbers[S::F64_LANES + lane] = draw;
        }
        lanes
    }

    /// What stands in one lane.
    #[inline(always)]
    pub(super) fn lane(self, lanes: &Lanes<S>, lane: usize) -> Rated {
        let numbers: &[f64] = bytemuck::cast_slice(lanes);
        Rated { value: numbers[lane], draw: numbers[S::F64_LANES + lane] }
    }

    /// Sets every roll to the best of what its records are worth: by class in the `open` categories, but
    /// for `special` rolls, whose records stand side by side.
    #[inline(always)]
    pub(super) fn record_rolls(
        self,
        classes: &RollClasses,
        open: CategorySet,
        values: &[Lanes<S>],
        special: &[(Roll, Lanes<S>)],
        rolls: &mut [Lanes<S>],
    ) {
        kernel::best_of_rolls(self, classes, open, values, rolls);
        for records in special.chunk_by(|a, b| a.0 == b.0) {
            let mut best = records[0].1;
            for &(_, record) in &records[1..] {
                best = self.max(best, record);
            }
            rolls[records[0].0.index()] = best;
        }
    }
}

/// What records are worth, for one kind of rolls.
#[derive(Debug)]
struct Records<'a> {
    classes: &'a RollClasses,
    /// `[class of roll]`, of the open categories.
    values: Vec<Rated>,
    special: Vec<(Roll, Rated)>,
}

impl Records<'_> {
    /// Sets every roll to the best of what its records are worth, in all lanes.
    // No closure does arithmetic: it would not be compiled for the vectors of the processor.
    #[inline(always)]
    fn set<S: Simd>(&self, with: RatedLanes<S>, open: CategorySet, rolls: &mut [Lanes<S>]) {
        let mut values = vec![with.splat(0.0); self.values.len()];
        for (lanes, &rated) in values.iter_mut().zip(&self.values) {
            *lanes = with.gather(|_| rated);
        }
        let mut special = Vec::with_capacity(self.special.len());
        for &(roll, rated) in &self.special {
            special.push((roll, with.gather(|_| rated)));
        }
        with.record_rolls(self.classes, open, &values, &special, rolls);
    }
}

/// A turn: what its records are worth, and how many throws are left.
struct Turn<'a> {
    sheet: &'a Sheet,
    open: CategorySet,
    /// For rolls after the first, and where they differ for the first if it is still to come.
    records: ArrayVec<Records<'a>, 2>,
    /// Before the first throw, all of them.
    throws: u8,
    begun: bool,
}

impl WithSimd for Turn<'_> {
    /// The value of every keep; before the first throw that of the turn alone.
    type Output = Vec<Rated>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<Rated> {
        let Self { sheet, open, records, throws, begun } = self;
        let (with, lattice) = (RatedLanes(simd), sheet.lattice());
        let mut rows = vec![with.splat(0.0); lattice.keeps + lattice.rolls];
        records[0].set(with, open, &mut rows[lattice.keeps..]);
        if begun {
            for left in 1..=throws {
                kernel::keep_values(with, lattice, &mut rows);
                if left < throws {
                    kernel::raise_keeps(with, lattice, &mut rows);
                    kernel::raise_rolls(with, lattice, &mut rows);
                }
            }
            return rows[..lattice.keeps].iter().map(|lanes| with.lane(lanes, 0)).collect();
        }
        let mut served = None;
        if let Some(records) = records.get(1) {
            let rolls = served.insert(vec![with.splat(0.0); lattice.rolls]);
            records.set(with, open, rolls);
        }
        if let (Some(served), 1) = (&served, throws) {
            rows[lattice.keeps..].copy_from_slice(served);
        }
        let start = kernel::turn(with, lattice, throws, &mut rows, served.as_deref());
        vec![with.lane(&start, 0)]
    }
}

/// The chances of legal moves of `position`, whose sheet is plain, by the chances after each record.
pub(super) fn chances_of_moves(
    sheet: &Sheet,
    position: &Position,
    moves: impl Iterator<Item = Move>,
    mut after: impl FnMut(Category, Gain) -> Chances,
) -> ArrayVec<Chances, MAX_MOVES> {
    let state = position.card().state(sheet);
    let open = sheet.categories().without(state.filled);
    let begun = position.dice().is_some();
    let throws = position.rolls_left();
    let keeps = (throws > 0).then(|| {
        let mut records = |served: bool| {
            let classes = sheet.classes(served);
            let mut values = vec![Rated::default(); classes.len()];
            for category in open.iter() {
                for class in classes.of(category) {
                    let points = classes.points(class);
                    let gain = sheet.gain_of_points(state, category, points);
                    values[class] = after(category, gain).into();
                }
            }
            let special = sheet.special_rolls().iter().flat_map(|&roll| {
                let legal = sheet.legal(state, roll);
                legal.iter().map(move |category| (roll, category))
            });
            let special = special.map(|(roll, category)| {
                (roll, after(category, sheet.gain(state, roll, category, served)).into())
            });
            let special = special.collect();
            Records { classes, values, special }
        };
        let mut kinds = ArrayVec::from_iter([records(false)]);
        if sheet.has_served() && !begun {
            kinds.push(records(true));
        }
        Isa::narrow().run(Turn { sheet, open, records: kinds, throws, begun })
    });
    let chances = |chosen| match (chosen, position.dice()) {
        (Move::Keep(keep), _) => {
            let keep = if begun { keep.index() } else { 0 };
            keeps.as_ref().map_or(Chances::default(), |keeps| keeps[keep].into())
        }
        (Move::Record(category), Some(roll)) => {
            after(category, sheet.gain(state, roll, category, position.throw(sheet)))
        }
        (Move::Record(_), None) | (Move::Announce(_), _) => Chances::default(),
    };
    moves.map(chances).collect()
}
