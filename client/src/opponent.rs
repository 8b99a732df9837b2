//! Opponents, by level or by profile, and objectives.

use std::fmt;

use dicepoker_proto::v1 as pb;

/// An opponent of a level of strength, or of a profile: a style of play. Their measured scores are in
/// [`Ruleset::levels`](crate::Ruleset::levels) and [`Ruleset::profiles`](crate::Ruleset::profiles).
///
/// ```
/// use dicepoker_client::Opponent;
///
/// let [club, gambler] = [Opponent::Level(5), Opponent::profile("gambler")];
/// assert_eq!((club.to_string(), gambler.to_string()), ("level 5".into(), "gambler".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// A player's objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The greatest expected final score; not in the race.
    ExpectedScore,
    /// The greatest probability to beat all other players; a draw counts half.
    Win,
    /// The greatest probability to end with so many points or more; not in the race.
    ReachTarget(i32),
}

/// A player: its opponent and its objective. By default it plays perfectly for the game's first
/// objective. An [`Opponent`] converts to a player.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Player {
    /// Its opponent; `None` plays perfectly.
    pub opponent: Option<Opponent>,
    /// Its objective; `None` is the game's first one.
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

impl From<Opponent> for pb::Opponent {
    fn from(opponent: Opponent) -> Self {
        use pb::opponent::Kind;
        let kind = match opponent {
            Opponent::Level(level) => Kind::Level(level),
            Opponent::Profile(id) => Kind::Profile(id),
        };
        Self { kind: Some(kind) }
    }
}

impl From<Player> for pb::SimulatedPlayer {
    fn from(player: Player) -> Self {
        let (objective, target) = objective_fields(player.objective);
        Self { opponent: player.opponent.map(Into::into), objective, target }
    }
}

/// The two fields of a request that state an objective: `objective` and `target`.
pub(crate) fn objective_fields(objective: Option<Objective>) -> (i32, i32) {
    let (objective, target) = match objective {
        None => (pb::Objective::Unspecified, 0),
        Some(Objective::ExpectedScore) => (pb::Objective::ExpectedScore, 0),
        Some(Objective::Win) => (pb::Objective::Win, 0),
        Some(Objective::ReachTarget(target)) => (pb::Objective::ReachTarget, target),
    };
    (objective.into(), target)
}
