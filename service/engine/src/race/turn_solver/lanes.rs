//! Values of several turns side by side, so that one pass over the rolls solves them all with vectors.

use crate::turn_solver::Value;

/// How many turns are solved at a time.
pub(in crate::race) const LANES: usize = 8;

/// A value that is computed for several turns at a time.
pub(in crate::race) trait Laned: Value {
    /// One value for each turn.
    type Lanes: Value;

    /// The value of one turn.
    fn lane(lanes: &Self::Lanes, lane: usize) -> Self;
    /// Changes the value of one turn.
    fn set_lane(self, lanes: &mut Self::Lanes, lane: usize);

    /// The values of the first turns; the others are worth nothing.
    fn lanes(values: impl IntoIterator<Item = Self>) -> Self::Lanes {
        let mut lanes = Self::Lanes::ZERO;
        values.into_iter().enumerate().for_each(|(lane, value)| value.set_lane(&mut lanes, lane));
        lanes
    }
}

impl<V: Value> Value for [V; LANES] {
    const WORST: Self = [V::WORST; LANES];
    const ZERO: Self = [V::ZERO; LANES];

    #[inline(always)]
    fn plus(mut self, weight: f64, other: Self) -> Self {
        for (value, other) in self.iter_mut().zip(other) {
            *value = value.plus(weight, other);
        }
        self
    }

    #[inline(always)]
    fn best(mut self, other: Self) -> Self {
        for (value, other) in self.iter_mut().zip(other) {
            *value = value.best(other);
        }
        self
    }
}

impl Laned for f32 {
    type Lanes = [f32; LANES];

    #[inline(always)]
    fn lane(lanes: &[f32; LANES], lane: usize) -> f32 {
        lanes[lane]
    }

    #[inline(always)]
    fn set_lane(self, lanes: &mut [f32; LANES], lane: usize) {
        lanes[lane] = self;
    }
}
