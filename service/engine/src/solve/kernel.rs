//! One turn of a vector of cards: from what each roll is worth when recorded to the value of the
//! turn before its first throw. Cards are lanes and know nothing of each other, so a lane's value
//! does not depend on which cards stand beside it.
//!
//! It is [`TurnTables`](super::TurnTables) again, with three savings. One set of rows serves all
//! throws: the best part of a keep takes the place of the keep's value, and the value of a roll
//! with more throws left that with fewer, which it is never below. The first throw needs no keeps,
//! only the mean over rolls. And the mean over faces multiplies by the reciprocal in two parts,
//! since the nearest `f32` to a sixth is off by 3e-8, the same way every time.

use std::any::TypeId;

use pulp::{Scalar512b, Simd};

use crate::sheet::{Lattice, Steps};

/// Values the turn of a vector of cards. `rows` has a row for each keep and then for each roll;
/// those of the rolls hold what recording them is worth. `served` is the same on the first roll of
/// the turn where that differs; with only one throw, `rows` has to hold it.
#[inline(always)]
pub(super) fn turn<S: Simd>(
    simd: S,
    lattice: &Lattice,
    throws: u8,
    rows: &mut [S::f32s],
    served: Option<&[S::f32s]>,
) -> S::f32s {
    for left in 1..throws {
        match lattice.faces {
            6 => keep_values::<S, 6>(simd, lattice, rows),
            _ => keep_values::<S, 0>(simd, lattice, rows),
        }
        for steps in &lattice.keep_steps {
            best_parts(simd, lattice, steps, rows);
        }
        if let Some(served) = served.filter(|_| left + 1 == throws) {
            rows[lattice.keeps..].copy_from_slice(served);
        }
        for steps in &lattice.roll_steps {
            best_parts(simd, lattice, steps, rows);
        }
    }
    mean(simd, lattice, &rows[lattice.keeps..])
}

/// Sets every keep to the mean of the keeps with one die more. `FACES` is the number of faces, or
/// 0 if it is not known when compiling.
#[inline(always)]
fn keep_values<S: Simd, const FACES: usize>(simd: S, lattice: &Lattice, rows: &mut [S::f32s]) {
    let faces = if FACES == 0 { lattice.faces } else { FACES };
    let more = &lattice.more[..lattice.keeps * faces];
    for keep in (0..lattice.keeps).rev() {
        let more = &more[keep * faces..][..faces];
        let mut sum = rows[usize::from(more[0])];
        for &more in &more[1..] {
            sum = simd.add_f32s(sum, rows[usize::from(more)]);
        }
        rows[keep] = share(simd, sum, faces as f64);
    }
}

#[inline(always)]
fn best_parts<S: Simd>(simd: S, lattice: &Lattice, steps: &Steps, rows: &mut [S::f32s]) {
    let list = &lattice.rows[steps.rows.clone()];
    match steps.parts {
        1 => best_of::<S, 2>(simd, list, rows),
        2 => best_of::<S, 3>(simd, list, rows),
        3 => best_of::<S, 4>(simd, list, rows),
        4 => best_of::<S, 5>(simd, list, rows),
        5 => best_of::<S, 6>(simd, list, rows),
        _ => best_of::<S, 7>(simd, list, rows),
    }
}

/// Raises a row to the best of itself and the rows after it in `list`, for each `ROWS` of them.
#[inline(always)]
fn best_of<S: Simd, const ROWS: usize>(simd: S, list: &[u16], rows: &mut [S::f32s]) {
    for step in list.chunks_exact(ROWS) {
        let mut best = rows[usize::from(step[0])];
        for &part in &step[1..] {
            best = simd.max_f32s(best, rows[usize::from(part)]);
        }
        rows[usize::from(step[0])] = best;
    }
}

/// The mean of the rolls' rows, in four sums that do not wait for each other. The weights are
/// whole numbers of ordered throws: probabilities would be rounded, all a little to one side.
#[inline(always)]
fn mean<S: Simd>(simd: S, lattice: &Lattice, rows: &[S::f32s]) -> S::f32s {
    let mut sums = [simd.splat_f32s(0.0); 4];
    for (ways, rows) in lattice.ways.chunks(4).zip(rows.chunks(4)) {
        for ((sum, &ways), &row) in sums.iter_mut().zip(ways).zip(rows) {
            *sum = simd.add_f32s(*sum, simd.mul_f32s(simd.splat_f32s(ways), row));
        }
    }
    let sum = simd.add_f32s(simd.add_f32s(sums[0], sums[1]), simd.add_f32s(sums[2], sums[3]));
    share(simd, sum, lattice.throws)
}

/// `sum / count`, rounded once: as a division, or as a product with the reciprocal in two parts,
/// which is much faster and, for the counts of dice, the same to the last bit.
#[inline(always)]
fn share<S: Simd>(simd: S, sum: S::f32s, count: f64) -> S::f32s {
    if TypeId::of::<S>() == TypeId::of::<Scalar512b>() {
        // Without an instruction for it, a fused product is a call into a library.
        return simd.div_f32s(sum, simd.splat_f32s(count as f32));
    }
    let (near, rest) = reciprocal(count);
    simd.mul_add_e_f32s(sum, simd.splat_f32s(near), simd.mul_f32s(sum, simd.splat_f32s(rest)))
}

/// `1 / count` as the sum of two numbers.
fn reciprocal(count: f64) -> (f32, f32) {
    let near = (1.0 / count) as f32;
    (near, (1.0 / count - f64::from(near)) as f32)
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
