//! Who plays, and what for: opponents of graded strength or with a character, and objectives.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A player of graded strength, or with a character of its own. What they score is in
/// [`Ruleset::levels`](crate::Ruleset::levels) and [`Ruleset::profiles`](crate::Ruleset::profiles).
///
/// ```
/// use dicepoker_client::Opponent;
///
/// let [club, gambler] = [Opponent::Level(5), Opponent::profile("gambler")];
/// assert_eq!((club.to_string(), gambler.to_string()), ("level 5".into(), "gambler".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opponent {
    /// From 1, a beginner, to 10, perfect play (in the race the strongest there is).
    Level(u32),
    /// One of the ruleset's profiles; not in the race.
    Profile(String),
}

impl Opponent {
    /// The opponent of this profile.
    #[must_use]
    pub fn profile(id: impl Into<String>) -> Self {
        Self::Profile(id.into())
    }
}

/// `level 5`, or the id of the profile.
impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "level {level}"),
            Self::Profile(id) => f.write_str(id),
        }
    }
}

/// What a player plays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The greatest expected final score; not in the race.
    ExpectedScore,
    /// The greatest probability to beat all other players; a draw counts half.
    Win,
    /// The greatest probability to end with so many points or more; not in the race.
    ReachTarget(i32),
}

/// Somebody who plays: how well, and what for. Perfect play for what the game is about, unless
/// something else is said; an [`Opponent`] will do where a player is asked for.
///
/// ```
/// use dicepoker_client::{Objective, Opponent, Player};
///
/// let players = [
///     Player::default(),
///     Opponent::Level(5).into(),
///     Player::from(Opponent::Level(8)).playing_for(Objective::Win),
/// ];
/// # let _ = players;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Player {
    /// How it plays; perfectly if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<Opponent>,
    /// What it plays for; for what the game is about if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Objective>,
}

impl Player {
    /// The player with this objective.
    #[must_use]
    pub fn playing_for(mut self, objective: Objective) -> Self {
        self.objective = Some(objective);
        self
    }
}

impl From<Opponent> for Player {
    fn from(opponent: Opponent) -> Self {
        Self { opponent: Some(opponent), objective: None }
    }
}
