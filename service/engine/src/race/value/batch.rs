//! Reading many boards by the network at once, with the vectors of this processor. The same values
//! on every processor: the same operations in the same order, none of them fused.

use arrayvec::ArrayVec;
use pulp::{Simd, WithSimd};

use super::net::{
    GAP, GAP_SCALE, HIDDEN, Net, ODDS, ROW, WIDTH, WeightRow, logistic, squash, total,
};

/// Boards that are read at a time.
pub(super) const BOARDS: usize = 16;

/// Features by which the boards of a [`Batch`] differ, at most.
pub(super) const TERMS: usize = 7;

/// Boards that have the same features but for a few.
pub(super) struct Batch<'a> {
    pub(super) net: &'a Net,
    pub(super) stage: usize,
    /// The sums of the features that they share.
    pub(super) shared: &'a WeightRow,
    /// The weights of each other feature, and its value on every board.
    pub(super) terms: ArrayVec<(&'a WeightRow, [f32; BOARDS]), TERMS>,
    /// How many boards there are.
    pub(super) len: usize,
}

/// What a network makes of some boards.
pub(super) struct Outputs {
    /// Probabilities to win.
    pub(super) win: [f32; BOARDS],
    /// How much margins are expected to grow.
    pub(super) growth: [f32; BOARDS],
}

impl WithSimd for Batch<'_> {
    type Output = Outputs;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Outputs {
        match self.terms.len() {
            ..=3 => self.read::<3>(),
            4 => self.read::<4>(),
            5 => self.read::<5>(),
            _ => self.read::<TERMS>(),
        }
    }
}

impl Batch<'_> {
    /// Reads the boards, the terms filled up to `N`.
    #[inline(always)]
    fn read<const N: usize>(&self) -> Outputs {
        let mut rows = [&[0.0; ROW]; N];
        let mut factors = [[0.0; BOARDS]; N];
        for ((row, factors), term) in rows.iter_mut().zip(&mut factors).zip(&self.terms) {
            (*row, *factors) = *term;
        }
        let (to_odds, to_gap) = (&self.net.odds[self.stage], &self.net.gap[self.stage]);
        let mut win = [0.0; BOARDS];
        let mut growth = [0.0; BOARDS];
        for board in 0..self.len.min(BOARDS) {
            let mut odds = [0.0f32; WIDTH];
            let mut gap = [0.0f32; WIDTH];
            for first in (0..HIDDEN).step_by(WIDTH) {
                for lane in 0..WIDTH {
                    let unit = first + lane;
                    let mut sum = self.shared[unit];
                    for term in 0..N {
                        sum += factors[term][board] * rows[term][unit];
                    }
                    let active = squash(sum);
                    odds[lane] += active * to_odds[unit];
                    gap[lane] += active * to_gap[unit];
                }
            }
            let straight = |unit: usize| {
                let terms = (0..N).map(|term| factors[term][board] * rows[term][unit]);
                terms.fold(self.shared[unit], |sum, term| sum + term)
            };
            win[board] = total(odds) + straight(ODDS);
            growth[board] = GAP_SCALE * (total(gap) + straight(GAP));
        }
        Outputs { win: win.map(logistic), growth }
    }
}

/// Adds rows of weights to sums, each times its factor.
pub(super) struct AddRows<'a> {
    pub(super) sums: &'a mut WeightRow,
    pub(super) rows: &'a [(&'a WeightRow, f32)],
}

impl WithSimd for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for first in (0..ROW).step_by(WIDTH) {
            let sums = &mut self.sums[first..first + WIDTH];
            for (row, factor) in self.rows {
                for (sum, weight) in sums.iter_mut().zip(&row[first..first + WIDTH]) {
                    *sum += factor * weight;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::net::add_row;
    use super::*;
    use crate::solve::Isa;

    #[test]
    fn all_vectors_read_the_same_bits() {
        let mut net = Net::zero();
        for (i, number) in net.numbers_mut().enumerate() {
            *number = ((i * 7919) % 1000) as f32 / 700.0 - 0.7;
        }
        let term = |feature: usize| {
            let factors = std::array::from_fn(|board| (board as f32 - 6.3) / feature as f32);
            (&net.first[feature], factors)
        };
        for terms in 3..=TERMS {
            let bits = |isa: Isa| {
                let terms = (1..=terms).map(term).collect();
                let len = BOARDS - 1;
                let mut shared = net.first[0];
                isa.run(AddRows { sums: &mut shared, rows: &[(&net.first[9], -0.3)] });
                let found = isa.run(Batch { net: &net, stage: 1, shared: &shared, terms, len });
                [found.win, found.growth].map(|values| values.map(f32::to_bits))
            };
            let portable = bits(Isa::Portable);
            assert!(Isa::available().all(|isa| bits(isa) == portable));
            // A board is read from its sums as training reads it.
            let mut sums = net.first[0];
            add_row(&mut sums, &net.first[9], -0.3);
            (1..=terms).for_each(|n| add_row(&mut sums, &net.first[n], term(n).1[2]));
            let win = f32::from_bits(portable[0][2]);
            assert!((win - logistic(net.log_odds(&sums, 1))).abs() < 1e-6);
            assert!((f32::from_bits(portable[1][2]) - net.growth(&sums, 1)).abs() < 1e-2);
        }
    }
}
