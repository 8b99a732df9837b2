//! A player's objective: the most points on average, to win, or to reach a number of points. Every
//! move has its chances. The turn at hand is always solved exactly; the rest of the game exactly
//! where few categories are open, and otherwise from the mean and the deviation of a game played
//! for points. `OPPONENTS.md` lists the cases.

mod card_index;
mod chances;
mod distribution;
mod endgame;
mod final_score;
mod forecast;
mod last_round;
mod player;
mod ranking;
mod rated;
mod shape;
mod solver;
mod target;
mod turn_chances;

pub use self::card_index::MOST_CATEGORIES;
pub use self::chances::Chances;
pub(crate) use self::distribution::ScoreDistributions;
pub(crate) use self::final_score::{Expectation, Final};
pub use self::forecast::Forecast;
pub use self::player::ObjectivePlayer;
pub use self::ranking::{MoveChances, RankedByChances};
pub use self::solver::{EXACT_AGAINST, EXACT_ALONE};
pub use self::target::TargetChances;

/// A player's objective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The greatest expected final score.
    #[default]
    ExpectedScore,
    /// The greatest probability to beat every other card of the position; a draw counts half.
    Win,
    /// The greatest probability of this many points or more.
    ReachTarget(i32),
}
