//! Levels of the race by their wins. A committed table, made by the program `calibrate`,
//! has the settings of each level and the results of games of two with them, by the rules'
//! defaults: levels rise in even steps from a beginner to the strongest play there is.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::skill::RaceSkill;
use crate::opponent::{ErrorRates, LEVELS, standard_errors};
use crate::ruleset::compiled_in;

/// The measured results of players of the race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaceCalibration {
    /// Id of the ruleset, its options at their defaults.
    pub ruleset: String,
    /// Games of each figure, half of them with the seats exchanged.
    pub games: u64,
    /// Seed of the games.
    pub seed: u64,
    /// Levels 1 to [`LEVELS`], in order.
    pub levels: Vec<RaceLevelRecord>,
}

/// A level of the race and its results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaceLevelRecord {
    /// The level, from 1.
    pub level: u8,
    /// Share of the games won against the next level without the luck of the dice: half of them, and
    /// the regrets of the other player less its own; 0.5 for the last level, against itself.
    pub beats_next: f64,
    /// The same against [`RaceSkill::GREEDY`].
    pub beats_greedy: f64,
    /// Mean final points in the games against the latter.
    pub mean: f64,
    /// Probability to win given up by a move where there is a choice, on average.
    pub regret_per_decision: f64,
    /// Its error rates.
    pub errors: ErrorRates,
    /// Its settings.
    pub skill: RaceSkill,
}

static TABLE: LazyLock<RaceCalibration> = LazyLock::new(|| compiled_in(FILE));

/// The committed table.
const FILE: &str = include_str!("../../../data/levels/poquer-tradicional.toml");

/// The settings of `level` before its temperature is fitted.
#[must_use]
pub fn standard_race_skill(level: u8) -> RaceSkill {
    let (foresight, errors) = standard_errors(level);
    RaceSkill { foresight, errors }
}

impl RaceCalibration {
    /// The table of the traditional game.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &TABLE
    }

    /// The results of `level`, clamped to 1 to [`LEVELS`].
    #[must_use]
    pub fn level(&self, level: u8) -> &RaceLevelRecord {
        &self.levels[usize::from(level.clamp(1, LEVELS)) - 1]
    }
}

impl RaceSkill {
    /// The settings of `level` in the committed table, clamped to 1 to
    /// [`LEVELS`].
    #[must_use]
    pub fn level(level: u8) -> Self {
        RaceCalibration::built_in().level(level).skill
    }
}
