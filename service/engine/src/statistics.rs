//! Many games between the same players, what they came to, and the review of one game.

mod player_statistics;
mod review;
mod simulate;

pub use self::player_statistics::{GameStatistics, Interval, PlayerStatistics};
pub use self::review::{
    GRADES, Grade, PlayerReview, RecordError, RecordFault, Review, ReviewedStep,
};
pub(crate) use self::simulate::play_games;
pub use self::simulate::{Player, Simulation, Stopped};
