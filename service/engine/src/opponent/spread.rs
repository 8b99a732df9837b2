//! How widely the rest of a card's game is spread under best play. A second pass over the cards
//! of a solved sheet, with the square of the points next to the points: the policy is the solved
//! one, so deviations are exact where they are kept. They are kept for every set of filled
//! categories at a few upper totals, between which they hardly bend; the table of fifteen
//! categories takes a second or two of one processor to make, under one megabyte to hold, and is
//! wanted only for aims and for the distribution of scores.

use super::game::{Game, turn_of};
use super::turn::Worth;
use crate::category::CategorySet;
use crate::sheet::{CardState, Sheet};
use crate::solve::Values;

/// Upper totals for which deviations are kept.
const KNOTS: usize = 6;

/// The most categories for which a table is made.
const MOST_CATEGORIES: usize = 16;

/// Points still to be gained, and their square, on average.
#[derive(Clone, Copy, Debug)]
struct Moments {
    points: f64,
    square: f64,
}

impl Worth for Moments {
    const WORST: Self = Self { points: f64::NEG_INFINITY, square: 0.0 };
    const ZERO: Self = Self { points: 0.0, square: 0.0 };

    #[inline(always)]
    fn key(self) -> f64 {
        self.points
    }

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        Self {
            points: self.points + weight * other.points,
            square: self.square + weight * other.square,
        }
    }
}

/// Standard deviations of the points still to be gained.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// `[upper rows filled]`: the upper totals for which deviations are kept, ascending.
    knots: Vec<Vec<u16>>,
    /// `[filled * flags + alike scored]`: where the deviations of that set start.
    starts: Vec<u32>,
    variances: Vec<f32>,
    flags: usize,
    upper: CategorySet,
    all: CategorySet,
    /// Variance a turn, where no table was made.
    rough: f64,
}

impl Spread {
    /// The deviations of every card of `game`, worked out on so many threads. With more than 16
    /// categories there are too many cards, and the answer is [`Spread::rough`].
    #[must_use]
    pub fn solve<V: Values + Sync>(game: &Game<'_, V>, threads: usize) -> Self {
        let sheet = game.sheet();
        let mut spread = Self::rough(game);
        let categories = sheet.categories().len();
        if categories > MOST_CATEGORIES {
            return spread;
        }
        spread.knots = knots(sheet);
        spread.flags = if sheet.tracks_alike() { 2 } else { 1 };
        let sets = 1 << categories;
        for bits in 0..sets {
            let of = spread.knots_of(CategorySet::from_bits(bits)).len();
            for _ in 0..spread.flags {
                spread.starts.push(spread.variances.len() as u32);
                spread.variances.resize(spread.variances.len() + of, 0.0);
            }
        }
        // The fullest cards first; what a layer needs is done before it.
        for filled in (0..categories).rev() {
            let layer: Vec<u32> =
                (0..sets).filter(|bits| bits.count_ones() as usize == filled).collect();
            let share = layer.len().div_ceil(threads.max(1));
            let done = &spread;
            let work = |sets: &[u32]| -> Vec<(usize, Vec<f32>)> {
                sets.iter().flat_map(|&bits| done.set(game, bits)).collect()
            };
            let solved: Vec<(usize, Vec<f32>)> = std::thread::scope(|scope| {
                let work = &work;
                let jobs: Vec<_> =
                    layer.chunks(share).map(|sets| scope.spawn(move || work(sets))).collect();
                jobs.into_iter().flat_map(|job| job.join().expect("it does not panic")).collect()
            });
            for (start, variances) in solved {
                spread.variances[start..start + variances.len()].copy_from_slice(&variances);
            }
        }
        spread
    }

    /// Deviations by the number of turns left alone, at no cost: what they are in the built-in
    /// rulesets, roughly, as a share of the points an average turn is worth.
    #[must_use]
    pub fn rough<V: Values>(game: &Game<'_, V>) -> Self {
        let sheet = game.sheet();
        let deviation = 0.55 * game.points_a_turn();
        Self {
            knots: Vec::new(),
            starts: Vec::new(),
            variances: Vec::new(),
            flags: 1,
            upper: sheet.upper(),
            all: sheet.categories(),
            rough: deviation * deviation,
        }
    }

    /// The variances of the cards with one set of filled categories, and where they go.
    fn set<V: Values>(&self, game: &Game<'_, V>, bits: u32) -> Vec<(usize, Vec<f32>)> {
        let sheet = game.sheet();
        let filled = CategorySet::from_bits(bits);
        let row_filled = sheet.alike_row().is_some_and(|row| filled.contains(row));
        (0..self.flags)
            .filter(|&flag| flag == 0 || row_filled)
            .map(|flag| {
                let variances = self.knots_of(filled).iter().map(|&upper| {
                    self.of(game, CardState { filled, upper, alike_scored: flag == 1 }) as f32
                });
                (self.starts[bits as usize * self.flags + flag] as usize, variances.collect())
            })
            .collect()
    }

    /// The variance of one card from those of the cards it leads to.
    fn of<V: Values>(&self, game: &Game<'_, V>, state: CardState) -> f64 {
        let sheet = game.sheet();
        let turn = turn_of(sheet, state, |category, gain| {
            let after = sheet.after(state, category, gain.points);
            let further = game.values.value(after);
            let points = f64::from(gain.total()) + further;
            Moments { points, square: points * points + self.variance(after) }
        });
        let Moments { points, square } = turn.start(sheet.lattice());
        (square - points * points).max(0.0)
    }

    /// The variance of the points that a card in `state` still gains under best play.
    #[must_use]
    pub fn variance(&self, state: CardState) -> f64 {
        if self.starts.is_empty() {
            return self.rough * self.all.without(state.filled).len() as f64;
        }
        let set = state.filled.bits() as usize * self.flags + usize::from(state.alike_scored);
        let knots = self.knots_of(state.filled);
        let of = &self.variances[self.starts[set] as usize..][..knots.len()];
        let above = knots.partition_point(|&knot| knot < state.upper).min(knots.len() - 1);
        if above == 0 || knots[above] == state.upper {
            return of[above].into();
        }
        let (low, high) = (f64::from(knots[above - 1]), f64::from(knots[above]));
        let part = ((f64::from(state.upper) - low) / (high - low)).min(1.0);
        f64::from(of[above - 1]) * (1.0 - part) + f64::from(of[above]) * part
    }

    /// Bytes that the table takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let knots: usize = self.knots.iter().map(|knots| size_of_val(&knots[..])).sum();
        size_of_val(&self.variances[..]) + size_of_val(&self.starts[..]) + knots
    }

    fn knots_of(&self, filled: CategorySet) -> &[u16] {
        &self.knots[filled.and(self.upper).bits() as usize]
    }
}

/// For every set of upper rows, a few of the capped totals that they can add up to.
fn knots(sheet: &Sheet) -> Vec<Vec<u16>> {
    let cap = usize::from(sheet.upper_cap());
    let sets = sheet.categories().bits() as usize + 1;
    let mut reachable: Vec<Vec<bool>> = vec![Vec::new(); sets];
    for bits in 0..sets {
        let set = CategorySet::from_bits(bits as u32);
        if !set.without(sheet.upper()).is_empty() {
            continue;
        }
        let mut totals = vec![false; cap + 1];
        match set.iter().last() {
            None => totals[0] = true,
            Some(last) => {
                let before = &reachable[set.without(CategorySet::EMPTY.with(last)).bits() as usize];
                for points in sheet.possible_points(last) {
                    for upper in (0..=cap).filter(|&upper| before[upper]) {
                        totals[(upper + usize::from(*points)).min(cap)] = true;
                    }
                }
            }
        }
        reachable[bits] = totals;
    }
    reachable
        .iter()
        .map(|totals| {
            let all: Vec<u16> = (0u16..).zip(totals).filter(|(_, on)| **on).map(|t| t.0).collect();
            let picks = KNOTS.min(all.len());
            let pick = |i: usize| all[i * (all.len() - 1) / (picks - 1).max(1)];
            (0..picks).map(pick).collect()
        })
        .collect()
}
