//! Chances to gain points as a smooth curve: some are kept, at even steps from a number of points
//! that is almost sure to one that is almost impossible, and cubic interpolation gives the others.
//! Linear interpolation would be off by more than moves differ, and by the same for all points
//! between two steps.

use arrayvec::ArrayVec;
use pulp::{Simd, bytemuck};

/// The representation of a sure gain: chances are integers in units of its inverse.
pub(super) const SURE: f32 = 65_535.0;

/// The most numbers of points evaluated in one call.
const MOST_TOGETHER: usize = 16;

/// The most chances that are kept of a card.
pub(super) const MOST_LANES: usize = 192;

/// The chances of one card, as read from its [`code`](Code).
type Chances = ArrayVec<u16, MOST_LANES>;

/// The chances of a card, a byte for each: by how much it is below the one before it, the first below
/// [`SURE`], in units of the card. What rounding leaves is made up for by the next one, so that each
/// is within half a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code<'a>(&'a [u8]);

impl<'a> Code<'a> {
    /// Bytes in which the unit is written.
    const UNIT: usize = 2;

    /// Bytes of so many chances.
    pub(super) fn bytes(lanes: usize) -> usize {
        Self::UNIT + lanes
    }

    /// Writes chances, none of which is above the one before it.
    pub(super) fn write(chances: &[f32], out: &mut [u8]) {
        let before = std::iter::once(&SURE).chain(chances);
        let drops = before.zip(chances).map(|(before, chance)| before - chance);
        // One more may be needed for what was left by the chance before.
        let most = u32::from(u8::MAX) - 1;
        let unit = (drops.fold(0.0, f32::max).ceil() as u32).div_ceil(most).max(1) as u16;
        out[..Self::UNIT].copy_from_slice(&unit.to_le_bytes());
        let mut at = SURE as i32;
        for (out, &chance) in out[Self::UNIT..].iter_mut().zip(chances) {
            let chance = (chance.clamp(0.0, SURE) + 0.5) as i32;
            let drop = (at - chance + i32::from(unit) / 2).div_euclid(unit.into());
            *out = drop.clamp(0, u8::MAX.into()) as u8;
            at = (at - i32::from(*out) * i32::from(unit)).max(0);
        }
    }

    /// What was written.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn unit(self) -> u16 {
        u16::from_le_bytes([self.0[0], self.0[1]])
    }

    fn lanes(self) -> usize {
        self.0.len() - Self::UNIT
    }

    /// The first `count` chances, or as many as there are.
    fn chances(self, count: usize) -> Chances {
        let unit = self.unit();
        let drops = self.0[Self::UNIT..].iter().take(count);
        let each = drops.scan(SURE as u16, |at, &drop| {
            *at = at.saturating_sub(u16::from(drop).saturating_mul(unit));
            Some(*at)
        });
        each.collect()
    }
}

/// The chances of one card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve<'a> {
    /// The fewest points for which a chance is kept.
    pub(super) first: u16,
    /// Points from one to the next.
    pub(super) step: u16,
    /// The chances, in parts of [`SURE`].
    pub(super) code: Code<'a>,
}

impl Curve<'_> {
    /// The chance to gain `needed` points, in parts of [`SURE`].
    pub(super) fn at(&self, needed: f64) -> f32 {
        let at = ((needed - f64::from(self.first)) / f64::from(self.step)) as f32;
        let lanes = self.code.lanes();
        if at <= -1.0 || at >= lanes as f32 {
            return if at < 0.0 { SURE } else { 0.0 };
        }
        between(&self.code.chances((at.max(0.0) as usize + 3).min(lanes)), at)
    }

    /// The chance to gain every number of points from 0 on, in parts of [`SURE`]; none beyond the last.
    pub(super) fn each(&self) -> Vec<f32> {
        let chances = self.code.chances(MOST_LANES);
        let at = |points: i32| (points - i32::from(self.first)) as f32 / f32::from(self.step);
        let mut each: Vec<f32> =
            (0..self.end()).map(|points| between(&chances, at(points))).collect();
        // No fewer points than none are gained.
        each.first_mut().into_iter().for_each(|none| *none = SURE);
        each
    }

    /// The numbers of points for which a chance is kept, and the chances.
    #[cfg(test)]
    pub(super) fn kept(&self) -> impl Iterator<Item = (u16, u16)> {
        let points = (0..).map(move |lane| self.first + lane * self.step);
        points.zip(self.code.chances(MOST_LANES))
    }

    /// The most by which a kept chance is off.
    #[cfg(test)]
    pub(super) fn rounding(&self) -> f32 {
        f32::from(self.code.unit()) / 2.0
    }

    /// The points from which on the curve is 0.
    fn end(&self) -> i32 {
        i32::from(self.first) + self.code.lanes() as i32 * i32::from(self.step)
    }

    /// The points up to which a gain is sure.
    pub(super) fn start(&self) -> i32 {
        i32::from(self.first) - i32::from(self.step)
    }

    /// The points to which it must be evaluated at least.
    pub(super) fn drawn_to(&self) -> i32 {
        self.end() + usize::from(self.step).next_multiple_of(MOST_TOGETHER) as i32
    }

    /// Evaluates the curve: the chance of every number of points from `base` on, [`Curve::start`] at
    /// most, to [`Curve::drawn_to`] or beyond.
    #[inline(always)]
    pub(super) fn draw<S: Simd>(&self, simd: S, base: i32, parts: &Parts<S>, out: &mut [f32]) {
        let mut from = (self.start() - base) as usize;
        out[..from].fill(SURE);
        let chances = self.code.chances(MOST_LANES);
        let lane = |lane: usize| chances.get(lane).map_or(0.0, |&chance| f32::from(chance));
        let mut taps = [SURE, SURE, lane(0), lane(1)];
        for next in 2..chances.len() + 3 {
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
        let chances: Vec<f32> = (0..32).map(|lane| SURE - (lane * lane * 60) as f32).collect();
        let mut bytes = vec![0; Code::bytes(chances.len())];
        Code::write(&chances, &mut bytes);
        for isa in Isa::available() {
            for (first, step) in [(0, 1), (3, 1), (7, 5), (40, 9), (11, 16), (90, 23)] {
                let curve = Curve { first, step, code: Code::of(&bytes) };
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

    #[test]
    fn coded_chances_are_within_half_a_unit() {
        let step = |lane: f32| if lane < 9.0 { SURE } else { 3000.0 };
        let slope = |lane: f32| SURE / (1.0 + (lane - 16.0).exp());
        let line = |lane: f32| SURE - 200.0 * lane;
        let none = |_: f32| 0.0;
        let shapes: [(&dyn Fn(f32) -> f32, u16); 4] =
            [(&step, 247), (&slope, 60), (&line, 1), (&none, 259)];
        for (shape, unit) in shapes {
            let chances: Vec<f32> = (0..32).map(|lane| shape(lane as f32)).collect();
            let mut bytes = vec![0; Code::bytes(chances.len())];
            Code::write(&chances, &mut bytes);
            let code = Code::of(&bytes);
            assert_eq!(code.unit(), unit);
            let found = code.chances(MOST_LANES);
            assert_eq!(found.len(), chances.len());
            for (chance, found) in chances.iter().zip(found) {
                let off = (chance - f32::from(found)).abs();
                assert!(off <= f32::from(unit) / 2.0 + 0.5, "{chance} is read as {found}");
            }
        }
    }
}
