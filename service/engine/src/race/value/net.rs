//! The network: sparse features into one hidden layer of saturating units, and from there and from
//! the features themselves into two outputs, the log-odds to win and the final margin.

use super::features::{STAGES, pair, second_margins};
use crate::race::row::ROWS;

/// Units of the hidden layer.
pub const HIDDEN: usize = 64;

/// Weights that leave a feature: to the hidden units, straight to the log-odds, straight to the
/// margin, and padding to whole vectors.
pub const ROW: usize = HIDDEN + WIDTH;

/// Units that are added up side by side.
pub(super) const WIDTH: usize = 8;

/// The weights of one feature.
pub type WeightRow = [f32; ROW];

/// Index of the weight straight to the log-odds in a [`WeightRow`].
pub(super) const ODDS: usize = HIDDEN;

/// Index of the weight straight to the margin in a [`WeightRow`].
pub(super) const GAP: usize = HIDDEN + 1;

/// Points of one unit of the margin's output.
pub(super) const GAP_SCALE: f32 = 100.0;

/// The weights of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// What leaves each feature.
    pub first: Vec<WeightRow>,
    /// From the hidden units to the log-odds, in each stage of the game.
    pub odds: [[f32; HIDDEN]; STAGES],
    /// The same to the margin, in units of 100 points beyond the present margin.
    pub gap: [[f32; HIDDEN]; STAGES],
}

/// Two to the 112th: exponents of half precision count from 15, those of `f32` from 127.
const HALF_SCALE: f32 = f32::from_bits((112 + 127) << 23);

/// The reason why bytes are no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The number of bytes is wrong.
    #[error("{found} bytes of weights where {wanted} belong")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there must be.
        wanted: usize,
    },
}

/// The saturating unit: a parabola on either side, from -1 at -2 to 1 at 2. Cheaper than a
/// sigmoid and as smooth as learning needs.
#[must_use]
#[inline(always)]
pub fn squash(x: f32) -> f32 {
    let x = x.clamp(-2.0, 2.0);
    x * (1.0 - 0.25 * x.abs())
}

/// The slope of [`squash`].
#[must_use]
#[inline(always)]
pub fn squash_slope(x: f32) -> f32 {
    (1.0 - 0.5 * x.abs()).max(0.0)
}

/// The logistic function.
#[inline(always)]
#[must_use]
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `e` to the power `x` to about seven digits, the same on every machine.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let t = (x * std::f32::consts::LOG2_E).clamp(-126.0, 126.0);
    let whole = (t + 12_582_912.0) - 12_582_912.0;
    let part = t - whole;
    let mut power = 1.535_336_2e-4;
    for coefficient in [1.339_887_5e-3, 9.618_437e-3, 5.550_333e-2, 2.402_264_7e-1, 6.931_472e-1] {
        power = power * part + coefficient;
    }
    let power = power * part + 1.0;
    power * f32::from_bits(((whole as i32 + 127) << 23) as u32)
}

impl Net {
    /// Numbers in a network of `features` features.
    fn size(features: usize) -> usize {
        features * (HIDDEN + 2) + 2 * HIDDEN * STAGES
    }

    /// A network of nothing but zeros.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            first: vec![[0.0; ROW]; super::FEATURES],
            odds: [[0.0; HIDDEN]; STAGES],
            gap: [[0.0; HIDDEN]; STAGES],
        }
    }

    /// Reads weights as [`Net::to_bytes`] writes them.
    ///
    /// # Errors
    /// If there are not as many as a network has.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let mut net = Self::zero();
        let wanted = 2 * Self::size(net.first.len());
        if bytes.len() != wanted {
            return Err(NetError::Length { found: bytes.len(), wanted });
        }
        let mut numbers = bytes.chunks_exact(2).map(|two| {
            let half = u32::from(u16::from_le_bytes([two[0], two[1]]));
            let size = f32::from_bits((half & 0x7fff) << 13) * HALF_SCALE;
            if half & 0x8000 == 0 { size } else { -size }
        });
        for slot in net.numbers_mut() {
            *slot = numbers.next().unwrap_or_default();
        }
        Ok(net)
    }

    /// The weights, each as a number of half precision in little endian order: the rows of the
    /// features, then the output rows. Rounds to eleven bits; no weight comes near the limit of
    /// 65504.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut copy = self.clone();
        copy.numbers_mut()
            .flat_map(|number| {
                let bits = (number.abs().min(65504.0) / HALF_SCALE).to_bits();
                let rounded = (bits + 0xfff + (bits >> 13 & 1)) >> 13;
                let sign = u32::from(number.is_sign_negative()) << 15;
                ((rounded | sign) as u16).to_le_bytes()
            })
            .collect()
    }

    /// Fits weights learned by two players to tables of more: features that two players never have
    /// (a row opened by one other player and not by another) start with the weights of the most
    /// similar ones.
    pub fn widen(&mut self) {
        for row in 0..ROWS {
            for own in 0..=5 {
                for most in 1..=5 {
                    self.first[pair(row, own, most, true)] =
                        self.first[pair(row, own, most, false)];
                }
            }
        }
        for (feature, _) in second_margins(0.0, 1.0) {
            self.first[feature] = [0.0; ROW];
        }
    }

    /// Every weight in use, padding left out.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.first.iter_mut().flat_map(|row| &mut row[..HIDDEN + 2]);
        rows.chain(self.odds.as_flattened_mut()).chain(self.gap.as_flattened_mut())
    }

    /// The hidden sums and straight answers of these features.
    #[must_use]
    pub fn sum(&self, features: &[super::Feature]) -> WeightRow {
        let mut sums = [0.0; ROW];
        for &(feature, value) in features {
            add_row(&mut sums, &self.first[feature], value);
        }
        sums
    }

    /// The log-odds to win, from the sums of the hidden layer.
    #[must_use]
    #[inline(always)]
    pub fn log_odds(&self, sums: &WeightRow, stage: usize) -> f32 {
        dot(sums, &self.odds[stage]) + sums[ODDS]
    }

    /// How much the margin is expected to grow, in points.
    #[must_use]
    #[inline(always)]
    pub fn growth(&self, sums: &WeightRow, stage: usize) -> f32 {
        GAP_SCALE * (dot(sums, &self.gap[stage]) + sums[GAP])
    }
}

/// The sum of the lanes, always in the same order.
#[inline(always)]
pub(super) fn total(lanes: [f32; WIDTH]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[inline(always)]
fn dot(sums: &WeightRow, weights: &[f32; HIDDEN]) -> f32 {
    // Lanes that the compiler can keep in vectors.
    let mut lanes = [0.0f32; WIDTH];
    for (sums, weights) in sums[..HIDDEN].chunks_exact(WIDTH).zip(weights.chunks_exact(WIDTH)) {
        for lane in 0..WIDTH {
            lanes[lane] += squash(sums[lane]) * weights[lane];
        }
    }
    total(lanes)
}

/// Adds `value` times a row of weights.
#[inline(always)]
pub(super) fn add_row(sums: &mut WeightRow, row: &WeightRow, value: f32) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += value * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_close() {
        for i in -800..=800 {
            let x = i as f32 / 40.0;
            let wanted = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(logistic(x)) - wanted).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn units_are_smooth_and_saturate() {
        assert_eq!([-9.0, -2.0, 0.0, 2.0, 9.0].map(squash), [-1.0, -1.0, 0.0, 1.0, 1.0]);
        for i in -30..30 {
            let x = i as f32 / 10.0 + 0.05;
            let slope = (squash(x + 1e-2) - squash(x - 1e-2)) / 2e-2;
            assert!((slope - squash_slope(x)).abs() < 1e-3);
        }
    }

    #[test]
    fn bytes_round_trip() {
        let mut net = Net::zero();
        for (i, number) in net.numbers_mut().enumerate() {
            *number = (i % 100) as f32 / 64.0 - 0.5;
        }
        let back = Net::from_bytes(&net.to_bytes()).unwrap();
        assert_eq!(back, net);
        for (from, to) in [(0.1f32, 0.099_975_586f32), (-5.3, -5.300_781), (3e-6, 2.98e-6)] {
            net.odds[0][0] = from;
            let found = Net::from_bytes(&net.to_bytes()).unwrap().odds[0][0];
            assert!((found - to).abs() < 1e-8 + 1e-7 * to.abs(), "{found}, not {to}");
        }
        assert!(Net::from_bytes(&[0; 7]).is_err());
    }
}
