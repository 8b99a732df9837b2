//! Distributions of a final score, and the chances against a target or the scores of others. A
//! score that is not computed exactly is a normal distribution, or a number where the card is
//! complete.

use super::chances::Chances;
use super::shape::Shape;
use crate::opponent::draw::decay;

/// The expectation of a final score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Expectation {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

/// The distribution of a final score.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Final {
    /// About a mean: normal, or of a sampled shape.
    About(Expectation, Option<Shape>),
    /// `[points]`: the probability of fewer points; and the expectation, where they are interpolated.
    Known(Vec<f64>, Option<Expectation>),
}

impl Final {
    /// The final score of a card with `points`, given the probability of every further gain.
    pub(crate) fn known(points: i32, odds: &[f64]) -> Self {
        Self::Known(sums(points, odds), None)
    }

    /// The same where odds are interpolated, which the expectation is not.
    pub(crate) fn interpolated(points: i32, odds: &[f64], expectation: Expectation) -> Self {
        Self::Known(sums(points, odds), Some(expectation))
    }

    /// The probability that a player with `score` ends more than `by` points above it.
    fn below(&self, score: f64, by: f64) -> f64 {
        match self {
            Self::About(other, Some(shape)) if other.variance > 0.0 => {
                shape.below((score - by - other.mean) / other.variance.sqrt())
            }
            Self::About(other, _) => above(score - other.mean - by, other.variance),
            Self::Known(below, _) => {
                let points = (score - by).ceil().max(0.0) as usize;
                below.get(points).copied().unwrap_or(1.0)
            }
        }
    }

    /// Its mean and variance.
    pub(crate) fn expectation(&self) -> Expectation {
        match self {
            Self::About(expectation, _) | Self::Known(_, Some(expectation)) => *expectation,
            Self::Known(below, None) => {
                let odds = below.windows(2).map(|pair| pair[1] - pair[0]);
                let mean = odds.clone().zip(0..).map(|(odds, n)| odds * f64::from(n)).sum::<f64>();
                let off = |n: i32| (f64::from(n) - mean).powi(2);
                Expectation { mean, variance: odds.zip(0..).map(|(odds, n)| odds * off(n)).sum() }
            }
        }
    }

    /// The probability of at least this many points.
    pub(crate) fn at_least(&self, points: i32) -> f64 {
        1.0 - self.below(points.into(), 0.5)
    }

    /// Whether the score is a single number.
    fn is_certain(&self) -> bool {
        matches!(self, Self::About(other, _) if other.variance == 0.0)
    }
}

/// The probability of fewer points, by points, of a card that has `points` and gains more by these odds.
fn sums(points: i32, odds: &[f64]) -> Vec<f64> {
    let sums = odds.iter().scan(0.0, |sum, odds| {
        *sum += odds;
        Some(*sum)
    });
    vec![0.0; points as usize + 1].into_iter().chain(sums).collect()
}

/// The measure of a final score.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Measure {
    /// At least this many points.
    Target(i32),
    /// The final scores of the others.
    Others(Vec<Final>),
}

impl Measure {
    /// Whether all of it is exact.
    pub(crate) fn is_certain(&self) -> bool {
        match self {
            Self::Target(_) => true,
            Self::Others(others) => others.iter().all(Final::is_certain),
        }
    }

    /// The chances of a player with the final score `total`.
    pub(crate) fn of_total(&self, total: i32) -> Chances {
        self.of(Expectation { mean: total.into(), variance: 0.0 })
    }

    /// The chances of a player with this distribution of the final score.
    pub(crate) fn of(&self, own: Expectation) -> Chances {
        match self {
            Self::Target(points) => {
                let draw = 0.0;
                Chances { win: at_least(own, f64::from(*points) - 0.5), draw }
            }
            Self::Others(others) => {
                let win = above_all(own, others, 0.5);
                Chances { win, draw: (above_all(own, others, -0.5) - win).max(0.0) }
            }
        }
    }
}

/// The probability to end at `bound` or above.
fn at_least(own: Expectation, bound: f64) -> f64 {
    above(own.mean - bound, own.variance)
}

/// The probability that a normal variable of this mean and variance is above 0.
fn above(mean: f64, variance: f64) -> f64 {
    if variance <= 0.0 {
        return if mean > 0.0 { 1.0 } else { 0.0 };
    }
    normal(mean / variance.sqrt())
}

/// The probability to end `by` points above every one of the others.
fn above_all(own: Expectation, others: &[Final], by: f64) -> f64 {
    let all = |score: f64| others.iter().map(|other| other.below(score, by)).product::<f64>();
    match others {
        [] => 1.0,
        [Final::About(other, _)] => {
            above(own.mean - other.mean - by, own.variance + other.variance)
        }
        _ if own.variance <= 0.0 => all(own.mean),
        // The mean over scores of the player that are equally likely.
        _ => {
            let deviation = own.variance.sqrt();
            let at = |z: &f64| all(own.mean + z * deviation);
            DECILES.iter().map(at).sum::<f64>() / DECILES.len() as f64
        }
    }
}

/// Quantiles of the normal distribution at 0.025, 0.075, …, 0.975.
const DECILES: [f64; 20] = [
    -1.960, -1.440, -1.150, -0.935, -0.755, -0.598, -0.454, -0.319, -0.189, -0.063, 0.063, 0.189,
    0.319, 0.454, 0.598, 0.755, 0.935, 1.150, 1.440, 1.960,
];

/// The normal distribution function: the logistic approximation of Bowling et al. (2009), which is
/// off by 1.4e-4 at most with an exact exponential, and by 3.5e-4 with [`decay`].
pub(crate) fn normal(z: f64) -> f64 {
    let x = z.abs();
    let tail = decay(x * (1.5976 + 0.070_565_992 * x * x));
    let tail = tail / (1.0 + tail);
    if z < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_is_near_the_tables() {
        for (z, p) in [(0.0, 0.5), (0.5, 0.69146), (1.0, 0.84134), (1.96, 0.975), (3.0, 0.99865)] {
            assert!((normal(z) - p).abs() < 6e-4, "{z}");
            assert!((normal(-z) + normal(z) - 1.0).abs() < 1e-12);
        }
        // The greatest error, against the integral of the density.
        let (mut integral, mut most) = (0.5, 0.0f64);
        for step in 0..60_000 {
            let z = f64::from(step) / 10_000.0;
            most = most.max((normal(z) - integral).abs());
            let middle = z + 0.000_05;
            integral +=
                0.0001 * (-middle * middle / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        }
        assert!((3.3e-4..3.6e-4).contains(&most), "{most}");
    }

    #[test]
    fn finished_games_are_won_drawn_or_lost() {
        let sure = |mean: f64| Final::About(Expectation { mean, variance: 0.0 }, None);
        let others = Measure::Others(vec![sure(200.0), sure(150.0)]);
        assert_eq!(others.of_total(201), Chances { win: 1.0, draw: 0.0 });
        assert_eq!(others.of_total(200), Chances { win: 0.0, draw: 1.0 });
        assert_eq!(others.of_total(199), Chances { win: 0.0, draw: 0.0 });
        let target = Measure::Target(200);
        assert_eq!([199, 200].map(|total| target.of_total(total).win), [0.0, 1.0]);
    }
}
