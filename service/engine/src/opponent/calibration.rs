//! Levels by what they score. For every built-in ruleset a committed table, made by the program
//! `calibrate`, holds the settings of each level and what games with them came to: levels rise in
//! even steps from about a novice's score to the optimum. Rules without a table of their own get
//! the same levels, scaled to what their average turn is worth, and no figures.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::opponent::skill::{Favourite, Profile, Skill};

/// Levels there are: 1 is a beginner, this one is perfect play.
pub const LEVELS: u8 = 10;

/// The mean score of the lowest level, as a share of the optimum.
pub const NOVICE_SHARE: f64 = 2.0 / 3.0;

/// What the players of a ruleset score, measured.
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

/// A level and what it scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelRecord {
    /// The level, from 1.
    pub level: u8,
    /// Mean final score.
    pub mean: f64,
    /// Standard deviation of the final score.
    pub deviation: f64,
    /// Points given up by a move where there is a choice, on average.
    pub regret_per_decision: f64,
    /// Probability to end above a player of the next level, a tie counting half; 0.5 for the
    /// last level, against itself.
    pub beats_next: f64,
    /// Its settings.
    pub skill: Skill,
}

/// A profile and what it scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileRecord {
    /// The profile.
    pub profile: Profile,
    /// Mean final score.
    pub mean: f64,
    /// Standard deviation of the final score.
    pub deviation: f64,
    /// Points given up by a move where there is a choice, on average.
    pub regret_per_decision: f64,
}

/// How a player is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opponent {
    /// A level, 1 to [`LEVELS`].
    Level(u8),
    /// A profile.
    Profile(Profile),
}

impl Opponent {
    /// The settings of such a player at a game whose average turn is worth so many points; by the
    /// table of the built-in `ruleset`, whatever its options, if it is one.
    #[must_use]
    pub fn skill(self, ruleset: Option<&str>, points_a_turn: f64) -> Skill {
        match (self, ruleset.and_then(Calibration::built_in)) {
            (Self::Level(level), Some(table)) => table.skill(level),
            (Self::Level(level), None) => standard_skill(level, points_a_turn),
            (Self::Profile(profile), _) => profile.skill(points_a_turn),
        }
    }
}

static TABLES: LazyLock<Vec<Calibration>> = LazyLock::new(|| {
    FILES.iter().map(|file| toml::from_str(file).expect("compiled in and tested")).collect()
});

/// The committed tables.
const FILES: [&str; 9] = [
    include_str!("../../data/levels/dice-poker-13.toml"),
    include_str!("../../data/levels/dice-poker-15.toml"),
    include_str!("../../data/levels/yahtzee.toml"),
    include_str!("../../data/levels/yahtzee-free-joker.toml"),
    include_str!("../../data/levels/kniffel.toml"),
    include_str!("../../data/levels/yatzy.toml"),
    include_str!("../../data/levels/yacht.toml"),
    include_str!("../../data/levels/generala.toml"),
    include_str!("../../data/levels/maxi-yatzy.toml"),
];

/// `(caution, fondness, cap, temperature)` of levels 1 to 9, in average turns. Temperatures are
/// those of rules without a table.
const STEPS: [(f64, f64, f64, f64); 9] = [
    (0.04, 0.25, 2.00, 0.126),
    (0.04, 0.20, 1.50, 0.109),
    (0.03, 0.16, 1.20, 0.093),
    (0.03, 0.13, 0.90, 0.082),
    (0.02, 0.10, 0.70, 0.072),
    (0.02, 0.07, 0.55, 0.063),
    (0.01, 0.05, 0.40, 0.054),
    (0.01, 0.03, 0.30, 0.043),
    (0.00, 0.00, 0.20, 0.030),
];

impl Calibration {
    /// The table of the built-in ruleset of this id.
    #[must_use]
    pub fn built_in(ruleset: &str) -> Option<&'static Self> {
        TABLES.iter().find(|table| table.ruleset == ruleset)
    }

    /// The settings of `level`, brought into 1 to [`LEVELS`].
    #[must_use]
    pub fn skill(&self, level: u8) -> Skill {
        self.levels[usize::from(level.clamp(1, LEVELS)) - 1].skill
    }
}

/// The settings of `level`, brought into 1 to [`LEVELS`], where an average turn is worth so many
/// points and no table tells better.
#[must_use]
pub fn standard_skill(level: u8, points_a_turn: f64) -> Skill {
    let level = level.clamp(1, LEVELS);
    let Some(&(caution, fondness, cap, temperature)) = STEPS.get(usize::from(level) - 1) else {
        return Skill::PERFECT;
    };
    Skill {
        temperature: temperature * points_a_turn,
        foresight: f64::from(level) / f64::from(LEVELS),
        caution: caution * points_a_turn,
        fondness: fondness * points_a_turn,
        favourite: Favourite::Easy,
        cap: cap * points_a_turn,
    }
}
