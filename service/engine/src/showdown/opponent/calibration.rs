//! Levels of showdowns by their wins. A committed table, made by the program `calibrate`, has the settings of
//! each level and the results of matches with them. The same settings serve all rules, as errors are shares of
//! the stake; figures are of the built-in rulesets.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::skill::{ShowdownProfile, ShowdownSkill};
use crate::opponent::{ErrorRates, LEVELS};
use crate::ruleset::compiled_in;

/// All that was measured of showdowns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownTables {
    /// The settings of levels 1 to [`LEVELS`], in order.
    pub skills: Vec<ShowdownSkill>,
    /// What they come to, by built-in ruleset.
    pub rulesets: BTreeMap<String, ShowdownCalibration>,
}

/// The measured results of the players of a built-in ruleset, all options at their defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownCalibration {
    /// Matches of each figure; each player threw first in half of them.
    pub games: u64,
    /// Levels 1 to [`LEVELS`], in order.
    pub levels: Vec<ShowdownLevelRecord>,
    /// Every profile.
    pub profiles: Vec<ShowdownProfileRecord>,
}

/// A level and its results. For a pay table, returns take the place of wins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownLevelRecord {
    /// The level, from 1.
    pub level: u8,
    /// Share of the matches of two won against best play, a draw counting half; of a pay table
    /// the stakes returned on average.
    pub beats_best: f64,
    /// The same against the next level; 0.5 for the last one, and for a pay table.
    pub beats_next: f64,
    /// Mean regret of a decision.
    pub regret_per_decision: f64,
    /// Its error rates; the stages are those of a match.
    pub errors: ErrorRates,
}

/// A profile and its results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowdownProfileRecord {
    /// The profile.
    pub profile: ShowdownProfile,
    /// As of a level.
    pub beats_best: f64,
    /// Mean regret of a decision.
    pub regret_per_decision: f64,
}

static TABLES: LazyLock<ShowdownTables> =
    LazyLock::new(|| compiled_in(include_str!("../../../data/levels/showdown.toml")));

impl ShowdownCalibration {
    /// The measured results for the built-in ruleset of this id.
    #[must_use]
    pub fn of(ruleset: &str) -> Option<&'static Self> {
        TABLES.rulesets.get(ruleset)
    }
}

impl ShowdownSkill {
    /// The settings of `level`, brought into 1 to [`LEVELS`].
    #[must_use]
    pub fn level(level: u8) -> Self {
        TABLES.skills[usize::from(level.clamp(1, LEVELS)) - 1]
    }
}
