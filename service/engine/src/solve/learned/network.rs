//! A network with one hidden layer of rectified units, and its training step.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

/// Units of the hidden layer.
pub(super) const HIDDEN: usize = 32;

/// Errors are no larger than this for learning.
const MOST_ERROR: f32 = 3.0;

/// What the hidden units have summed up.
pub(super) type Hidden = [f32; HIDDEN];

/// The weights: of each feature on each unit, of the units' constants, of the units on the output,
/// and the output's constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    weights: Vec<f32>,
    features: usize,
}

/// Adam's moments of earlier gradients.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    gradient: Vec<f32>,
    steps: i32,
}

impl Network {
    fn len(features: usize) -> usize {
        (features + 2) * HIDDEN + 1
    }

    /// Small random weights.
    pub(super) fn random(features: usize, seed: u64) -> Self {
        let mut generator = ChaCha12Rng::seed_from_u64(seed);
        let mut uniform = || (generator.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0;
        let outputs = (features + 1) * HIDDEN;
        let weights = (0..Self::len(features)).map(|i| match i {
            i if i < outputs => 0.2 * uniform(),
            i if i < outputs + HIDDEN => 0.1 * uniform(),
            _ => 0.0,
        });
        Self { weights: weights.collect(), features }
    }

    /// The weights of a file of 32-bit numbers, least byte first.
    pub(super) fn read(features: usize, bytes: &[u8]) -> Option<Self> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let weights: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let fits = rest.is_empty() && weights.len() == Self::len(features);
        (fits && weights.iter().all(|w| w.is_finite())).then_some(Self { weights, features })
    }

    pub(super) fn write(&self) -> Vec<u8> {
        self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.weights[..])
    }

    /// The hidden layer without any feature.
    #[inline(always)]
    pub(super) fn start(&self) -> Hidden {
        self.row(self.features)
    }

    #[inline(always)]
    fn row(&self, row: usize) -> Hidden {
        let row = &self.weights[row * HIDDEN..][..HIDDEN];
        std::array::from_fn(|unit| row[unit])
    }

    /// Adds a feature.
    #[inline(always)]
    pub(super) fn add(&self, hidden: &mut Hidden, feature: usize, value: f32) {
        let row = &self.weights[feature * HIDDEN..][..HIDDEN];
        for (unit, weight) in hidden.iter_mut().zip(row) {
            *unit += value * weight;
        }
    }

    /// The output.
    #[inline(always)]
    pub(super) fn output(&self, hidden: &Hidden) -> f32 {
        let out = self.row(self.features + 1);
        let mut sums = [0.0f32; 8];
        for (i, (unit, weight)) in hidden.iter().zip(out).enumerate() {
            sums[i % 8] += unit.max(0.0) * weight;
        }
        sums.iter().sum::<f32>() + self.weights[self.weights.len() - 1]
    }

    /// Notes the gradient of half the square of the error for a card of these features whose output
    /// should be `wanted`; errors beyond [`MOST_ERROR`] count as that much.
    #[inline(always)]
    pub(super) fn learn(&self, adam: &mut Adam, features: &[(usize, f32)], wanted: f32) {
        let mut hidden = self.start();
        features.iter().for_each(|&(feature, value)| self.add(&mut hidden, feature, value));
        let error = (self.output(&hidden) - wanted).clamp(-MOST_ERROR, MOST_ERROR);
        let outputs = (self.features + 1) * HIDDEN;
        let mut back = [0.0f32; HIDDEN];
        for unit in 0..HIDDEN {
            if hidden[unit] > 0.0 {
                adam.gradient[outputs + unit] += error * hidden[unit];
                back[unit] = error * self.weights[outputs + unit];
            }
        }
        let constants = std::iter::once((self.features, 1.0));
        for (feature, value) in features.iter().copied().chain(constants) {
            let row = &mut adam.gradient[feature * HIDDEN..][..HIDDEN];
            row.iter_mut().zip(back).for_each(|(gradient, back)| *gradient += value * back);
        }
        *adam.gradient.last_mut().expect("a constant") += error;
    }

    /// Takes a step down the mean of the gradients noted, `count` of them.
    #[inline(always)]
    pub(super) fn step(&mut self, adam: &mut Adam, rate: f32, count: usize) {
        const DECAYS: (f32, f32) = (0.9, 0.999);
        adam.steps += 1;
        let corrected = |decay: f32| 1.0 - decay.powi(adam.steps.min(20_000));
        let rate = rate * corrected(DECAYS.1).sqrt() / corrected(DECAYS.0);
        let share = 1.0 / count as f32;
        let moments = adam.mean.iter_mut().zip(&mut adam.square).zip(&mut adam.gradient);
        for (weight, ((mean, square), gradient)) in self.weights.iter_mut().zip(moments) {
            let slope = std::mem::take(gradient) * share;
            *mean += (1.0 - DECAYS.0) * (slope - *mean);
            *square += (1.0 - DECAYS.1) * (slope * slope - *square);
            *weight -= rate * *mean / (square.sqrt() + 1e-8);
        }
    }
}

impl Adam {
    pub(super) fn new(network: &Network) -> Self {
        let zeros = vec![0.0; network.weights.len()];
        Self { mean: zeros.clone(), square: zeros.clone(), gradient: zeros, steps: 0 }
    }
}
