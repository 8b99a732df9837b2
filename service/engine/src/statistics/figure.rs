//! Figures that are exact or sampled, and distributions of final scores made of them.

use std::collections::BTreeMap;

use super::PlayerStatistics;

/// A figure: exact, or the mean of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// Standard error of a sampled figure.
    pub standard_error: Option<f64>,
}

impl Figure {
    /// An exact figure.
    #[must_use]
    pub const fn exact(value: f64) -> Self {
        Self { value, standard_error: None }
    }

    /// A probability: exact, or the share of so many games.
    #[must_use]
    pub fn chance(value: f64, games: Option<u64>) -> Self {
        let error = |games: u64| (value * (1.0 - value)).max(0.0).sqrt() / (games as f64).sqrt();
        Self { value, standard_error: games.map(error) }
    }

    /// `count` of `games`; 0 without games.
    #[must_use]
    pub fn share(count: u64, games: u64) -> Self {
        Self::chance(count as f64 / games.max(1) as f64, Some(games.max(1)))
    }
}

/// A running mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
    }

    /// Numbers added.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean and its standard error; 0 if nothing was added.
    #[must_use]
    pub fn figure(&self) -> Figure {
        let count = (self.count as f64).max(1.0);
        let value = self.sum / count;
        let variance = (self.squares - count * value * value).max(0.0) / (count - 1.0).max(1.0);
        Figure { value, standard_error: Some((variance / count).sqrt()) }
    }
}

/// A distribution of final scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FinalScores {
    chances: BTreeMap<i32, f64>,
    games: Option<u64>,
}

impl FinalScores {
    /// An exact distribution. Scores of probability 0 are left out.
    #[must_use]
    pub fn exact(chances: impl IntoIterator<Item = (i32, f64)>) -> Self {
        let chances = chances.into_iter().filter(|&(_, chance)| chance > 0.0);
        Self { chances: chances.collect(), games: None }
    }

    /// The distribution of the games of a player.
    #[must_use]
    pub fn sampled(statistics: &PlayerStatistics) -> Self {
        let games = statistics.games().max(1);
        let share = |(&score, &count): (&i32, &u64)| (score, count as f64 / games as f64);
        Self { chances: statistics.scores().iter().map(share).collect(), games: Some(games) }
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chances.is_empty()
    }

    /// Every score with its probability, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (i32, Figure)> + '_ {
        self.chances.iter().map(|(&score, &chance)| (score, Figure::chance(chance, self.games)))
    }

    /// Probability of at least so many points.
    #[must_use]
    pub fn at_least(&self, points: i32) -> Figure {
        let chance: f64 = self.chances.range(points..).map(|(_, chance)| chance).sum();
        Figure::chance(chance.min(1.0), self.games)
    }

    /// Mean score.
    #[must_use]
    pub fn mean(&self) -> Figure {
        let error = |games: u64| (self.moment(2) / games as f64).sqrt();
        Figure { value: self.center(), standard_error: self.games.map(error) }
    }

    /// Standard deviation of a score. Its standard error is that of the square root of a sample
    /// variance, from the fourth moment.
    #[must_use]
    pub fn deviation(&self) -> Figure {
        let variance = self.moment(2);
        let value = variance.sqrt();
        let error = |games: u64| {
            let spread = (self.moment(4) - variance * variance).max(0.0);
            (spread / games as f64).sqrt() / (2.0 * value).max(f64::MIN_POSITIVE)
        };
        let error = |games| if value > 0.0 { error(games) } else { 0.0 };
        Figure { value, standard_error: self.games.map(error) }
    }

    fn center(&self) -> f64 {
        self.chances.iter().map(|(&score, chance)| f64::from(score) * chance).sum()
    }

    fn moment(&self, power: i32) -> f64 {
        let center = self.center();
        let off = |score: i32| (f64::from(score) - center).powi(power);
        self.chances.iter().map(|(&score, chance)| off(score) * chance).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_the_error_of_its_sample() {
        let mut mean = Mean::default();
        [1.0, 2.0, 3.0, 6.0].into_iter().for_each(|number| mean.add(number));
        let Figure { value, standard_error } = mean.figure();
        // The sample variance is 14 / 3.
        assert_eq!(value, 3.0);
        assert!((standard_error.expect("sampled") - (14.0f64 / 12.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_distribution_has_a_mean_a_deviation_and_chances_from_each_score_on() {
        let scores = FinalScores::exact([(10, 0.5), (20, 0.25), (30, 0.25), (40, 0.0)]);
        assert_eq!(scores.iter().count(), 3);
        assert_eq!(scores.mean(), Figure::exact(17.5));
        assert!((scores.deviation().value - 68.75f64.sqrt()).abs() < 1e-12);
        assert_eq!(scores.at_least(20), Figure::exact(0.5));
        assert_eq!(scores.at_least(21), Figure::exact(0.25));
        assert_eq!(scores.at_least(41), Figure::exact(0.0));
    }
}
