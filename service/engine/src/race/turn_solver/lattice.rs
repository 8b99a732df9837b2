//! From the values of records to those of rolls and of holding dice, for one turn or several at a time.

use pulp::{Simd, WithSimd};

use super::{RUN, Records, Run};
use crate::race::position::RunningCount;
use crate::race::row::Row;
use crate::race::throws::{KEEPS, ROLLS, Tables, Throws};
use crate::turn_solver::Value;

/// The first keep of four dice; those of fewer dice are numbered before them.
const FOUR: usize = 84;

/// The best of `stop` and the records of each offer, the row `without` left out.
#[inline(always)]
fn best_of_offers<V: Value>(
    throws: &Throws,
    stop: V,
    records: &Records<V>,
    without: Option<Row>,
) -> [V; 64] {
    let mut best = [stop; 64];
    for (offer, best) in throws.offers.iter().zip(&mut best).skip(1) {
        for &(row, slot) in &offer.records {
            if without.is_none_or(|out| out as u8 != row) {
                *best = best.best(records[usize::from(row)][usize::from(slot)]);
            }
        }
    }
    best
}

/// The mean over a throw of all dice of the best of stopping and recording.
#[inline(always)]
pub(super) fn mean_of_offers<V: Value>(throws: &Throws, stop: V, records: &Records<V>) -> V {
    let offers = best_of_offers(throws, stop, records, None);
    let weighted = throws.offers.iter().zip(&offers);
    weighted.fold(V::ZERO, |mean, (offer, &best)| mean.plus(offer.probability.into(), best))
}

impl Tables {
    /// The best of stopping and recording for every roll.
    #[inline(always)]
    pub(super) fn by_roll<V: Value>(
        &self,
        throws: &Throws,
        stop: V,
        records: &Records<V>,
        run: Run<'_, V>,
    ) -> [V; ROLLS] {
        let offers = best_of_offers(throws, stop, records, run.map(|(count, _)| count.row));
        let mut best = [stop; ROLLS];
        for (best, &offer) in best.iter_mut().zip(&throws.of_roll) {
            *best = offers[usize::from(offer & 63)];
        }
        if let Some((RunningCount { row, points }, totals)) = run {
            for (best, &count) in best.iter_mut().zip(&self.count[row.index()]) {
                *best = best.best(totals[(usize::from(points) + usize::from(count)).min(RUN - 1)]);
            }
        }
        best
    }

    /// [`mean_of_offers`] with a running count.
    pub(super) fn mean_with_count<V: Value>(
        &self,
        throws: &Throws,
        stop: V,
        records: &Records<V>,
        (RunningCount { row, points }, totals): (RunningCount, &[V; RUN]),
    ) -> V {
        let offers = best_of_offers(throws, stop, records, Some(row));
        let counted = throws.counted[row.index()].iter();
        counted.fold(V::ZERO, |mean, &(offer, count, probability)| {
            let total = (usize::from(points) + usize::from(count)).min(RUN - 1);
            mean.plus(probability.into(), offers[usize::from(offer & 63)].best(totals[total]))
        })
    }

    /// The mean over a throw of all dice.
    #[inline(always)]
    pub(super) fn mean<V: Value>(&self, by_roll: &[V; ROLLS]) -> V {
        // Four sums, which a processor adds to at the same time.
        let mut sums = [V::ZERO; 4];
        let weighted = by_roll.chunks_exact(4).zip(self.probability.chunks_exact(4));
        for (values, probabilities) in weighted {
            for (sum, (&value, &p)) in sums.iter_mut().zip(values.iter().zip(probabilities)) {
                *sum = sum.plus(p.into(), value);
            }
        }
        let [a, b, c, d] = sums;
        a.plus(1.0, b).plus(1.0, c.plus(1.0, d))
    }

    /// Values of holding dice when the roll that comes is worth `after`, by keep; element 0 is unused.
    #[inline(always)]
    pub(super) fn holds<V: Value>(&self, after: &[V; ROLLS]) -> [V; KEEPS] {
        let mut hold = [V::ZERO; KEEPS];
        for (keep, more) in self.add.iter().enumerate().skip(FOUR) {
            let values = more.map(|roll| after[usize::from(roll) - KEEPS]);
            hold[keep] = mean_of_faces(values);
        }
        for keep in (1..FOUR).rev() {
            hold[keep] = mean_of_faces(self.add[keep].map(|more| hold[usize::from(more)]));
        }
        hold
    }

    /// The best of holding some of the dice of each roll.
    #[inline(always)]
    pub(super) fn best_holds<V: Value>(&self, hold: &[V; KEEPS]) -> [V; ROLLS] {
        let mut best = [V::WORST; KEEPS];
        for (keep, less) in self.less.iter().enumerate().take(KEEPS).skip(1) {
            let smaller = less.iter().map(|&less| best[usize::from(less)]);
            best[keep] = smaller.fold(hold[keep], V::best);
        }
        std::array::from_fn(|roll| {
            let smaller = self.less[KEEPS + roll].iter().map(|&less| best[usize::from(less)]);
            smaller.fold(V::WORST, V::best)
        })
    }
}

/// The mean over one die.
#[inline(always)]
fn mean_of_faces<V: Value>(values: [V; 6]) -> V {
    values.into_iter().fold(V::ZERO, |mean, value| mean.plus(1.0 / 6.0, value))
}

/// One throw of all dice, in several turns with the vectors of this processor.
pub(super) struct Once<'a, L> {
    pub(super) throws: &'a Throws,
    pub(super) stop: L,
    pub(super) records: &'a Records<L>,
}

impl<L: Value> WithSimd for Once<'_, L> {
    type Output = L;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> L {
        mean_of_offers(self.throws, self.stop, self.records)
    }
}
