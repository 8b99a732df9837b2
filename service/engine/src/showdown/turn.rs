//! One player's throws by backward induction: the value of keeping some dice, given the value of
//! stopping at each roll.
//!
//! A value is a row of numbers: the first decides, the others are chances that follow from the
//! decisions. Passing from one multiset to its neighbours takes a few thousand additions for five
//! dice; summing over all outcomes takes many times as many.

use super::game::Showdown;
use crate::dice::{DiceSpace, Keep, Roll};

/// Values closer than this are equal.
pub const EQUAL: f64 = 1e-12;

/// A value: `[0]` decides, the rest follows.
pub(super) type Row<const N: usize> = [f64; N];

/// The value of each keep when the other dice are thrown, given that of each roll.
pub(super) fn expect<const N: usize>(space: &DiceSpace, rolls: &[Row<N>]) -> Vec<Row<N>> {
    let full = space.level(space.dice()).start;
    let mut keeps = vec![[0.0; N]; full];
    keeps.extend_from_slice(rolls);
    let each = 1.0 / space.faces() as f64;
    for index in (0..full).rev() {
        let mut sum = [0.0; N];
        for more in space.more(space.keep(index)) {
            let row = keeps[more.index()];
            (0..N).for_each(|i| sum[i] += row[i]);
        }
        keeps[index] = sum.map(|value| value * each);
    }
    keeps
}

/// Whether a player prefers the keep `one`, of value `value`, to the keep `other`: its value is
/// greater or, among equal ones, it has more dice or higher faces. The results of the others may
/// depend on it.
pub(super) fn prefers(value: f64, one: usize, than: f64, other: usize) -> bool {
    value > than + EQUAL || (value >= than - EQUAL && one > other)
}

/// The value of each roll when the best of it is kept, where `keeps` holds the value of each keep
/// and, for all dice, of stopping.
fn best<const N: usize>(space: &DiceSpace, mut keeps: Vec<Row<N>>) -> Vec<Row<N>> {
    let mut kept: Vec<usize> = (0..keeps.len()).collect();
    for index in 1..keeps.len() {
        let (mut best, mut from) = (keeps[index], index);
        for fewer in space.fewer(space.keep(index)) {
            let (row, other) = (keeps[fewer.index()], kept[fewer.index()]);
            if prefers(row[0], other, best[0], from) {
                (best, from) = (row, other);
            }
        }
        (keeps[index], kept[index]) = (best, from);
    }
    keeps.split_off(space.level(space.dice()).start)
}

/// The value of each roll when the best of it is kept or it is left as it is.
pub(super) fn best_of_keeps<const N: usize>(
    space: &DiceSpace,
    mut keeps: Vec<Row<N>>,
    stop: &[Row<N>],
) -> Vec<Row<N>> {
    keeps.truncate(space.level(space.dice()).start);
    keeps.extend_from_slice(stop);
    best(space, keeps)
}

/// The values of a player's throws: element `left` holds the value of each keep when so many
/// rethrows are left after the throw that it leads to. `stop` returns the value of stopping at each
/// roll with so many rethrows left, `cost` the price of a throw.
pub(super) fn solve<const N: usize>(
    game: &Showdown,
    rethrows: u8,
    cost: f64,
    stop: impl Fn(u8) -> Vec<Row<N>>,
) -> Vec<Vec<Row<N>>> {
    let space = game.space();
    let mut levels = vec![expect(space, &stop(0))];
    for left in 1..=rethrows {
        let mut below = levels[usize::from(left) - 1].clone();
        below.iter_mut().for_each(|row| row[0] -= cost);
        let rolls = stop(left);
        levels.push(if game.definition().set_aside {
            expect_held(space, &below, &rolls)
        } else {
            expect(space, &best_of_keeps(space, below, &rolls))
        });
    }
    levels
}

/// The value of each keep when the other dice are thrown and the kept ones stay: of each result,
/// the best keep that includes them.
fn expect_held<const N: usize>(
    space: &DiceSpace,
    keeps: &[Row<N>],
    stop: &[Row<N>],
) -> Vec<Row<N>> {
    let mut expected = vec![[0.0; N]; keeps.len()];
    let mut best = vec![([0.0; N], 0); keeps.len()];
    for roll in space.all_rolls() {
        let whole = space.as_keep(roll);
        let mut parts: Vec<Keep> = space.keeps_of(roll).chain([whole]).collect();
        parts.sort_unstable_by(|a, b| b.cmp(a));
        for part in parts {
            let own = if part == whole { stop[roll.index()] } else { keeps[part.index()] };
            let (mut row, mut from) = (own, part.index());
            for more in space.more(part).filter(|&more| space.contains(whole, more)) {
                let (other, kept) = best[more.index()];
                if prefers(other[0], kept, row[0], from) {
                    (row, from) = (other, kept);
                }
            }
            best[part.index()] = (row, from);
            let chance = chance(space, part, roll);
            let sum = &mut expected[part.index()];
            (0..N).for_each(|i| sum[i] += chance * row[i]);
        }
    }
    expected
}

/// The probability that `roll` comes up when `keep`, a part of it, stays and the rest is thrown.
fn chance(space: &DiceSpace, keep: Keep, roll: Roll) -> f64 {
    let mut chance = 1.0;
    let mut thrown = 0.0;
    for (all, kept) in space.roll_counts(roll).iter().zip(space.counts(keep)) {
        for alike in 1..=all - kept {
            thrown += 1.0;
            chance *= thrown / f64::from(alike) / space.faces() as f64;
        }
    }
    chance
}

/// Passes to `each` every roll that may come up when `keep` stays and the rest is thrown, and its
/// probability.
pub(super) fn outcomes(space: &DiceSpace, keep: Keep, each: &mut dyn FnMut(Roll, f64)) {
    fn add(
        space: &DiceSpace,
        keep: Keep,
        from: u8,
        chance: f64,
        alike: f64,
        thrown: f64,
        each: &mut dyn FnMut(Roll, f64),
    ) {
        if let Some(roll) = space.as_roll(keep) {
            return each(roll, chance);
        }
        for face in from..=space.faces() as u8 {
            if let Some(more) = space.add(keep, face) {
                // The next of equal faces: the multinomial's denominator grows.
                let alike = if face == from { alike + 1.0 } else { 1.0 };
                let chance = chance * thrown / alike / space.faces() as f64;
                add(space, more, face, chance, alike, thrown + 1.0, each);
            }
        }
    }
    add(space, keep, 1, 1.0, 0.0, 1.0, each);
}
