//! Games on threads, and a temperature fitted to them, for every family.

use dicepoker_engine::opponent::LEVELS;
use dicepoker_engine::parallel::share;
use dicepoker_engine::statistics::GameStatistics;

use crate::rates::Rates;

/// Seed of the reported games.
pub(crate) const SEED: u64 = 1;
/// Seed of the trials; another one, so that no level is fitted to the games that measure it.
pub(crate) const TRIAL_SEED: u64 = 2;

/// Trials of a temperature, and the range in which it is found.
const TRIALS: u32 = 8;
const COLDEST: f64 = 0.01;
const HOTTEST: f64 = 4.0;
/// The highest temperature of a level as a share of that of the level before.
const STEP: f64 = 0.97;
/// The least rise of the share of best moves.
const RISE: f64 = 0.005;

/// The size of a measurement.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Games that measure a level.
    pub(crate) games: u64,
    pub(crate) threads: usize,
}

/// The results of a player in games.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) statistics: GameStatistics,
    pub(crate) rates: Rates,
}

impl Effort {
    /// Games of these numbers between so many players, each counted by `play`.
    pub(crate) fn play(
        self,
        players: usize,
        games: u64,
        play: impl Fn(u64, &mut Played) + Sync,
    ) -> Played {
        let new = || Played { statistics: GameStatistics::new(players), rates: Rates::default() };
        let parts = share(self.threads, 0..games, |next| {
            let mut part = new();
            while let Some(number) = next() {
                play(number, &mut part);
            }
            part
        });
        parts.into_iter().fold(new(), |mut sum, part| {
            sum.statistics.add(&part.statistics);
            sum.rates.add(&part.rates);
            sum
        })
    }
}

/// The result of games with a temperature.
pub(crate) struct Trial {
    /// The figure that the temperature is fitted to; it falls as the temperature rises.
    pub(crate) result: f64,
    /// Shares of best moves, in each game that is played.
    pub(crate) best: Vec<f64>,
}

/// The temperature at which a trial results in `wanted`, by bisection on a logarithmic scale. It is below that
/// of the level `before`, and best moves are more frequent in its trials.
pub(crate) fn fit(wanted: f64, before: Option<(f64, Trial)>, trial: impl Fn(f64) -> Trial) -> f64 {
    let mut low = COLDEST;
    let mut high = before.as_ref().map_or(HOTTEST, |before| STEP * before.0);
    for _ in 0..TRIALS {
        let middle = (low * high).sqrt();
        let found = trial(middle);
        let more_best = |before: &Trial| {
            let pairs = before.best.iter().zip(&found.best);
            pairs.into_iter().all(|(before, now)| *now > before + RISE)
        };
        let fits = before.as_ref().is_none_or(|before| more_best(&before.1));
        if fits && found.result > wanted { low = middle } else { high = middle }
    }
    rounded(low)
}

/// The settings of all levels, each made by `fit_level` from its number and the level before.
pub(crate) fn ladder<S>(fit_level: impl Fn(u8, Option<&S>) -> S) -> Vec<S> {
    let mut skills: Vec<S> = Vec::new();
    for level in 1..=LEVELS {
        skills.push(fit_level(level, skills.last()));
    }
    skills
}

pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
