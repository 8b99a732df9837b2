//! Chances and points in one number, for one case or for a vector of them.

use pulp::{Simd, bytemuck};

use super::chances::{Chances, EQUAL_CHANCE};
use crate::category::CategorySet;
use crate::dice::Roll;
use crate::sheet::RollClasses;
use crate::solve::kernel::{self, Arithmetic};

/// The weight of a point beside chances: hundreds of points are less than [`EQUAL_CHANCE`], and a
/// hundredth of a point is more than what rounding does.
const POINT: f64 = 1e-12;

/// Chances and the points still gained. Players maximise the chances and, where these are equal,
/// their own points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rated {
    /// The value of the chances and [`POINT`] for each point.
    own: f64,
    /// Probability to draw.
    draw: f64,
    /// The same as `own` for the only opponent, where there is one.
    other: f64,
}

impl Rated {
    /// Chances of a player who gains so many points.
    pub(super) fn new(chances: Chances, points: f64) -> Self {
        Self { own: chances.value() + POINT * points, draw: chances.draw, other: 0.0 }
    }

    /// The same with an opponent, who gains so many points.
    pub(super) fn against(self, points: f64, chances: Chances) -> Self {
        Self { other: 1.0 - chances.value() + POINT * points, ..self }
    }

    /// The same after a gain.
    #[inline(always)]
    pub(super) fn plus_points(self, points: i32) -> Self {
        Self { own: self.own + POINT * f64::from(points), ..self }
    }

    /// The same game seen by the only opponent.
    #[inline(always)]
    pub(super) fn of_the_other(self) -> Self {
        Self { own: self.other, other: self.own, ..self }
    }
}

impl From<Rated> for Chances {
    fn from(rated: Rated) -> Self {
        let win = rated.own - rated.draw / 2.0;
        // What is left of a sure loss are points.
        let win = if win < EQUAL_CHANCE { 0.0 } else { win.min(1.0 - rated.draw) };
        Self { win, draw: rated.draw }
    }
}

/// The numbers of a [`Rated`] that are worked out for a player alone, and for two.
pub(super) const ALONE: usize = 2;
pub(super) const AGAINST: usize = 3;

/// A vector for each of `NUMBERS` numbers; the better of two is the one whose first number is
/// greater.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatedLanes<S: Simd, const NUMBERS: usize>(pub(super) S);

/// As many [`Rated`] as a vector has lanes.
pub(super) type Lanes<S, const NUMBERS: usize> = [<S as Simd>::f64s; NUMBERS];

// No closure does arithmetic: it would not be compiled for the vectors of the processor.
impl<S: Simd, const NUMBERS: usize> Arithmetic for RatedLanes<S, NUMBERS> {
    type Value = Lanes<S, NUMBERS>;

    #[inline(always)]
    fn add(self, mut a: Self::Value, b: Self::Value) -> Self::Value {
        for (a, b) in a.iter_mut().zip(b) {
            *a = self.0.add_f64s(*a, b);
        }
        a
    }

    #[inline(always)]
    fn max(self, mut a: Self::Value, b: Self::Value) -> Self::Value {
        let better = self.0.less_than_f64s(a[0], b[0]);
        for (a, b) in a.iter_mut().zip(b) {
            *a = self.0.select_f64s(better, b, *a);
        }
        a
    }

    #[inline(always)]
    fn times(self, mut value: Self::Value, count: f32) -> Self::Value {
        let count = self.0.splat_f64s(count.into());
        for value in &mut value {
            *value = self.0.mul_f64s(*value, count);
        }
        value
    }

    #[inline(always)]
    fn share(self, mut sum: Self::Value, count: f64) -> Self::Value {
        let share = self.0.splat_f64s(1.0 / count);
        for sum in &mut sum {
            *sum = self.0.mul_f64s(*sum, share);
        }
        sum
    }

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Value {
        let mut value = [self.0.splat_f64s(0.0); NUMBERS];
        value[0] = self.0.splat_f64s(number.into());
        value
    }
}

impl<S: Simd, const NUMBERS: usize> RatedLanes<S, NUMBERS> {
    /// A vector of these, one for each lane.
    #[inline(always)]
    pub(super) fn gather(self, of: impl Fn(usize) -> Rated) -> Lanes<S, NUMBERS> {
        let mut lanes = self.splat(0.0);
        let numbers: &mut [f64] = bytemuck::cast_slice_mut(&mut lanes);
        for lane in 0..S::F64_LANES {
            let Rated { own, draw, other } = of(lane);
            let rated = [own, draw, other];
            for (numbers, number) in numbers.chunks_exact_mut(S::F64_LANES).zip(rated) {
                numbers[lane] = number;
            }
        }
        lanes
    }

    /// What stands in one lane.
    #[inline(always)]
    pub(super) fn lane(self, lanes: &Lanes<S, NUMBERS>, lane: usize) -> Rated {
        let numbers: &[f64] = bytemuck::cast_slice(lanes);
        let mut rated = [0.0; AGAINST];
        for (rated, numbers) in rated.iter_mut().zip(numbers.chunks_exact(S::F64_LANES)) {
            *rated = numbers[lane];
        }
        let [own, draw, other] = rated;
        Rated { own, draw, other }
    }

    /// Sets every roll to the best of what its records are worth: by class in the `open` categories, but
    /// for `special` rolls, whose records stand side by side.
    #[inline(always)]
    pub(super) fn record_rolls(
        self,
        classes: &RollClasses,
        open: CategorySet,
        values: &[Lanes<S, NUMBERS>],
        special: &[(Roll, Lanes<S, NUMBERS>)],
        rolls: &mut [Lanes<S, NUMBERS>],
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
