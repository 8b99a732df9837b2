//! Chances to gain points as a smooth curve: some are kept, at even steps from a number of points
//! that is almost sure to one that is almost impossible, and cubic interpolation gives the others.
//! Linear interpolation would be off by more than moves differ, and by the same for all points
//! between two steps.

use pulp::{Simd, bytemuck};

/// The representation of a sure gain: chances are integers in units of its inverse.
pub(super) const SURE: f32 = 65_535.0;

/// The most numbers of points evaluated in one call.
const MOST_TOGETHER: usize = 16;

/// The chances of one card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve<'a> {
    /// The fewest points for which a chance is kept.
    pub(super) first: u16,
    /// Points from one to the next.
    pub(super) step: u16,
    /// The chances, in parts of [`SURE`].
    pub(super) chances: &'a [u16],
}

impl Curve<'_> {
    /// The chance to gain `needed` points, in parts of [`SURE`].
    pub(super) fn at(&self, needed: f64) -> f32 {
        between(self.chances, ((needed - f64::from(self.first)) / f64::from(self.step)) as f32)
    }

    /// The points from which on the curve is 0.
    fn end(&self) -> i32 {
        i32::from(self.first) + self.chances.len() as i32 * i32::from(self.step)
    }

    /// The points up to which a gain is sure.
    pub(super) fn start(&self) -> i32 {
        i32::from(self.first) - i32::from(self.step)
    }

    /// The points to which it must be evaluated at least.
    pub(super) fn drawn_to(&self) -> i32 {
        self.end() + usize::from(self.step).next_multiple_of(MOST_TOGETHER) as i32
    }

    /// Evaluates the curve: the chance of every number of points from `base` on, [`Curve::start`]
    /// at
    /// most, to [`Curve::drawn_to`] or beyond.
    #[inline(always)]
    pub(super) fn draw<S: Simd>(&self, simd: S, base: i32, parts: &Parts<S>, out: &mut [f32]) {
        let mut from = (self.start() - base) as usize;
        out[..from].fill(SURE);
        let lane = |lane: usize| self.chances.get(lane).map_or(0.0, |&chance| f32::from(chance));
        let mut taps = [SURE, SURE, lane(0), lane(1)];
        for next in 2..self.chances.len() + 3 {
            let cubic = Cubic::new(taps);
            // Values past the next kept chance are overwritten.
            for (&parts, out) in parts.of.iter().zip(out[from..].chunks_exact_mut(S::F32_LANES)) {
                out.copy_from_slice(bytemuck::cast_slice(&[cubic.all_at(simd, parts)]));
            }
            from += usize::from(self.step);
            taps = [taps[1], taps[2], taps[3], lane(next)];
        }
        out[from..].fill(0.0);
    }
}

/// How far each number of points lies between two for which a chance is kept.
#[derive(Clone, Debug)]
pub(super) struct Parts<S: Simd> {
    step: u16,
    of: Vec<S::f32s>,
}

impl<S: Simd> Parts<S> {
    /// For chances that are `step` points apart.
    pub(super) fn new(step: u16) -> Self {
        let length = usize::from(step).next_multiple_of(S::F32_LANES);
        let parts: Vec<f32> = (0..length).map(|i| i as f32 / f32::from(step)).collect();
        Self { step, of: S::as_simd_f32s(&parts).0.to_vec() }
    }

    /// The step that they are for.
    pub(super) fn step(&self) -> u16 {
        self.step
    }
}

/// The cubic between the second and the third of four chances.
#[derive(Clone, Copy)]
struct Cubic {
    at: f32,
    /// Between two kept chances no value is beyond either: needing more points is never likelier.
    least: f32,
    most: f32,
    slope: f32,
    bend: f32,
    twist: f32,
}

impl Cubic {
    #[inline(always)]
    fn new([a, b, c, d]: [f32; 4]) -> Self {
        Self {
            at: b,
            least: b.min(c),
            most: b.max(c),
            slope: c - a,
            bend: 2.0 * a - 5.0 * b + 4.0 * c - d,
            twist: 3.0 * (b - c) + d - a,
        }
    }

    /// The chance at a `part` of the way.
    fn at(self, part: f32) -> f32 {
        let chance = self.at + 0.5 * part * (self.slope + part * (self.bend + part * self.twist));
        chance.max(self.least).min(self.most)
    }

    /// The same for a vector of parts, to the last bit.
    #[inline(always)]
    fn all_at<S: Simd>(self, simd: S, parts: S::f32s) -> S::f32s {
        let along = |a, b| simd.add_f32s(simd.splat_f32s(a), simd.mul_f32s(parts, b));
        let twist = simd.splat_f32s(self.twist);
        let slope = along(self.slope, along(self.bend, twist));
        let half = simd.mul_f32s(simd.splat_f32s(0.5), parts);
        let chance = simd.add_f32s(simd.splat_f32s(self.at), simd.mul_f32s(half, slope));
        let chance = simd.max_f32s(chance, simd.splat_f32s(self.least));
        simd.min_f32s(chance, simd.splat_f32s(self.most))
    }
}

/// What lies at `at` between the lanes of `row`.
pub(super) fn between(row: &[u16], at: f32) -> f32 {
    if at <= -1.0 {
        return SURE;
    }
    if at >= row.len() as f32 {
        return 0.0;
    }
    let low = at.floor();
    let lane = |offset: i32| match usize::try_from(low as i32 + offset) {
        Err(_) => SURE,
        Ok(lane) => row.get(lane).map_or(0.0, |&chance| f32::from(chance)),
    };
    Cubic::new([lane(-1), lane(0), lane(1), lane(2)]).at(at - low)
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;
    use crate::solve::Isa;

    struct Draw<'a>(Curve<'a>, i32, &'a mut [f32]);

    impl WithSimd for Draw<'_> {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            self.0.draw(simd, self.1, &Parts::new(self.0.step), self.2);
        }
    }

    #[test]
    fn a_curve_interpolates_within_a_twentieth() {
        let chances: Vec<u16> = (0..32u16).map(|lane| 65_535 - lane * lane * 60).collect();
        for isa in Isa::available() {
            for (first, step) in [(0, 1), (3, 1), (7, 5), (40, 9), (11, 16), (90, 23)] {
                let curve = Curve { first, step, chances: &chances };
                let base = curve.start() - 12;
                let mut drawn = vec![-1.0; (curve.drawn_to() - base) as usize];
                isa.run(Draw(curve, base, &mut drawn));
                for (points, &drawn) in (base..).zip(&drawn) {
                    let exact = curve.at(points.into());
                    let off = (drawn - exact).abs();
                    assert!(off < 0.05, "{isa:?} {first} {step} {points}: {drawn}, not {exact}");
                }
            }
        }
    }
}
