//! The settings of a player of the race: its goal and its errors.

use serde::{Deserialize, Serialize};

use super::calibration::RaceCalibration;

/// What a player of the race looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RaceObjective {
    /// The points × multiplier of this turn.
    Points,
    /// The probability to win.
    Win,
}

/// The settings of a player of the race.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaceSkill {
    /// What it looks at. A player alone always looks at points, and hardly errs where it would
    /// look at the probability to win.
    pub objective: RaceObjective,
    /// By how much a move must look worse to be chosen with odds 1 : e against the best, in
    /// points × multiplier or in probability to win; 0 always chooses what looks best.
    pub temperature: f64,
    /// The most that a move may give up, in the same measure.
    pub cap: f64,
}

impl RaceSkill {
    /// The strongest play there is.
    pub const STRONGEST: Self = Self { objective: RaceObjective::Win, temperature: 0.0, cap: 0.0 };

    /// Takes the most points × multiplier of its turn, without errors.
    pub const GREEDY: Self = Self { objective: RaceObjective::Points, temperature: 0.0, cap: 0.0 };

    /// The settings of `level` in the committed table, clamped to 1 to
    /// [`LEVELS`](crate::opponent::LEVELS).
    #[must_use]
    pub fn level(level: u8) -> Self {
        RaceCalibration::built_in().level(level).skill
    }
}
