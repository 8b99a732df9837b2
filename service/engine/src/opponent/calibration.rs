//! Levels by score. For every built-in ruleset a committed table, made by the program `calibrate`,
//! holds the settings of each level and the results of games with them: levels rise in even steps
//! from about a novice's score to the optimum. Rules without a table get the same levels, scaled to
//! the value of their average turn, without figures.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::errors::Errors;
use super::skill::{Favourite, Profile, Skill};
use crate::ruleset::compiled_in;

/// Number of levels: 1 is a beginner, the last one is perfect play.
pub const LEVELS: u8 = 10;

/// The mean score of the lowest level, as a share of the optimum.
pub const NOVICE_SHARE: f64 = 2.0 / 3.0;

/// The measured scores of the players of a ruleset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Id of the ruleset, its options at their defaults.
    pub ruleset: String,
    /// Games a level.
    pub games: u64,
    /// Seed of the games.
    pub seed: u64,
    /// Expected final score under best play.
    pub optimum: f64,
    /// Levels 1 to [`LEVELS`], in order.
    pub levels: Vec<LevelRecord>,
    /// Every profile.
    pub profiles: Vec<ProfileRecord>,
}

/// A level and its results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelRecord {
    /// The level, from 1.
    pub level: u8,
    /// Mean final score.
    pub mean: f64,
    /// Standard deviation of the final score.
    pub deviation: f64,
    /// Mean regret of a move where there is a choice, in points.
    pub regret_per_decision: f64,
    /// Its error rates.
    pub errors: ErrorRates,
    /// Probability to end above a player of the next level, a tie counting half; 0.5 for the
    /// last level, against itself.
    pub beats_next: f64,
    /// Its settings.
    pub skill: Skill,
}

/// The error rates of a level, as shares of the decisions with a stake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRates {
    /// Decisions for the best move, or one equal to it.
    pub best: f64,
    /// Foolish moves in the first, the middle and the last third of a game, and in its last turn:
    /// those that give up more than [`FOOLISH`] of what is at stake.
    pub foolish: [f64; 4],
    /// Errors, moves that give up more than [`ERROR`](super::ERROR) of what is at stake, in the last
    /// two turns for each one in the middle third, among decisions in which an error was possible.
    pub late_to_middle: f64,
}

/// The share of the stake that a foolish move gives up.
pub const FOOLISH: f64 = 0.75;

/// A profile and its scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileRecord {
    /// The profile.
    pub profile: Profile,
    /// Mean final score.
    pub mean: f64,
    /// Standard deviation of the final score.
    pub deviation: f64,
    /// Mean regret of a move where there is a choice, in points.
    pub regret_per_decision: f64,
}

/// The opponent that a caller names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opponent {
    /// A level, 1 to [`LEVELS`].
    Level(u8),
    /// A profile.
    Profile(Profile),
}

impl Opponent {
    /// The settings of such a player where an average turn is worth so many points; by the table of
    /// the built-in `ruleset`, whatever its options, if it is one.
    #[must_use]
    pub fn skill(self, ruleset: Option<&str>, points_a_turn: f64) -> Skill {
        match (self, ruleset.and_then(Calibration::built_in)) {
            (Self::Level(level), Some(table)) => table.skill(level),
            (Self::Level(level), None) => standard_skill(level, points_a_turn),
            (Self::Profile(profile), _) => profile.skill(points_a_turn),
        }
    }
}

static TABLES: LazyLock<Vec<Calibration>> =
    LazyLock::new(|| FILES.iter().map(|(_, file)| compiled_in(file)).collect());

/// The committed tables, by ruleset.
const FILES: [(&str, &str); 9] = [
    ("dice-poker-13", include_str!("../../data/levels/dice-poker-13.toml")),
    ("dice-poker-15", include_str!("../../data/levels/dice-poker-15.toml")),
    ("yahtzee", include_str!("../../data/levels/yahtzee.toml")),
    ("yahtzee-free-joker", include_str!("../../data/levels/yahtzee-free-joker.toml")),
    ("kniffel", include_str!("../../data/levels/kniffel.toml")),
    ("yatzy", include_str!("../../data/levels/yatzy.toml")),
    ("yacht", include_str!("../../data/levels/yacht.toml")),
    ("generala", include_str!("../../data/levels/generala.toml")),
    ("maxi-yatzy", include_str!("../../data/levels/maxi-yatzy.toml")),
];

/// `(fondness, cap, caution, considered, temperature)` of levels 1 to 9; fondness in average turns.
/// Temperatures are those of rules without a table: the medians of the tables.
const STEPS: [(f64, f64, f64, usize, f64); 9] = [
    (0.20, 1.50, 0.05, 8, 0.220),
    (0.17, 1.25, 0.05, 8, 0.191),
    (0.14, 1.00, 0.04, 7, 0.182),
    (0.12, 0.80, 0.04, 7, 0.167),
    (0.10, 0.65, 0.03, 6, 0.160),
    (0.08, 0.50, 0.02, 6, 0.153),
    (0.06, 0.45, 0.02, 5, 0.147),
    (0.03, 0.40, 0.01, 5, 0.141),
    (0.00, 0.35, 0.00, 4, 0.136),
];

/// Foresight of level 1; it rises in even steps to 1 at the last level.
const LEAST_FORESIGHT: f64 = 0.5;

impl Calibration {
    /// The table of the built-in ruleset of this id.
    #[must_use]
    pub fn built_in(ruleset: &str) -> Option<&'static Self> {
        TABLES.iter().find(|table| table.ruleset == ruleset)
    }

    /// Whether there is a table of the built-in ruleset of this id.
    #[must_use]
    pub fn is_kept(ruleset: &str) -> bool {
        FILES.iter().any(|file| file.0 == ruleset)
    }

    /// The settings of `level`, brought into 1 to [`LEVELS`].
    #[must_use]
    pub fn skill(&self, level: u8) -> Skill {
        self.levels[usize::from(level.clamp(1, LEVELS)) - 1].skill
    }
}

/// The settings of `level`, clamped to 1 to [`LEVELS`], for rules without a table whose average
/// turn is worth so many points.
#[must_use]
pub fn standard_skill(level: u8, points_a_turn: f64) -> Skill {
    let (foresight, errors) = standard_errors(level);
    match STEPS.get(usize::from(level.max(1)) - 1) {
        Some(step) => {
            let fondness = step.0 * points_a_turn;
            Skill { foresight, fondness, favourite: Favourite::Easy, errors }
        }
        None => Skill::PERFECT,
    }
}

/// Foresight and errors of `level`, brought into 1 to [`LEVELS`], whatever is played.
#[must_use]
pub fn standard_errors(level: u8) -> (f64, Errors) {
    let level = level.clamp(1, LEVELS);
    let Some(&(_, cap, caution, considered, temperature)) = STEPS.get(usize::from(level) - 1)
    else {
        return (1.0, Errors::NONE);
    };
    let step = f64::from(level - 1) / f64::from(LEVELS - 1);
    let foresight = ((LEAST_FORESIGHT + (1.0 - LEAST_FORESIGHT) * step) * 1e3).round() / 1e3;
    (foresight, Errors { temperature, cap, caution, considered })
}
