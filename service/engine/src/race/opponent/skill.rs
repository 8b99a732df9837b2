//! The settings of a player of the race: its goal and its errors.

use serde::{Deserialize, Serialize};

use crate::opponent::Errors;

/// The settings of a player of the race.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaceSkill {
    /// How much the probability to win weighs against the points × multiplier of this turn, each as
    /// a share of what is at stake in it: 1 plays to win, 0 for the turn alone. A player alone always
    /// plays for the turn.
    pub foresight: f64,
    /// The errors among moves, by the values that the player sees.
    pub errors: Errors,
}

impl RaceSkill {
    /// The strongest play there is.
    pub const STRONGEST: Self = Self { foresight: 1.0, errors: Errors::NONE };

    /// Takes the most points × multiplier of its turn, without errors.
    pub const GREEDY: Self = Self { foresight: 0.0, errors: Errors::NONE };
}
