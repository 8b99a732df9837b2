//! One turn, step by step, for one card or for a vector of cards: from the values of recording each
//! roll to the values of keeps and rolls with more throws left. In a vector each lane is an
//! independent card, so its value does not depend on the cards beside it. Any value that can be
//! compared and averaged will do: points, or the chance to gain some.
//!
//! It is [`TurnTables`](super::TurnTables) with three savings. One set of rows serves all throws:
//! the best part of a keep replaces the keep's value, and the value of a roll with more throws left
//! replaces that with fewer, which is never greater. The first throw needs no keeps, only the mean
//! over rolls. And the mean over faces needs no division.

use std::any::TypeId;

use arrayvec::ArrayVec;
use pulp::{Scalar512b, Simd};

use crate::category::{CategorySet, MAX_CATEGORIES};
use crate::sheet::{Lattice, RollClasses, Steps};

/// The arithmetic of a turn.
pub(crate) trait Arithmetic: Copy {
    /// The value of one card or of each card of a vector.
    type Value: Copy;
    /// `a + b`.
    fn add(self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// The greater of `a` and `b`.
    fn max(self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `value` times a whole number.
    fn times(self, value: Self::Value, count: f32) -> Self::Value;
    /// `sum / count`.
    fn share(self, sum: Self::Value, count: f64) -> Self::Value;
    /// The same number for every card.
    fn splat(self, number: f32) -> Self::Value;
}

/// One card in double precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct One;

impl Arithmetic for One {
    type Value = f64;

    #[inline(always)]
    fn add(self, a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline(always)]
    fn max(self, a: f64, b: f64) -> f64 {
        if a > b { a } else { b }
    }

    #[inline(always)]
    fn times(self, value: f64, count: f32) -> f64 {
        value * f64::from(count)
    }

    #[inline(always)]
    fn share(self, sum: f64, count: f64) -> f64 {
        sum * (1.0 / count)
    }

    #[inline(always)]
    fn splat(self, number: f32) -> f64 {
        number.into()
    }
}

/// A vector of cards in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<S: Simd>(pub(crate) S);

impl<S: Simd> Arithmetic for Vector<S> {
    type Value = S::f32s;

    #[inline(always)]
    fn add(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.add_f32s(a, b)
    }

    #[inline(always)]
    fn max(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.max_f32s(a, b)
    }

    #[inline(always)]
    fn times(self, value: S::f32s, count: f32) -> S::f32s {
        self.0.mul_f32s(self.0.splat_f32s(count), value)
    }

    #[inline(always)]
    fn splat(self, number: f32) -> S::f32s {
        self.0.splat_f32s(number)
    }

    /// Rounded once: as a division, or as a product with the reciprocal in two parts, which is much
    /// faster and, for the counts of dice, bit-identical. The nearest `f32` to a sixth alone is off
    /// by 3e-8, always to the same side, and that adds up.
    #[inline(always)]
    fn share(self, sum: S::f32s, count: f64) -> S::f32s {
        let Self(simd) = self;
        if TypeId::of::<S>() == TypeId::of::<Scalar512b>() {
            // Without an instruction for it, a fused product is a library call.
            return simd.div_f32s(sum, simd.splat_f32s(count as f32));
        }
        let (near, rest) = reciprocal(count);
        simd.mul_add_e_f32s(sum, simd.splat_f32s(near), simd.mul_f32s(sum, simd.splat_f32s(rest)))
    }
}

/// Two vectors at a time: half of the work to find the rows of a turn, for twice the memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<A>(pub(crate) A);

impl<A: Arithmetic> Arithmetic for Pair<A> {
    type Value = [A::Value; 2];

    #[inline(always)]
    fn add(self, a: Self::Value, b: Self::Value) -> Self::Value {
        [self.0.add(a[0], b[0]), self.0.add(a[1], b[1])]
    }

    #[inline(always)]
    fn max(self, a: Self::Value, b: Self::Value) -> Self::Value {
        [self.0.max(a[0], b[0]), self.0.max(a[1], b[1])]
    }

    #[inline(always)]
    fn times(self, value: Self::Value, count: f32) -> Self::Value {
        [self.0.times(value[0], count), self.0.times(value[1], count)]
    }

    #[inline(always)]
    fn share(self, sum: Self::Value, count: f64) -> Self::Value {
        [self.0.share(sum[0], count), self.0.share(sum[1], count)]
    }

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Value {
        [self.0.splat(number); 2]
    }
}

/// `1 / count` as the sum of two numbers.
fn reciprocal(count: f64) -> (f32, f32) {
    let near = (1.0 / count) as f32;
    (near, (1.0 / count - f64::from(near)) as f32)
}

/// Values the turn of a vector of cards. `rows` has a row for each keep and then for each roll;
/// those of the rolls hold the values of recording them. `served` has the values on the first roll
/// of the turn where they differ; with only one throw, `rows` has to hold these.
#[inline(always)]
pub(crate) fn turn<A: Arithmetic>(
    with: A,
    lattice: &Lattice,
    throws: u8,
    rows: &mut [A::Value],
    served: Option<&[A::Value]>,
) -> A::Value {
    for left in 1..throws {
        keep_values(with, lattice, rows);
        raise_keeps(with, lattice, rows);
        if let Some(served) = served.filter(|_| left + 1 == throws) {
            rows[lattice.keeps..].copy_from_slice(served);
        }
        raise_rolls(with, lattice, rows);
    }
    mean(with, lattice, &rows[lattice.keeps..])
}

/// The same where every roll whose dice were all thrown at once is served: `served` has the values
/// of recording it, and is then overwritten with the values of such rolls; `recorded` is
/// overwritten with the values of recording.
#[inline(always)]
pub(crate) fn turn_of_whole_throws<A: Arithmetic>(
    with: A,
    lattice: &Lattice,
    throws: u8,
    rows: &mut [A::Value],
    served: &mut [A::Value],
    recorded: &mut Vec<A::Value>,
) -> A::Value {
    recorded.clear();
    recorded.extend_from_slice(served);
    for _ in 1..throws {
        keep_values(with, lattice, rows);
        rows[0] = mean(with, lattice, served);
        raise_keeps(with, lattice, rows);
        // The rows hold first the rolls thrown at once, then the others.
        served.swap_with_slice(&mut rows[lattice.keeps..]);
        rows[lattice.keeps..].copy_from_slice(recorded);
        raise_rolls(with, lattice, rows);
        served.swap_with_slice(&mut rows[lattice.keeps..]);
        raise_rolls(with, lattice, rows);
    }
    mean(with, lattice, served)
}

/// Sets every keep to the mean of the keeps with one die more: the value of keeping it, if the
/// rolls hold their values after the throw.
#[inline(always)]
pub(crate) fn keep_values<A: Arithmetic>(with: A, lattice: &Lattice, rows: &mut [A::Value]) {
    match lattice.faces {
        6 => keep_values_of::<A, 6>(with, lattice, rows),
        _ => keep_values_of::<A, 0>(with, lattice, rows),
    }
}

/// `FACES` is the number of faces, or 0 if it is not known when compiling.
#[inline(always)]
fn keep_values_of<A: Arithmetic, const FACES: usize>(
    with: A,
    lattice: &Lattice,
    rows: &mut [A::Value],
) {
    let faces = if FACES == 0 { lattice.faces } else { FACES };
    let more = &lattice.more[..lattice.keeps * faces];
    for keep in (0..lattice.keeps).rev() {
        let more = &more[keep * faces..][..faces];
        let mut sum = rows[usize::from(more[0])];
        for &more in &more[1..] {
            sum = with.add(sum, rows[usize::from(more)]);
        }
        rows[keep] = with.share(sum, faces as f64);
    }
}

/// Raises every keep to the best of itself and its parts.
#[inline(always)]
pub(crate) fn raise_keeps<A: Arithmetic>(with: A, lattice: &Lattice, rows: &mut [A::Value]) {
    for steps in &lattice.keep_steps {
        raise(with, lattice, steps, rows);
    }
}

/// Raises every roll to the best of itself and its parts, all dice excluded.
#[inline(always)]
pub(crate) fn raise_rolls<A: Arithmetic>(with: A, lattice: &Lattice, rows: &mut [A::Value]) {
    for steps in &lattice.roll_steps {
        raise(with, lattice, steps, rows);
    }
}

#[inline(always)]
fn raise<A: Arithmetic>(with: A, lattice: &Lattice, steps: &Steps, rows: &mut [A::Value]) {
    let list = &lattice.rows[steps.rows.clone()];
    match steps.parts {
        1 => raise_each::<A, 2>(with, list, rows),
        2 => raise_each::<A, 3>(with, list, rows),
        3 => raise_each::<A, 4>(with, list, rows),
        4 => raise_each::<A, 5>(with, list, rows),
        5 => raise_each::<A, 6>(with, list, rows),
        _ => raise_each::<A, 7>(with, list, rows),
    }
}

/// Raises a row to the best of itself and the rows after it in `list`, for each `ROWS` of them.
#[inline(always)]
fn raise_each<A: Arithmetic, const ROWS: usize>(with: A, list: &[u16], rows: &mut [A::Value]) {
    for step in list.chunks_exact(ROWS) {
        let mut best = rows[usize::from(step[0])];
        for &part in &step[1..] {
            best = with.max(best, rows[usize::from(part)]);
        }
        rows[usize::from(step[0])] = best;
    }
}

/// Sets every roll to the value of its best record in one of the `open` categories, given the value
/// of each class of roll, as though none were a joker.
#[inline(always)]
pub(crate) fn best_of_rolls<A: Arithmetic>(
    with: A,
    classes: &RollClasses,
    open: CategorySet,
    values: &[A::Value],
    rolls: &mut [A::Value],
) {
    let sparse = open.and(classes.sparse());
    // A roll that a category pays has at least the value of a miss there, so the value of a miss is
    // set for all rolls before the paid ones are raised.
    let miss = sparse
        .iter()
        .map(|category| values[classes.of(category).start])
        .fold(with.splat(f32::NEG_INFINITY), |a, b| with.max(a, b));
    rolls.fill(miss);
    raise_dense(with, classes, open.without(sparse), values, rolls);
    for category in sparse.iter() {
        for &(roll, class) in classes.paid(category) {
            let roll = &mut rolls[usize::from(roll)];
            *roll = with.max(*roll, values[usize::from(class)]);
        }
    }
}

/// Raises every roll to the value of its best record in these categories, given the value of each
/// class of roll. Several categories at a time, so that rolls are seldom loaded and stored, in a
/// loop of fixed length.
#[inline(always)]
pub(crate) fn raise_dense<A: Arithmetic>(
    with: A,
    classes: &RollClasses,
    categories: CategorySet,
    values: &[A::Value],
    rolls: &mut [A::Value],
) {
    let lists = categories.iter().map(|category| classes.of_rolls(category));
    let lists: ArrayVec<&[u16], MAX_CATEGORIES> = lists.collect();
    for lists in lists.chunks(6) {
        match *lists {
            [a] => raise_to_class(with, [a], values, rolls),
            [a, b] => raise_to_class(with, [a, b], values, rolls),
            [a, b, c] => raise_to_class(with, [a, b, c], values, rolls),
            [a, b, c, d] => raise_to_class(with, [a, b, c, d], values, rolls),
            [a, b, c, d, e] => raise_to_class(with, [a, b, c, d, e], values, rolls),
            [a, b, c, d, e, f] => raise_to_class(with, [a, b, c, d, e, f], values, rolls),
            _ => unreachable!("one to six of them"),
        }
    }
}

#[inline(always)]
fn raise_to_class<A: Arithmetic, const LISTS: usize>(
    with: A,
    lists: [&[u16]; LISTS],
    values: &[A::Value],
    rolls: &mut [A::Value],
) {
    let lists = lists.map(|list| &list[..rolls.len()]);
    for (roll, value) in rolls.iter_mut().enumerate() {
        for list in lists {
            *value = with.max(*value, values[usize::from(list[roll])]);
        }
    }
}

/// The mean of the rolls' rows. The weights are integers, the numbers of ordered throws:
/// probabilities would be rounded, mostly to one side. Eight independent sums avoid waiting, and
/// each is an eighth of the total, so that additions lose fewer bits.
#[inline(always)]
pub(crate) fn mean<A: Arithmetic>(with: A, lattice: &Lattice, rows: &[A::Value]) -> A::Value {
    let mut sums = [with.splat(0.0); 8];
    for (ways, rows) in lattice.ways.chunks(8).zip(rows.chunks(8)) {
        for ((sum, &ways), &row) in sums.iter_mut().zip(ways).zip(rows) {
            *sum = with.add(*sum, with.times(row, ways));
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let pair = |a, b| with.add(a, b);
    let sum = pair(pair(pair(a, b), pair(c, d)), pair(pair(e, f), pair(g, h)));
    with.share(sum, lattice.throws)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_with_a_reciprocal_is_the_quotient() {
        let throws = (1..=5).map(|dice| 6f64.powi(dice));
        for count in (2..=20).map(f64::from).chain(throws) {
            let (near, rest) = reciprocal(count);
            let same = (0..1 << 23).filter(|mantissa| {
                let sum = f32::from_bits(0x3f80_0000 | mantissa);
                sum.mul_add(near, sum * rest) == sum / count as f32
            });
            assert_eq!(same.count(), 1 << 23, "{count}");
        }
    }
}
