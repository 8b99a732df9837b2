//! The learner: gradients of samples, and Adam over all weights of a network. All arithmetic is
//! that of the IEEE standard in a fixed order, so that the same samples give the same bytes on any
//! machine.

use dicepoker_engine::race::training::{
    FEATURES, HIDDEN, Knowledge, Net, ROW, STAGES, WeightRow, logistic, margin_features, squash,
    squash_slope,
};
use rand::{Rng, RngExt};

use crate::selfplay::{GAP_SCALE, Sample};

/// The weight of an error of the margin, in units of 100 points, against one of the win.
const GAP_WEIGHT: f32 = 0.02;

/// Features and units removed from a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// Groups of features removed.
    pub(crate) without: Vec<Knowledge>,
    /// Number of hidden units removed.
    pub(crate) idle_units: usize,
}

impl Limits {
    /// Imposes the limits on a network or a gradient. Weights that must be the same get their sum,
    /// which for gradients is that of the one weight they stand for.
    fn impose(&self, net: &mut Net) {
        for &knowledge in &self.without {
            for feature in knowledge.features() {
                net.first[feature] = [0.0; ROW];
            }
            for twins in knowledge.twins() {
                let mut sum = [0.0; ROW];
                for &twin in &twins {
                    sum = std::array::from_fn(|i| sum[i] + net.first[twin][i]);
                }
                for twin in twins {
                    net.first[twin] = sum;
                }
            }
            if knowledge == Knowledge::Stages {
                for outputs in [&mut net.odds, &mut net.gap] {
                    let sum = std::array::from_fn(|unit| outputs.iter().map(|o| o[unit]).sum());
                    *outputs = [sum; STAGES];
                }
            }
        }
        for unit in HIDDEN - self.idle_units..HIDDEN {
            net.first.iter_mut().for_each(|row| row[unit] = 0.0);
            net.odds.iter_mut().chain(&mut net.gap).for_each(|output| output[unit] = 0.0);
        }
    }
}

/// A network that values only the margin.
pub(crate) fn newborn(rng: &mut impl Rng, limits: &Limits) -> Net {
    let mut net = Net::zero();
    let mut small = || (rng.random::<f32>() - 0.5) * 0.3;
    for row in &mut net.first {
        row[..HIDDEN].iter_mut().for_each(|weight| *weight = small());
    }
    for outputs in [&mut net.odds, &mut net.gap] {
        *outputs = [std::array::from_fn(|_| small()); STAGES];
    }
    for feature in margin_features() {
        net.first[feature] = net.first[FEATURES - 1];
        net.first[feature][HIDDEN] = 3.0;
    }
    // Undoes what an imposed sum makes of equal weights.
    for knowledge in &limits.without {
        for twins in knowledge.twins() {
            for &twin in &twins[1..] {
                net.first[twin] = [0.0; ROW];
            }
        }
        if *knowledge == Knowledge::Stages {
            net.odds[1..].fill([0.0; HIDDEN]);
            net.gap[1..].fill([0.0; HIDDEN]);
        }
    }
    limits.impose(&mut net);
    net
}

/// Adam over all weights of a network.
pub(crate) struct Learner {
    /// The network that learns.
    pub(crate) net: Net,
    limits: Limits,
    /// Learns only the weights of variants and options.
    only_options: bool,
    first: Net,
    second: Net,
    gradient: Net,
    /// Powers of the decay of both moments.
    warm: (f32, f32),
}

impl Learner {
    /// A learner that begins with `net`.
    pub(crate) fn new(net: Net, limits: Limits, only_options: bool) -> Self {
        Self {
            net,
            limits,
            only_options,
            first: Net::zero(),
            second: Net::zero(),
            gradient: Net::zero(),
            warm: (1.0, 1.0),
        }
    }

    /// Adds the gradient of one sample; returns its squared error of the win.
    fn learn(&mut self, sample: &Sample) -> f32 {
        let mut sums: WeightRow = [0.0; ROW];
        for &(feature, value) in &sample.features {
            let row = &self.net.first[usize::from(feature)];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += value * weight;
            }
        }
        let stage = sample.stage;
        let odds_error = logistic(self.net.log_odds(&sums, stage)) - sample.win;
        let growth = self.net.growth(&sums, stage) / GAP_SCALE;
        let gap_error = (growth - sample.growth).clamp(-5.0, 5.0) * GAP_WEIGHT;
        let (odds, gap) = (&self.net.odds[stage], &self.net.gap[stage]);
        let (to_odds, to_gap) = (&mut self.gradient.odds[stage], &mut self.gradient.gap[stage]);
        let mut back: WeightRow = [0.0; ROW];
        for unit in 0..HIDDEN {
            let active = squash(sums[unit]);
            to_odds[unit] += odds_error * active;
            to_gap[unit] += gap_error * active;
            back[unit] =
                squash_slope(sums[unit]) * (odds_error * odds[unit] + gap_error * gap[unit]);
        }
        back[HIDDEN] = odds_error;
        back[HIDDEN + 1] = gap_error;
        for &(feature, value) in &sample.features {
            let row = &mut self.gradient.first[usize::from(feature)];
            for (gradient, back) in row.iter_mut().zip(&back) {
                *gradient += value * back;
            }
        }
        odds_error * odds_error
    }

    /// Learns from samples drawn at random; returns their mean squared error of the win.
    pub(crate) fn batch(
        &mut self,
        buffer: &[Sample],
        size: usize,
        rate: f32,
        rng: &mut impl Rng,
    ) -> f32 {
        let mut error = 0.0;
        for _ in 0..size {
            error += self.learn(&buffer[rng.random_range(0..buffer.len())]);
        }
        if self.only_options {
            let mut kept = Net::zero();
            for feature in Knowledge::Options.features() {
                kept.first[feature] = self.gradient.first[feature];
            }
            self.gradient = kept;
        }
        self.limits.impose(&mut self.gradient);
        self.step(rate, size);
        error / size as f32
    }

    fn step(&mut self, rate: f32, batch: usize) {
        const DECAY: (f32, f32) = (0.9, 0.999);
        self.warm = (self.warm.0 * DECAY.0, self.warm.1 * DECAY.1);
        let rate = rate * (1.0 - self.warm.1).sqrt() / (1.0 - self.warm.0);
        let scale = 1.0 / batch as f32;
        let weights = slices(&mut self.net).zip(slices(&mut self.gradient));
        let moments = slices(&mut self.first).zip(slices(&mut self.second));
        for ((weights, gradients), (firsts, seconds)) in weights.zip(moments) {
            let weights = weights.iter_mut().zip(gradients);
            for ((weight, gradient), (first, second)) in weights.zip(firsts.iter_mut().zip(seconds))
            {
                let g = *gradient * scale;
                *gradient = 0.0;
                *first = DECAY.0 * *first + (1.0 - DECAY.0) * g;
                *second = DECAY.1 * *second + (1.0 - DECAY.1) * g * g;
                *weight -= rate * *first / (second.sqrt() + 1e-8);
            }
        }
    }
}

/// All weights, padding and all.
fn slices(net: &mut Net) -> impl Iterator<Item = &mut [f32]> {
    let outputs = [net.odds.as_flattened_mut(), net.gap.as_flattened_mut()];
    std::iter::once(net.first.as_flattened_mut()).chain(outputs)
}

/// Moves `mean` a part of the way to `net`.
pub(crate) fn draw_near(mean: &mut Net, net: &mut Net, part: f32) {
    for (mean, net) in slices(mean).zip(slices(net)) {
        for (mean, now) in mean.iter_mut().zip(net) {
            *mean += part * (*now - *mean);
        }
    }
}
