//! How a game may end for one player: won, drawn or lost. What others will come to is a normal
//! distribution, or a number where they are finished, and so is the player's own future where it
//! is not worked out exactly.

use super::lot::decay;
use super::turn::Worth;

/// Chances of a player. A target that is reached counts as won.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prospect {
    /// Probability to win alone, or to reach the target.
    pub win: f64,
    /// Probability to share the win.
    pub draw: f64,
}

impl Prospect {
    /// Probability to lose, or to miss the target.
    #[must_use]
    pub fn loss(self) -> f64 {
        (1.0 - self.win - self.draw).max(0.0)
    }

    /// What is maximised: a win counts one, a draw half.
    #[must_use]
    pub fn worth(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The same game seen by the only opponent.
    #[must_use]
    pub(super) fn of_the_other(self) -> Self {
        Self { win: self.loss(), draw: self.draw }
    }
}

impl Worth for Prospect {
    // A half of this is far below any chance, and its sums stay finite.
    const WORST: Self = Self { win: -1e30, draw: 0.0 };
    const ZERO: Self = Self { win: 0.0, draw: 0.0 };

    #[inline(always)]
    fn key(self) -> f64 {
        self.win + self.draw / 2.0
    }

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        Self { win: self.win + weight * other.win, draw: self.draw + weight * other.draw }
    }
}

/// Chances of players that are closer than this are held equal.
pub(super) const EQUAL_CHANCE: f64 = 1e-9;

/// What a player has to expect who plays for its chances and, where these are all the same, for
/// points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outlook {
    pub(super) prospect: Prospect,
    /// The final score of the player.
    pub(super) points: f64,
    /// That of the only opponent, where there is one.
    pub(super) theirs: f64,
}

impl Outlook {
    /// Whether `other` promises more: better chances or, where these are alike, more points.
    #[inline(always)]
    pub(super) fn is_beaten_by(&self, other: &Self) -> bool {
        let ahead = other.prospect.worth() - self.prospect.worth();
        let alike = ahead > -EQUAL_CHANCE;
        ahead > EQUAL_CHANCE || (alike && other.points > self.points + EQUAL_CHANCE)
    }

    /// The same game seen by the only opponent.
    pub(super) fn of_the_other(self) -> Self {
        let prospect = self.prospect.of_the_other();
        Self { prospect, points: self.theirs, theirs: self.points }
    }
}

impl Worth for Outlook {
    const WORST: Self = Self { prospect: Prospect::WORST, points: 0.0, theirs: 0.0 };
    const ZERO: Self = Self { prospect: Prospect::ZERO, points: 0.0, theirs: 0.0 };

    #[inline(always)]
    fn key(self) -> f64 {
        self.prospect.key()
    }

    #[inline(always)]
    fn plus(self, weight: f64, other: Self) -> Self {
        Self {
            prospect: self.prospect.plus(weight, other.prospect),
            points: self.points + weight * other.points,
            theirs: self.theirs + weight * other.theirs,
        }
    }

    #[inline(always)]
    fn best(self, other: Self) -> Self {
        if self.is_beaten_by(&other) { other } else { self }
    }
}

/// A final score as it is expected to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Expectation {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// What a final score may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Final {
    /// As it is expected to be.
    About(Expectation),
    /// `[points]`: the probability of fewer points.
    Known(Vec<f64>),
}

impl Final {
    /// One who has `points` and gains what `odds` tell, the odds of every number of points.
    pub(super) fn known(points: u32, odds: &[f64]) -> Self {
        let sums = odds.iter().scan(0.0, |sum, odds| {
            *sum += odds;
            Some(*sum)
        });
        Self::Known(vec![0.0; points as usize + 1].into_iter().chain(sums).collect())
    }

    /// The probability that a player with `score` ends more than `by` points above it.
    fn below(&self, score: f64, by: f64) -> f64 {
        match self {
            Self::About(other) => above(score - other.mean - by, other.variance),
            Self::Known(below) => {
                let points = (score - by).ceil().max(0.0) as usize;
                below.get(points).copied().unwrap_or(1.0)
            }
        }
    }

    /// Its mean and variance.
    pub(super) fn expectation(&self) -> Expectation {
        match self {
            Self::About(expectation) => *expectation,
            Self::Known(below) => {
                let odds = below.windows(2).map(|pair| pair[1] - pair[0]);
                let mean = odds.clone().zip(0..).map(|(odds, n)| odds * f64::from(n)).sum::<f64>();
                let off = |n: u32| (f64::from(n) - mean).powi(2);
                Expectation { mean, variance: odds.zip(0..).map(|(odds, n)| odds * off(n)).sum() }
            }
        }
    }

    /// The probability of so many points or more.
    pub(super) fn at_least(&self, points: u32) -> f64 {
        1.0 - self.below(points.into(), 0.5)
    }

    /// Whether there is nothing left to it but a number.
    fn is_certain(&self) -> bool {
        matches!(self, Self::About(other) if other.variance == 0.0)
    }
}

/// What a final score is measured against.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measure {
    /// So many points are enough.
    Target(u32),
    /// The final scores of the others.
    Others(Vec<Final>),
}

impl Measure {
    /// Whether nothing in it is a guess.
    pub(super) fn is_certain(&self) -> bool {
        match self {
            Self::Target(_) => true,
            Self::Others(others) => others.iter().all(Final::is_certain),
        }
    }

    /// The chances of a player who ended with `total`.
    pub(super) fn of_total(&self, total: u32) -> Prospect {
        self.of(Expectation { mean: total.into(), variance: 0.0 })
    }

    /// The chances of a player who is expected to end so.
    pub(super) fn of(&self, own: Expectation) -> Prospect {
        match self {
            Self::Target(points) => {
                let draw = 0.0;
                Prospect { win: at_least(own, f64::from(*points) - 0.5), draw }
            }
            Self::Others(others) => {
                let win = above_all(own, others, 0.5);
                Prospect { win, draw: (above_all(own, others, -0.5) - win).max(0.0) }
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
        [Final::About(other)] => above(own.mean - other.mean - by, own.variance + other.variance),
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

/// The normal distribution function, to 2e-4.
pub(super) fn normal(z: f64) -> f64 {
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
    }

    #[test]
    fn finished_games_are_won_drawn_or_lost() {
        let sure = |mean: f64| Final::About(Expectation { mean, variance: 0.0 });
        let others = Measure::Others(vec![sure(200.0), sure(150.0)]);
        assert_eq!(others.of_total(201), Prospect { win: 1.0, draw: 0.0 });
        assert_eq!(others.of_total(200), Prospect { win: 0.0, draw: 1.0 });
        assert_eq!(others.of_total(199), Prospect { win: 0.0, draw: 0.0 });
        let target = Measure::Target(200);
        assert_eq!([199, 200].map(|total| target.of_total(total).win), [0.0, 1.0]);
    }
}
