//! Classes of upper totals with the same value. Of the upper section, the rest of the game depends
//! only on the distance to each bonus, and only as far as the open rows can reach it: with nothing
//! but the sixes open, needing 13 or 18 more is the same. Such totals share one value, as do all
//! totals with no bonus in reach.

use crate::category::{Category, CategorySet};
use crate::definition::UpperBonus;

/// No class: an unreachable total.
const NONE: u16 = u16::MAX;

/// A bonus out of reach, or already earned.
const OUT_OF_REACH: u16 = u16::MAX;

/// The classes of upper totals for every set of filled upper rows. The number of a set of rows is
/// in `0..2^rows`; bit `i` stands for the `i`-th row that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TotalClasses {
    cap: usize,
    /// `[rows number * (cap + 1) + total]`: class of a total, [`NONE`] if unreachable.
    class_of: Vec<u16>,
    /// `starts[rows number]..starts[rows number + 1]` are the classes in `totals`.
    starts: Vec<u32>,
    /// The least total of each class.
    totals: Vec<u16>,
}

impl TotalClasses {
    /// The classes for upper rows, given the points that each can hold. Totals are capped at the
    /// highest threshold, from which on nothing more is earned.
    pub(super) fn new(rows: &[&[i16]], bonuses: &[UpperBonus]) -> Self {
        let cap = usize::from(bonuses.iter().map(|b| b.threshold).max().unwrap_or(0));
        let sets = 1usize << rows.len();
        let sums = reachable_sums(rows, cap);
        let mut classes = Self {
            cap,
            class_of: vec![NONE; sets * (cap + 1)],
            starts: vec![0],
            totals: Vec::new(),
        };
        let mut known: Vec<Signature> = Vec::new();
        for set in 0..sets {
            let still = &sums[(sets - 1 - set) * (cap + 1)..][..cap + 1];
            let next_sum = next_set(still);
            known.clear();
            for total in (0..=cap).filter(|&total| sums[set * (cap + 1) + total]) {
                let signature = signature(bonuses, total, &next_sum);
                let class = known.iter().position(|&other| other == signature);
                let class = class.unwrap_or_else(|| {
                    known.push(signature);
                    classes.totals.push(total as u16);
                    known.len() - 1
                });
                classes.class_of[set * (cap + 1) + total] = class as u16;
            }
            classes.starts.push(classes.totals.len() as u32);
        }
        classes
    }

    /// How many classes there are, over all sets of upper rows.
    pub(super) fn len(&self) -> usize {
        self.totals.len()
    }

    /// Bytes that the classes take.
    pub(super) fn bytes(&self) -> usize {
        2 * (self.class_of.len() + self.totals.len()) + 4 * self.starts.len()
    }

    /// How many sets of upper rows there are.
    pub(super) fn sets(&self) -> usize {
        self.starts.len() - 1
    }

    /// The least total of each class of a set of rows.
    pub(super) fn totals(&self, set: usize) -> &[u16] {
        &self.totals[self.starts[set] as usize..self.starts[set + 1] as usize]
    }

    /// The class of a total of a set of rows.
    ///
    /// # Panics
    /// If the total is above the cap.
    pub(super) fn class(&self, set: usize, total: u16) -> usize {
        assert!(usize::from(total) <= self.cap);
        usize::from(self.class_of[set * (self.cap + 1) + usize::from(total)])
    }

    /// The highest distinguished total.
    pub(super) fn cap(&self) -> u16 {
        self.cap as u16
    }
}

/// The signature of a total, equal for totals of equal value: for every bonus, the least sum of the
/// open
/// rows that still earns it.
type Signature = [u16; crate::check::MAX_UPPER_BONUSES];

fn signature(bonuses: &[UpperBonus], total: usize, next_sum: &[u16]) -> Signature {
    let mut needed = [OUT_OF_REACH; crate::check::MAX_UPPER_BONUSES];
    for (needed, bonus) in needed.iter_mut().zip(bonuses) {
        if let Some(missing) = usize::from(bonus.threshold).checked_sub(total).filter(|&m| m > 0) {
            *needed = next_sum[missing];
        }
    }
    needed
}

/// For every sum, the least one from there on that is in the set.
fn next_set(sums: &[bool]) -> Vec<u16> {
    let mut next = OUT_OF_REACH;
    let mut out: Vec<u16> = (0..sums.len())
        .rev()
        .map(|sum| {
            if sums[sum] {
                next = sum as u16;
            }
            next
        })
        .collect();
    out.reverse();
    out
}

/// `[rows number * (cap + 1) + sum]`: whether the rows of that number can hold that sum, capped.
fn reachable_sums(rows: &[&[i16]], cap: usize) -> Vec<bool> {
    let sets = 1usize << rows.len();
    let width = cap + 1;
    let mut reachable = vec![false; sets * width];
    reachable[0] = true;
    for set in 1..sets {
        let last = set.ilog2() as usize;
        let (before, here) = reachable.split_at_mut(set * width);
        let before = &before[(set & !(1 << last)) * width..][..width];
        for (sum, _) in before.iter().enumerate().filter(|&(_, &possible)| possible) {
            for &points in rows[last] {
                here[(sum + points.max(0) as usize).min(cap)] = true;
            }
        }
    }
    reachable
}

/// Converts sets of categories to numbers of the counted rows among them, and back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowNumbers {
    counted: CategorySet,
    /// Whether sets fit the halves.
    small: bool,
    /// `[half][ten bits of a set]`: the row bits they stand for.
    halves: [Vec<u32>; 2],
    sets: Vec<CategorySet>,
}

const HALF: u32 = 10;

impl RowNumbers {
    /// Numbers the subsets of `counted`, among so many categories.
    pub(super) fn new(counted: CategorySet, categories: usize) -> Self {
        let small = categories <= 2 * HALF as usize;
        let rows: Vec<Category> = counted.iter().collect();
        let number = |bits: u32| {
            let set = CategorySet::from_bits(bits);
            (0u32..).zip(&rows).fold(0, |n, (i, &row)| n | u32::from(set.contains(row)) << i)
        };
        let bits = if small { 1 << HALF } else { 0 };
        let half = |shift: u32| (0..bits).map(|bits| number(bits << shift)).collect();
        let set = |number: u32| rows.iter().enumerate().filter(move |&(i, _)| number >> i & 1 == 1);
        let sets = (0..1u32 << rows.len()).map(|n| set(n).map(|(_, &row)| row).collect()).collect();
        Self { counted, small, halves: [half(0), half(HALF)], sets }
    }

    /// Bytes that the numbers take.
    pub(super) fn bytes(&self) -> usize {
        let halves: usize = self.halves.iter().map(Vec::len).sum();
        4 * (halves + self.sets.len())
    }

    /// The categories that are numbered.
    pub(super) fn counted(&self) -> CategorySet {
        self.counted
    }

    /// The number of the counted rows in `set`.
    pub(super) fn number(&self, set: CategorySet) -> usize {
        if !self.small {
            let rows = (0..).zip(self.counted.iter());
            return rows.map(|(i, row)| usize::from(set.contains(row)) << i).sum();
        }
        let bits = set.bits();
        let low = self.halves[0][(bits & ((1 << HALF) - 1)) as usize];
        let high = self.halves[1][(bits >> HALF) as usize];
        (low | high) as usize
    }

    /// The rows of this number.
    pub(super) fn set(&self, number: usize) -> CategorySet {
        self.sets[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standard() -> Vec<Vec<i16>> {
        (1..=6).map(|face| (0..=5).map(|count| face * count).collect()).collect()
    }

    const BONUS: UpperBonus = UpperBonus { threshold: 63, points: 35 };

    #[test]
    fn totals_with_equal_values_share_a_class() {
        let classes =
            TotalClasses::new(&standard().iter().map(Vec::as_slice).collect::<Vec<_>>(), &[BONUS]);
        assert_eq!(classes.totals(0), [0]);
        // All filled: the bonus is decided, whatever the total.
        assert_eq!(classes.totals(63), [0]);
        // Only the sixes open: 0 to 30 in steps of six can come, so 33 to 38 are all five short.
        let sixes_open = 0b01_1111;
        assert_eq!(classes.totals(sixes_open).len(), 6);
        assert_eq!(classes.class(sixes_open, 33), classes.class(sixes_open, 38));
        assert_ne!(classes.class(sixes_open, 38), classes.class(sixes_open, 39));
        assert_eq!(classes.class(sixes_open, 0), classes.class(sixes_open, 63));
    }

    #[test]
    fn sets_are_numbered_by_the_rows_that_count() {
        let counted: CategorySet = [2, 9, 10, 19].map(Category::new).into_iter().collect();
        let numbers = RowNumbers::new(counted, 20);
        for number in 0..16 {
            assert_eq!(numbers.number(numbers.set(number)), number);
            let others = CategorySet::first(20).without(counted);
            let with_others = CategorySet::from_bits(numbers.set(number).bits() | others.bits());
            assert_eq!(numbers.number(with_others), number);
        }
    }
}
