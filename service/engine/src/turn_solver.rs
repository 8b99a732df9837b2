//! Solves one turn of one card for any value that can be compared and averaged: points, the
//! probability to win, or the values that a player with a skill sees.

use crate::dice::{Keep, Roll};
use crate::sheet::{Lattice, Steps};

/// The value that a turn is solved for.
pub trait Value: Copy {
    /// Less than every other value.
    const WORST: Self;
    /// Zero.
    const ZERO: Self;

    /// The sum of this and `weight` times `other`.
    #[must_use]
    fn plus(self, weight: f64, other: Self) -> Self;

    /// The better of both; this one if they are equal.
    #[must_use]
    fn best(self, other: Self) -> Self;
}

impl Value for f64 {
    const WORST: Self = f64::NEG_INFINITY;
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        self + weight * other
    }

    #[inline(always)]
    fn best(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Value for f32 {
    const WORST: Self = f32::NEG_INFINITY;
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        self + weight as f32 * other
    }

    #[inline(always)]
    fn best(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// The values of every roll and every keep of a turn under best play.
#[derive(Clone, Debug)]
pub struct SolvedTurn<W> {
    /// Throws a turn.
    throws: usize,
    keeps: usize,
    /// `[left]`: a row for each keep and then for each roll: the value of keeping with `left`
    /// throws left after the one that follows, and that of a roll with `left` throws left.
    rows: Vec<W>,
    /// Rows for each throw.
    stride: usize,
    /// The value of recording each roll, first after the first roll of the turn, then, where that
    /// differs, on it.
    records: [Vec<W>; 2],
}

impl<W: Value> SolvedTurn<W> {
    /// A turn of a kind that is not solved this way, see [`Sheet::is_plain`].
    ///
    /// [`Sheet::is_plain`]: crate::sheet::Sheet::is_plain
    pub(crate) fn other() -> Self {
        Self { throws: 0, keeps: 0, rows: Vec::new(), stride: 0, records: [Vec::new(), Vec::new()] }
    }

    /// Solves a turn of `throws` throws from the value of recording each roll.
    pub(crate) fn solve(lattice: &Lattice, throws: u8, records: [Vec<W>; 2]) -> Self {
        let throws = usize::from(throws);
        let keeps = lattice.keeps;
        let stride = keeps + lattice.rolls;
        let mut turn = Self { throws, keeps, rows: Vec::new(), stride, records };
        let mut all = vec![W::ZERO; throws * stride];
        let mut parts = Vec::new();
        for left in 0..throws {
            let (done, rows) = all.split_at_mut(left * stride);
            let rows = &mut rows[..stride];
            rows[keeps..].copy_from_slice(turn.records(left));
            if left > 0 {
                parts.clear();
                parts.extend_from_slice(&done[(left - 1) * stride..][..keeps]);
                lattice.keep_steps.iter().for_each(|steps| raise_keeps(lattice, steps, &mut parts));
                lattice.roll_steps.iter().for_each(|steps| raise(lattice, steps, &parts, rows));
            }
            if left + 1 < throws {
                match lattice.faces {
                    6 => average::<W, 6>(lattice, rows),
                    _ => average::<W, 0>(lattice, rows),
                }
            }
        }
        turn.rows = all;
        turn
    }

    fn records(&self, left: usize) -> &[W] {
        let first = left + 1 == self.throws && !self.records[1].is_empty();
        &self.records[usize::from(first)]
    }

    /// The value of keeping `keep`, with `left` throws left after the one that follows.
    #[must_use]
    pub fn keep(&self, left: u8, keep: Keep) -> W {
        self.rows[usize::from(left) * self.stride + keep.index()]
    }

    /// The value of `roll` with `left` throws left.
    #[must_use]
    pub fn roll(&self, left: u8, roll: Roll) -> W {
        self.rows[usize::from(left) * self.stride + self.keeps + roll.index()]
    }

    /// The value of recording `roll` in the best category with `left` throws left.
    #[must_use]
    pub fn record(&self, left: u8, roll: Roll) -> W {
        self.records(usize::from(left))[roll.index()]
    }

    /// The value of the turn before its first throw.
    pub(crate) fn start(&self, lattice: &Lattice) -> W {
        let first = &self.rows[(self.throws - 1) * self.stride + self.keeps..];
        let sum = first
            .iter()
            .zip(&lattice.ways)
            .fold(W::ZERO, |sum, (&roll, &ways)| sum.plus(f64::from(ways), roll));
        W::ZERO.plus(1.0 / lattice.throws, sum)
    }
}

/// Sets every keep to the mean of those with one die more. `FACES` is the number of faces, or 0
/// if it is not known when compiling.
fn average<W: Value, const FACES: usize>(lattice: &Lattice, rows: &mut [W]) {
    let faces = if FACES == 0 { lattice.faces } else { FACES };
    let share = 1.0 / faces as f64;
    for keep in (0..lattice.keeps).rev() {
        let more = &lattice.more[keep * faces..][..faces];
        let sum = more.iter().fold(W::ZERO, |sum, &more| sum.plus(1.0, rows[usize::from(more)]));
        rows[keep] = W::ZERO.plus(share, sum);
    }
}

/// Raises every keep to the best of itself and its parts.
fn raise_keeps<W: Value>(lattice: &Lattice, steps: &Steps, rows: &mut [W]) {
    for step in lattice.rows[steps.rows.clone()].chunks_exact(steps.parts + 1) {
        let row = usize::from(step[0]);
        rows[row] =
            step[1..].iter().fold(rows[row], |best, &part| best.best(rows[usize::from(part)]));
    }
}

/// Raises every roll to the best of itself and its parts.
fn raise<W: Value>(lattice: &Lattice, steps: &Steps, parts: &[W], rows: &mut [W]) {
    for step in lattice.rows[steps.rows.clone()].chunks_exact(steps.parts + 1) {
        let row = usize::from(step[0]);
        rows[row] =
            step[1..].iter().fold(rows[row], |best, &part| best.best(parts[usize::from(part)]));
    }
}
